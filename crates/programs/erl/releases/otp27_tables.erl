%% Functions of ets that came with OTP 26 and 27, and that OTP's own modules call.
-module(otp27_tables).
-export([main/0]).

main() ->
    Ordered = table(ordered_set),
    Bag = table(duplicate_bag),
    {[ets:lookup_element(Ordered, c, 2, none), ets:lookup_element(Ordered, a, 2, none),
      ets:lookup_element(Bag, a, 2, none), fails(fun() -> ets:lookup_element(Ordered, c, 0, none) end)],
     [ets:first_lookup(Ordered), ets:next_lookup(Ordered, a), ets:next_lookup(Ordered, b),
      ets:last_lookup(Ordered), ets:prev_lookup(Ordered, b), ets:prev_lookup(Ordered, a)],
     [ets:update_element(Ordered, c, {2, 3}, {z, 0}), ets:update_element(Ordered, a, {2, 9}, {z, 0}),
      fails(fun() -> ets:update_element(Ordered, d, {2, 3}, {z}) end),
      fails(fun() -> ets:update_element(Ordered, d, {2, 3}, z) end), ets:tab2list(Ordered)],
     ets:foldl(fun({_, N}, Sum) -> N + Sum end, 0, Ordered)}.

table(Type) ->
    Table = ets:new(table, [Type]),
    true = ets:insert(Table, [{a, 1}, {b, 2}]),
    Table.

fails(Fun) ->
    try Fun() catch error:Reason -> Reason end.
