%% What processes are told when the connection of two nodes is lost and comes back. They are started by
%% a third one. (The server of global names must not part more nodes than that: OTP's parameter
%% `prevent_overlapping_partitions` is false where this runs.)
-module(node_parting).
-export([main/0]).

main() ->
    {ok, _} = net_kernel:start(['a@localhost', shortnames]),
    {ok, B} = slave:start(localhost, b),
    {ok, C} = slave:start(localhost, c),
    Me = self(),
    spawn(B, fun() -> connected(C), Me ! {result, parted(C)} end),
    Parted = receive {result, Result} -> Result end,
    pang = net_adm:ping(nowhere@localhost),
    {Parted, rpc:call(nowhere@localhost, erlang, node, []), lists:sort(nodes())}.

%% Nodes that are started by one come to know each other a little later.
connected(Node) ->
    case lists:member(Node, nodes()) of
        true -> ok;
        false -> timer:sleep(10), connected(Node)
    end.

parted(C) ->
    ok = net_kernel:monitor_nodes(true),
    Me = self(),
    Linked = spawn(C, fun() ->
        process_flag(trap_exit, true),
        Me ! ready,
        receive {'EXIT', _, Why} -> kept(Why) end
    end),
    receive ready -> ok end,
    Plain = spawn(C, fun() -> receive after infinity -> ok end end),
    process_flag(trap_exit, true),
    link(Linked),
    Ref = monitor(process, Plain),
    Named = monitor(process, {nobody, C}),
    {'DOWN', Named, process, {nobody, C}, noproc} = receive {'DOWN', Named, _, _, _} = D -> D end,
    true = erlang:monitor_node(C, true),
    true = erlang:disconnect_node(C),
    First = [receive {'EXIT', Linked, Why} -> {linked, Why} end,
             receive {'DOWN', Ref, process, Plain, Reason} -> {watched, Reason} end,
             receive {nodedown, C} -> down end,
             receive {nodedown, C} -> down end,
             nodes()],
    Linked ! {self(), what},
    Second = [receive {told, Told} -> Told end, receive {nodeup, C} -> up end, lists:sort(nodes())],
    {First, Second}.

kept(Why) ->
    receive {From, what} -> From ! {told, Why} end.
