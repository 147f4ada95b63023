%% Two processes, a few rounds.
-module(pingpong).
-export([main/0]).

main() ->
    Pong = spawn(fun() -> pong(3) end),
    ping(Pong, 3).

ping(_, 0) -> done;
ping(Pong, N) ->
    Pong ! {ping, self(), N},
    receive {pong, N} -> ping(Pong, N - 1) end.

pong(0) -> ok;
pong(K) ->
    receive {ping, From, N} -> From ! {pong, N} end,
    pong(K - 1).
