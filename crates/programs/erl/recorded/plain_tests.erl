%% A test that sends and receives.
-module(plain_tests).
-include_lib("eunit/include/eunit.hrl").

one_test() ->
    S = self(),
    spawn(fun() -> S ! hello end),
    ?assertEqual(hello, receive X -> X end).
