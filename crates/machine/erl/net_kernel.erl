%% The distribution of a node whose connections are simulated: what OTP's module does with drivers
%% and sockets is done by the system here.
-module(net_kernel).
-export([start/1, start/2, stop/0, serve/0]).
-export([connect_node/1, hidden_connect_node/1, disconnect/1, async_disconnect/1, passive_cnct/1]).
-export([monitor_nodes/1, monitor_nodes/2, allow/1, allowed/0, longnames/0, nodename/0]).
-export([set_net_ticktime/1, set_net_ticktime/2, get_net_ticktime/0, get_state/0]).
-export([node_info/1, node_info/2, nodes_info/0, connecttime/0, verbose/1]).
-export([publish_on_node/1, epmd_module/0, kernel_apply/3, setopts/2, getopts/2]).

start([Name | _]) -> start(Name, #{}).

start(Name, Options) when is_atom(Name), is_map(Options) ->
    case whereis(net_kernel) of
        undefined ->
            reverl:name_node(reverl_cluster:name(Name)),
            reverl_kernel:need(net_kernel),
            {ok, whereis(net_kernel)};
        Server ->
            {error, {already_started, Server}}
    end;
start(Name, Options) ->
    error(badarg, [Name, Options]).

stop() ->
    case whereis(net_kernel) of
        undefined ->
            {error, not_found};
        Server ->
            [reverl:disconnect(Node) || Node <- nodes(connected)],
            exit(Server, kill),
            reverl:name_node(nonode@nohost),
            ok
    end.

%% Other nodes ask whether they may connect; everybody may.
serve() ->
    receive
        {'$gen_call', From, {is_auth, _}} -> gen:reply(From, yes);
        {'$gen_call', From, _} -> gen:reply(From, ignored);
        _ -> ok
    end,
    serve().

connect_node(Node) when Node =:= node() -> true;
connect_node(Node) when is_atom(Node) -> reverl:connect(Node).

hidden_connect_node(Node) -> connect_node(Node).
passive_cnct(Node) -> reverl:connect(Node) =:= true.
disconnect(Node) -> reverl:disconnect(Node).

async_disconnect(Node) ->
    reverl:disconnect(Node),
    ok.

monitor_nodes(On) -> monitor_nodes(On, []).

monitor_nodes(On, Options) when not is_boolean(On) ->
    error(badarg, [On, Options]);
monitor_nodes(On, Options) ->
    case watched(Options) of
        {ok, Type, Form} ->
            reverl:watch_nodes(On, Type, Form),
            ok;
        error ->
            {error, {unknown_options, Options}}
    end.

watched([]) -> {ok, visible, none};
watched(Options) when is_map(Options) ->
    case maps:get(node_type, Options, visible) of
        Type when Type =:= visible; Type =:= hidden; Type =:= all ->
            {ok, Type, Options};
        _ ->
            error
    end;
watched(Options) when is_list(Options) ->
    Known = fun({node_type, Type}) -> lists:member(Type, [visible, hidden, all]);
               (nodedown_reason) -> true;
               (connection_id) -> true;
               (_) -> false
            end,
    case lists:all(Known, Options) of
        true -> {ok, proplists:get_value(node_type, Options, visible), Options};
        false -> error
    end;
watched(_) -> error.

allow(Nodes) when is_list(Nodes) -> ok.
allowed() -> [].
longnames() -> if_alive(false).
nodename() -> if_alive(node()).

set_net_ticktime(_Time) -> unchanged.
set_net_ticktime(_Time, _Period) -> unchanged.
get_net_ticktime() -> if_alive(60).

get_state() ->
    case is_alive() of
        true -> #{started => dynamic, name => node(), name_type => static, name_domain => shortnames};
        false -> #{started => no}
    end.

if_alive(Value) ->
    case is_alive() of
        true -> Value;
        false -> ignored
    end.

node_info(Node) -> {ok, info(Node)}.

node_info(Node, Item) ->
    case lists:keyfind(Item, 1, info(Node)) of
        {_, Value} -> {ok, Value};
        false -> {error, bad_node}
    end.

nodes_info() -> {ok, [{Node, info(Node)} || Node <- nodes(connected)]}.

info(Node) ->
    case reverl:connection(Node) of
        {_, true} -> [{state, up}, {type, hidden}];
        {_, false} -> [{state, up}, {type, normal}];
        undefined -> []
    end.

connecttime() -> 7000.
verbose(_Level) -> ok.
publish_on_node(_Node) -> ok.
epmd_module() -> erl_epmd.
kernel_apply(M, F, A) -> apply(M, F, A).
setopts(_Nodes, _Options) -> ok.
getopts(_Node, _Options) -> {error, noconnection}.
