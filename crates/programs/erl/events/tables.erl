%% Processes that share tables: counters in conflict, a heir, a gift, a name that comes and goes.
-module(tables).
-export([main/0]).

main() ->
    Me = self(),
    Table = ets:new(shared, [public, {heir, Me, gone}]),
    ets:insert(Table, [{count, 0}, {last, none}]),
    Workers = [spawn(fun() -> work(Table, N, Me) end) || N <- [1, 2, 3]],
    Owner = spawn(fun() -> own(Me) end),
    Seen = [receive {done, W, V} -> V end || W <- Workers],
    receive {'ETS-TRANSFER', stock, Owner, last_will} -> ok end,
    receive {'ETS-TRANSFER', Gift, Owner, Word} -> Word = ets:info(Gift, name) end,
    {ets:lookup(Table, count), length(Seen), ets:tab2list(stock), ets:info(gone)}.

work(Table, N, Report) ->
    V = ets:update_counter(Table, count, N),
    ets:insert(Table, {last, N}),
    persistent_term:put(N, V),
    Free = ets:insert_new(Table, {first, N}),
    Report ! {done, self(), {V, Free, ets:lookup(Table, last), persistent_term:get(1, none)}}.

own(Heir) ->
    stock = ets:new(stock, [named_table, bag, {heir, Heir, last_will}]),
    gone = ets:new(gone, [named_table, private]),
    ets:insert(stock, [{apple, 1}, {apple, 2}, {pear, 3}]),
    Gift = ets:new(gift, [ordered_set]),
    Array = atomics:new(2, []),
    atomics:add(Array, 1, 5),
    ets:give_away(Gift, Heir, gift),
    1 = ets:select_delete(stock, [{{'_', 3}, [], [true]}]).
