%% What a node is made of: a process that is there as long as the node, and the start of others.
-module(reverl_cluster).
-export([start/2, start/3, run/1, node/1, end_without/1, name/1, host/0]).

%% Starts a node, and comes back when it runs and is connected. One that is `bound` ends when it loses
%% the connection to the node that started it.
start(Name, Kind) -> start(Name, Kind, bound).

start(Name, Kind, Bond) ->
    case reverl:start_node(Name, {Kind, self(), Bond}) of
        {ok, _} ->
            receive
                {reverl_booted, Name} -> {ok, Name}
            after 32000 ->
                {error, timeout}
            end;
        Error ->
            Error
    end.

%% Several nodes that know nothing of each other, each with what it runs; the value is that of the
%% first one.
run([{First, Run} | Others]) ->
    {ok, _} = net_kernel:start([First, shortnames]),
    Started = [begin {ok, Node} = start(name(Name), visible, free), {Node, Fun} end || {Name, Fun} <- Others],
    [reverl:disconnect(Node) || {Node, _} <- Started],
    [reverl:begin_on(Node, Fun) || {Node, Fun} <- Started],
    Run().

%% The process of a node. Its end is the end of the node, and what happens to its connections from
%% outside is an answer that it is given.
node({_Kind, Starter, Bond}) ->
    boot(),
    Starter ! {reverl_booted, erlang:node()},
    Bond =:= bound andalso spawn(?MODULE, end_without, [erlang:node(Starter)]),
    fate().

%% Ends the node when the connection to another one is lost.
end_without(Node) ->
    monitor_node(Node, true),
    receive
        {nodedown, Node} -> halt()
    end.

boot() ->
    register(reverl_kernel, spawn(reverl_kernel, run, [])),
    register(net_kernel, spawn(net_kernel, serve, [])),
    reverl:has_global() andalso reverl_kernel:need(global_name_server).

fate() ->
    reverl:fate(),
    fate().

%% The whole name of a node. There is one host.
name(Name) when is_atom(Name) -> name(atom_to_list(Name));
name(Name) ->
    case lists:member($@, Name) of
        true -> list_to_atom(Name);
        false -> list_to_atom(Name ++ "@" ++ host())
    end.

host() -> "localhost".
