%% Two processes that send each other messages for ever.
-module(endless_pair).
-export([main/0]).
main() -> P = spawn(fun() -> pong() end), ping(P, 0).
ping(P, N) -> P ! {self(), N}, receive N -> ping(P, N + 1) end.
pong() -> receive {From, N} -> From ! N, pong() end.
