%% Nodes that end with the one that started them.
-module(slave).
-export([start/1, start/2, start/3, start/5, start_link/1, start_link/2, start_link/3, stop/1]).
-export([pseudo/1, pseudo/2, relay/1]).
-export([keeper/3]).

start(Host) -> start(Host, own_name()).
start(Host, Name) -> start(Host, Name, []).
start(Host, Name, Args) -> begun(Host, Name, Args, no_link).
start(Host, Name, Args, no_link, _Prog) -> begun(Host, Name, Args, no_link).

start_link(Host) -> start_link(Host, own_name()).
start_link(Host, Name) -> start_link(Host, Name, []).
start_link(Host, Name, Args) -> begun(Host, Name, Args, self()).

%% A node takes the name of its starter, if it is given none.
own_name() -> list_to_atom(hd(string:split(atom_to_list(node()), "@"))).

begun(_Host, _Name, _Args, _Link) when node() =:= nonode@nohost ->
    {error, not_alive};
begun(Host, Name, _Args, Link) ->
    Node = list_to_atom(lists:concat([Name, "@", Host])),
    case reverl_cluster:start(Node, visible) of
        {ok, Node} ->
            spawn(?MODULE, keeper, [self(), Node, Link]),
            {ok, Node};
        Error ->
            Error
    end.

%% A node that was started with a link ends when its starter does.
keeper(_, _, no_link) -> ok;
keeper(_, Node, Link) ->
    Ref = monitor(process, Link),
    monitor_node(Node, true),
    receive
        {'DOWN', Ref, _, _, _} -> reverl:stop_node(Node);
        {nodedown, Node} -> ok
    end.

stop(Node) ->
    reverl:stop_node(Node),
    ok.

pseudo([Master | Servers]) -> pseudo(Master, Servers).

pseudo(_, []) -> ok;
pseudo(Master, [Server | Servers]) ->
    case whereis(Server) of
        undefined ->
            Remote = rpc:call(Master, erlang, whereis, [Server]),
            register(Server, spawn(?MODULE, relay, [Remote]));
        _ ->
            ok
    end,
    pseudo(Master, Servers).

relay({badrpc, Reason}) -> exit(Reason);
relay(undefined) -> exit(undefined);
relay(Pid) ->
    receive
        Message -> Pid ! Message
    end,
    relay(Pid).
