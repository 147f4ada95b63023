%% Two tests of EUnit, one of which depends on the order of two messages.
-module(eunit_tests).
-include_lib("eunit/include/eunit.hrl").
a_test() -> P = self(), spawn(fun() -> P ! a end), spawn(fun() -> P ! b end), ?assertEqual(a, receive X -> X end).
b_test() -> ?assertEqual(1, 1).
