%% Nodes of Common Test suites.
-module(ct_slave).
-export([start/1, start/2, start/3, stop/1, stop/2]).

start(Node) -> start(list_to_atom(reverl_cluster:host()), Node, []).

start(Node, Options) when is_list(Options) -> start(list_to_atom(reverl_cluster:host()), Node, Options);
start(Host, Node) -> start(Host, Node, []).

start(_Host, Name, Options) ->
    case reverl_cluster:start(reverl_cluster:name(Name), visible) of
        {ok, Node} ->
            [rpc:call(Node, M, F, A) || {M, F, A} <- proplists:get_value(startup_functions, Options, [])],
            {ok, Node};
        {error, {already_running, Node}} ->
            {error, started_not_connected, Node};
        {error, not_alive} ->
            {error, not_alive, reverl_cluster:name(Name)}
    end.

stop(Name) ->
    Node = reverl_cluster:name(Name),
    case reverl:stop_node(Node) of
        true -> {ok, Node};
        false -> {error, not_started, Node}
    end.

stop(_Host, Name) -> stop(Name).
