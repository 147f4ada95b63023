%% One call of a server, which has the usual time to answer.
-module(call_timeout).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
init([]) -> {ok, 0}.
handle_call(_, _, V) -> {reply, V, V}.
handle_cast(_, V) -> {noreply, V}.
main() ->
    {ok, S} = gen_server:start_link(?MODULE, [], []),
    gen_server:call(S, x),
    gen_server:stop(S).
