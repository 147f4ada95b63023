%% A correct server with one cast and one call.
-module(infinity_server).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
init(N) -> {ok, N}.
handle_call(get, _, N) -> {reply, N, N}.
handle_cast({add, K}, N) -> {noreply, N + K}.
main() ->
    {ok, S} = gen_server:start_link(?MODULE, 0, []),
    gen_server:cast(S, {add, 1}),
    gen_server:call(S, get).
