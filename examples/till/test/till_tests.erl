-module(till_tests).
-include_lib("eunit/include/eunit.hrl").

no_coin_is_lost_test() ->
    {ok, _} = application:ensure_all_started(till),
    ?assertEqual(100, till:day(4, 25)).
