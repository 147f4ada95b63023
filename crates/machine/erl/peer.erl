%% Nodes that a program starts. OTP's module starts a program of the operating system; here a node of
%% the same system begins.
-module(peer).
-export([start/0, start/1, start_link/0, start_link/1, stop/1, get_state/1]).
-export([call/4, call/5, cast/4, send/3, random_name/0, random_name/1]).
-export([control/3]).

start() -> start(#{name => random_name()}).
start(Options) -> started(spawn(?MODULE, control, [self(), Options, stay]), Options).

start_link() -> start_link(#{name => random_name()}).
start_link(Options) -> started(spawn_link(?MODULE, control, [self(), Options, linked]), Options).

started(Pid, Options) ->
    Ref = monitor(process, Pid),
    receive
        {peer_started, Pid, {ok, Node}} ->
            demonitor(Ref, [flush]),
            booted(Pid, Node, Options);
        {peer_started, Pid, Error} ->
            demonitor(Ref, [flush]),
            unlink(Pid),
            Error
    end.

booted(Pid, Node, #{wait_boot := {To, Tag}}) ->
    To ! {Tag, {started, Node, Pid}},
    {ok, Pid};
booted(Pid, _, #{wait_boot := false}) -> {ok, Pid};
booted(Pid, Node, #{name := _}) -> {ok, Pid, Node};
booted(Pid, _, _) -> {ok, Pid}.

%% The process that stands for the node: the node ends with it, and it with the node.
control(Parent, Options, Tie) ->
    process_flag(trap_exit, Tie =:= linked),
    Name = reverl_cluster:name(case Options of #{name := Given} -> Given; _ -> random_name() end),
    case reverl_cluster:start(Name, kind(maps:get(args, Options, []))) of
        {ok, Node} ->
            monitor_node(Node, true),
            Parent ! {peer_started, self(), {ok, Node}},
            serve(Parent, Node, maps:get(peer_down, Options, stop));
        {error, not_alive} ->
            Parent ! {peer_started, self(), {error, not_alive}};
        {error, timeout} ->
            Parent ! {peer_started, self(), {error, timeout}};
        {error, {already_running, _}} ->
            Parent ! {peer_started, self(), {error, {boot_failed, {exit_status, 1}}}}
    end.

kind(Args) ->
    case lists:member("-hidden", Args) of
        true -> hidden;
        false -> visible
    end.

serve(Parent, Node, Down) ->
    receive
        {'$gen_call', From, stop} ->
            monitor_node(Node, false),
            reverl:stop_node(Node),
            gen:reply(From, ok);
        {'$gen_call', From, get_state} ->
            gen:reply(From, running),
            serve(Parent, Node, Down);
        {'$gen_call', From, {call, M, F, A}} ->
            spawn(Node, fun() -> gen:reply(From, outcome(M, F, A)) end),
            serve(Parent, Node, Down);
        {cast, M, F, A} ->
            spawn(Node, M, F, A),
            serve(Parent, Node, Down);
        {send, To, Message} ->
            spawn(Node, fun() -> To ! Message end),
            serve(Parent, Node, Down);
        {nodedown, Node} when Down =:= crash ->
            exit({nodedown, Node});
        {nodedown, Node} ->
            ok;
        {'EXIT', Parent, Reason} ->
            reverl:stop_node(Node),
            exit(Reason);
        _ ->
            serve(Parent, Node, Down)
    end.

outcome(M, F, A) ->
    try {ok, apply(M, F, A)}
    catch Class:Reason:Trace -> {Class, Reason, Trace}
    end.

stop(Pid) ->
    {ok, ok} = gen:call(Pid, '$gen_call', stop, infinity),
    ok.

get_state(Pid) ->
    {ok, State} = gen:call(Pid, '$gen_call', get_state, infinity),
    State.

call(Pid, M, F, A) -> call(Pid, M, F, A, 5000).

call(Pid, M, F, A, Timeout) ->
    case gen:call(Pid, '$gen_call', {call, M, F, A}, Timeout) of
        {ok, {ok, Value}} -> Value;
        {ok, {Class, Reason, Trace}} -> erlang:raise(Class, Reason, Trace)
    end.

cast(Pid, M, F, A) ->
    Pid ! {cast, M, F, A},
    ok.

send(Pid, To, Message) ->
    Pid ! {send, To, Message},
    ok.

random_name() -> random_name(?MODULE).

random_name(Prefix) when is_atom(Prefix) -> random_name(atom_to_list(Prefix));
random_name(Prefix) ->
    lists:concat([Prefix, "-", integer_to_list(erlang:unique_integer([positive]), 36), "-1"]).
