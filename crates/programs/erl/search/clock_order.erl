%% Two processes read the clock; either can be the first.
-module(clock_order).
-export([main/0]).
main() ->
    P = self(),
    Read = fun(K) -> spawn(fun() -> P ! {K, erlang:monotonic_time()} end) end,
    Read(a), Read(b),
    A = receive {a, X} -> X end,
    B = receive {b, Y} -> Y end,
    A =< B.
