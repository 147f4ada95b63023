%% An application of one server, which ends the node after a few ticks.
-module(ticking).
-behaviour(gen_server).
-export([start/2, stop/1, init/1, handle_call/3, handle_cast/2, handle_info/2]).

start(_, _) -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).
stop(_) -> ok.

init([]) -> tick(0).

handle_call(_, _, N) -> {reply, N, N}.
handle_cast(_, N) -> {noreply, N}.

handle_info(tick, 20) ->
    io:format("twenty~n"),
    init:stop(),
    {noreply, 20};
handle_info(tick, N) ->
    {ok, Next} = tick(N + 1),
    {noreply, Next}.

tick(N) ->
    erlang:send_after(100, self(), tick),
    {ok, N}.
