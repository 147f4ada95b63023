-module(shop_tests).
-include_lib("eunit/include/eunit.hrl").

%% Twenty customers take five things each, and each costs 7.
busy_day_test() ->
    ?assertEqual({total, 700}, shop:total()).
