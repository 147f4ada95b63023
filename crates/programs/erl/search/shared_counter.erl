%% A counter that two processes can add to at once, with its tests: some hold in every execution,
%% some only in most.
-module(shared_counter).
-behaviour(gen_server).
-include_lib("eunit/include/eunit.hrl").
-export([main/0, start_link/0, value/1, set/2, add/1]).
-export([init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Counter} = start_link(),
    two_add(Counter),
    value(Counter).

start_link() -> gen_server:start_link(?MODULE, [], []).
value(Counter) -> gen_server:call(Counter, value).
set(Counter, Value) -> gen_server:call(Counter, {set, Value}).

%% The value may change between the two calls.
add(Counter) -> set(Counter, value(Counter) + 1).

init([]) -> {ok, 0}.
handle_call(value, _, Value) -> {reply, Value, Value};
handle_call({set, Value}, _, _) -> {reply, ok, Value}.
handle_cast(_, Value) -> {noreply, Value}.

plain_test() -> ?assertEqual(3, 1 + 2).

order_test() ->
    Me = self(),
    [spawn(fun() -> Me ! Letter end) || Letter <- [a, b]],
    ?assertEqual(a, receive Letter -> Letter end),
    receive b -> ok end.

adding_test_() ->
    {setup,
     fun() -> {ok, Counter} = start_link(), Counter end,
     fun(Counter) -> unlink(Counter), exit(Counter, kill) end,
     fun(Counter) ->
         [{"one adds", fun() -> add(Counter), ?assertEqual(1, value(Counter)) end},
          {"two add", fun() -> two_add(Counter), ?assertEqual(2, value(Counter)) end}]
     end}.

two_add(Counter) ->
    Adders = [spawn_monitor(fun() -> add(Counter) end) || _ <- [1, 2]],
    [receive {'DOWN', Ref, process, _, _} -> ok end || {_, Ref} <- Adders].
