%% A test that fails, beside one that passes: what is recorded of it opens at the assertion, in the
%% process of the test, and the way back to a breakpoint leads into the process that answered it.
-module(wrong_sum_tests).
-include_lib("eunit/include/eunit.hrl").
-export([served/1]).

right_test() ->
    ?assertEqual(3, sum([1, 2])).

wrong_test() ->
    Numbers = [1, 2, 3],
    ?assertEqual(6, sum(Numbers)).

sum(Numbers) ->
    Server = spawn_link(?MODULE, served, [self()]),
    Server ! {sum, Numbers},
    receive {Server, Sum} -> Sum end.

served(Client) ->
    receive {sum, Numbers} -> Client ! {self(), lists:sum(tl([0 | Numbers])) rem 4} end.
