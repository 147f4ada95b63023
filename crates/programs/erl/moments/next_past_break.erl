%% Two calls of a server that is written by hand.
-module(next_past_break).
-export([main/0]).
main() ->
    S = spawn(fun loop/0),
    ready,
    call(S, 1),
    call(S, 2).
call(S, N) -> S ! {self(), N}, receive {S, V} -> V end.
loop() -> receive {P, N} -> P ! {self(), serve(N)}, loop() end.
serve(N) ->
    N + 1.
