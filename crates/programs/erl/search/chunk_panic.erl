%% Two messages race, and thirty requests with their answers come after them.
-module(chunk_panic).
-export([main/0]).
main() ->
    S = spawn(fun server/0), P = self(),
    [spawn(fun() -> P ! I end) || I <- [1, 2]],
    A = receive X -> X end,
    [begin S ! {P, I}, receive {S, I} -> ok end end || I <- lists:seq(1, 30)],
    S ! stop,
    A.
server() -> receive {P, I} -> P ! {self(), I}, server(); stop -> ok end.
