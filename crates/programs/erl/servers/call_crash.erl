%% A server that crashes in a call while its client waits.
-module(call_crash).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
main() ->
    {ok, P} = gen_server:start(?MODULE, [], []),
    R = (catch gen_server:call(P, boom)),
    io:format("~p~n", [element(1, R)]),
    R.
init(_) -> {ok, 0}.
handle_call(boom, _, S) -> {reply, 1 / S, S}.
handle_cast(_, S) -> {noreply, S}.
