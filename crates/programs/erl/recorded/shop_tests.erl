%% Tests of a shop, of which the second fails.
-module(shop_tests).
-include_lib("eunit/include/eunit.hrl").

one_test() ->
    {ok, P} = shop:start(),
    shop:buy(P, 1),
    ?assertEqual(9, shop:stock(P)).

two_test() ->
    {ok, P} = shop:start(),
    Me = self(),
    [spawn(fun() -> shop:buy(P, 1), Me ! done end) || _ <- [1, 2]],
    receive done -> ok end,
    receive done -> ok end,
    ?assertEqual(8, shop:stock(P)).
