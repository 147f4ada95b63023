-module(endless).
-export([main/0]).

%% Two processes that never stop.
main() ->
    Self = self(),
    Other = spawn(fun() -> echo(Self) end),
    ping(Other, 0).

ping(Other, N) ->
    Other ! {ping, N},
    receive {pong, M} -> ping(Other, M + 1) end.

echo(To) ->
    receive {ping, N} -> To ! {pong, N}, echo(To) end.
