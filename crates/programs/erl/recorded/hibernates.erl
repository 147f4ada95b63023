%% A server that hibernates when it has nothing to do, and wakes up for what comes.
-module(hibernates).
-behaviour(gen_server).
-export([served/0, stopped/0]).
-export([init/1, handle_call/3, handle_cast/2]).

served() ->
    {ok, Server} = gen_server:start(?MODULE, [], [{hibernate_after, 5}]),
    Answers = [begin timer:sleep(Wait), gen_server:call(Server, next) end || Wait <- [40, 0, 40]],
    timer:sleep(40),
    gen_server:stop(Server),
    Answers.

stopped() ->
    {ok, Server} = gen_server:start_link(?MODULE, [], [{hibernate_after, 5}]),
    timer:sleep(40),
    unlink(Server),
    Ref = monitor(process, Server),
    exit(Server, kill),
    receive {'DOWN', Ref, process, Server, Why} -> Why end.

init([]) -> {ok, 0}.

handle_call(next, _From, N) -> {reply, N, N + 1}.

handle_cast(_, N) -> {noreply, N}.
