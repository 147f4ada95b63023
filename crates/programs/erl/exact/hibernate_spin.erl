%% Value: 0
-module(hibernate_spin).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

init(_) -> {ok, 0, hibernate}.
handle_call(get, _, S) -> {reply, S, S, hibernate}.
handle_cast(_, S) -> {noreply, S}.

main() ->
    {ok, P} = gen_server:start(?MODULE, [], []),
    gen_server:call(P, get),
    sys:suspend(P),
    timer:sleep(1000),
    sys:resume(P),
    gen_server:call(P, get).
