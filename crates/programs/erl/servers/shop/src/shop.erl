%% An application of 50 servers under 6 supervisors, and 20 customers: one asks for what no shelf has, and a shelf crashes.
-module(shop).
-export([main/0, day/1]).
main() -> {ok, _} = application:ensure_all_started(shop), day(20).
day(Customers) ->
    Me = self(),
    [shop_shelf:put(Id, Sku, 3) || Id <- lists:seq(1, 50), Sku <- [apple, bread, milk]],
    Cs = [spawn_monitor(fun() -> customer(I), Me ! {done, I} end) || I <- lists:seq(1, Customers)],
    [receive {'DOWN', R, process, _, _} -> ok end || {_, R} <- Cs],
    io:format("sold for ~p~n", [shop_ledger:total()]),
    shop_ledger:total().
customer(I) ->
    [{ok, _} = shop_shelf:take(1 + (I * 7 + K * 13) rem 50, lists:nth(1 + (I + K) rem 3, [apple, bread, milk])) || K <- lists:seq(1, 5)],
    %% the 13th wants cheese, which no shelf has
    case I of 13 -> shop_shelf:take(13, cheese); _ -> ok end.
