%% Two messages race, and forty messages to oneself come after them.
-module(chunk_panic_instant).
-export([main/0]).
main() ->
    P = self(),
    [spawn(fun() -> P ! {go, I} end) || I <- [1, 2]],
    A = receive {go, X} -> X end,
    B = receive {go, Y} -> Y end,
    [begin self() ! I, receive I -> ok end end || I <- lists:seq(1, 40)],
    {A, B}.
