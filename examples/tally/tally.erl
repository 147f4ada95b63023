%% Two workers count in a shared table: each looks the number up and writes it back plus one.
%% Mostly the result is 2.
-module(tally).
-export([main/0]).

main() ->
    Table = ets:new(tally, [public]),
    ets:insert(Table, {count, 0}),
    Workers = [spawn_monitor(fun() -> count(Table) end) || _ <- [1, 2]],
    [receive {'DOWN', Ref, process, Pid, _} -> ok end || {Pid, Ref} <- Workers],
    2 = ets:lookup_element(Table, count, 2).

count(Table) ->
    [{count, N}] = ets:lookup(Table, count),
    ets:insert(Table, {count, N + 1}).
