%% Value: {[0,3,2,1],[0,1,2],[2,1],[0,1,2,1],true,{badarg,badarg}}
%% A list goes into a bag from its end; an heir stays the heir; the end of a table is no key.
-module(ets_order).
-export([main/0]).

inserted(Kind, Values) ->
    T = ets:new(t, [Kind]),
    ets:insert(T, {k, 0}),
    ets:insert(T, [{k, V} || V <- Values]),
    [V || {k, V} <- ets:lookup(T, k)].

new(Values) ->
    T = ets:new(t, [bag]),
    true = ets:insert_new(T, [{k, V} || V <- Values]),
    [V || {k, V} <- ets:lookup(T, k)].

heir() ->
    Self = self(),
    spawn(fun() -> ets:new(h, [{heir, Self, data}]) end),
    receive {'ETS-TRANSFER', T, _, data} -> ets:info(T, heir) =:= Self end.

caught(F) -> try F() catch error:Reason -> Reason end.

main() ->
    O = ets:new(o, [ordered_set]),
    {inserted(bag, [1, 2, 3]), inserted(bag, [1, 2, 1, 0]), new([1, 2]),
     inserted(duplicate_bag, [1, 2, 1]), heir(),
     {caught(fun() -> ets:next(O, '$end_of_table') end),
      caught(fun() -> ets:prev(O, '$end_of_table') end)}}.
