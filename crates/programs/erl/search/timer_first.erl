%% A timer and another process send to the same receive.
-module(timer_first).
-export([main/0]).
main() ->
    P = self(),
    erlang:send_after(10, self(), t),
    spawn(fun() -> P ! a end),
    receive X -> X end.
