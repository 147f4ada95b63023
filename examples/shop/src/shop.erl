%% A shop with five floors, fifty shelves and customers, in which much can go wrong:
%%   crash()     the 7th customer asks for cheese, which no shelf has
%%   deadlock()  two shelves swap things with each other and wait for ever
%%   lost()      a receipt is sent that nobody takes
%%   total()     the ledger is wrong
-module(shop).
-export([crash/0, deadlock/0, lost/0, total/0]).

crash() ->
    open(),
    day(20, [cheese]).

total() ->
    open(),
    day(20, []),
    {total, shop_ledger:total()}.

deadlock() ->
    open(),
    Me = self(),
    spawn_link(fun() -> swapper(13, 31, Me) end),
    spawn_link(fun() -> swapper(31, 13, Me) end),
    [receive {swapped, Id} -> ok end || Id <- [13, 31]].

lost() ->
    open(),
    Me = self(),
    spawn_link(fun() -> customer(3, []), Me ! {recept, 3} end),
    receive {receipt, 3} -> ok after 1000 -> no_receipt end.

open() ->
    {ok, _} = application:ensure_all_started(shop),
    [shop_shelf:put(Id, Sku, 3) || Id <- lists:seq(1, 50), Sku <- [apple, bread, milk]].

day(Customers, Wanted) ->
    Started = [spawn_monitor(fun() -> customer(I, Wanted) end) || I <- lists:seq(1, Customers)],
    [receive {'DOWN', Ref, process, _, _} -> ok end || {_, Ref} <- Started].

%% Five things from five shelves; the 7th customer has a wish.
customer(I, Wanted) ->
    [{ok, _} = shop_shelf:take(shelf(I, K), sku(I, K)) || K <- lists:seq(1, 5)],
    [{ok, _} = shop_shelf:take(13, Wish) || Wish <- Wanted, I =:= 7],
    ok.

swapper(Id, Other, Shop) ->
    shop_shelf:swap(Id, Other, apple),
    Shop ! {swapped, Id}.

shelf(I, K) -> 1 + (I * 7 + K * 13) rem 50.
sku(I, K) -> lists:nth(1 + (I + K) rem 3, [apple, bread, milk]).
