%% Senders that each send twice; the receiver takes second messages only after first ones.
-module(fanin).
-export([main/0]).

main() ->
    Me = self(),
    start(4, Me),
    First = take(4, first, []),
    Second = take(4, second, []),
    {First, Second}.

start(0, _) -> ok;
start(N, Me) ->
    spawn(fun() -> Me ! {first, N}, Me ! {second, N} end),
    start(N - 1, Me).

take(0, _, L) -> L;
take(N, Tag, L) ->
    receive {Tag, X} -> take(N - 1, Tag, [X | L]) end.
