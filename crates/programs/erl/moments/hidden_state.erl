%% A record, a table, a name, a message and a time-out in one process.
-module(hidden_state).
-export([main/0]).
-record(account, {owner, balance = 0}).
main() ->
    S = #account{owner = bob},
    ets:new(t, [named_table]), ets:insert(t, {a, S}),
    register(alice, spawn(fun() -> receive x -> ok end end)),
    alice ! x,
    receive after 5 -> ok end,
    D = whereis(alice),
    {S, D}.
