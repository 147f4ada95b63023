-module(quits).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Pid} = gen_server:start(?MODULE, [3], []),
    ok = gen_server:call(Pid, {take, 2}),
    catch gen_server:call(Pid, {take, 2}),
    {ok, Other} = gen_server:start(?MODULE, [3], []),
    gen_server:cast(Other, nonsense),
    timer:sleep(100).

init([N]) ->
    {ok, N}.

handle_call({take, N}, _From, Left) when N =< Left ->
    {reply, ok, Left - N};
handle_call({take, N}, _From, Left) ->
    Reason = {too_few, Left - N},
    {stop, Reason, {error, Reason}, Left}.

handle_cast(Other, Left) ->
    {stop, {unknown, Other}, Left}.

%% Two servers that end themselves, each with a reason that it returns.
