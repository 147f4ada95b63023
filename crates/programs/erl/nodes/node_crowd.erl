%% Processes on three nodes that do whatever a number tells them: all that ties nodes and processes
%% on them together.
-module(node_crowd).
-export([main/1]).

main(Seed) ->
    {ok, _} = net_kernel:start(['a@localhost', shortnames]),
    Nodes = [node() | [Node || Name <- [b, c], {ok, Node} <- [slave:start(localhost, Name)]]],
    Start = fun(I) ->
        Node = lists:nth(I rem 3 + 1, Nodes),
        spawn(Node, fun() -> receive {all, All} -> act(8, Seed * 31 + I, All, Nodes, []) end end)
    end,
    All = [Start(I) || I <- lists:seq(1, 5)],
    [P ! {all, [self() | All]} || P <- All],
    act(6, Seed * 31 + 7, All, Nodes, []).

act(0, _, _, _, Refs) -> Refs;
act(N, Last, All, Nodes, Refs) ->
    Number = (Last * 1103515245 + 12345) band 16#7fffffff,
    Other = lists:nth((Number bsr 8) rem length(All) + 1, All),
    Node = lists:nth((Number bsr 11) rem length(Nodes) + 1, Nodes),
    More = try op((Number bsr 16) rem 26, Other, Node, Number, {All, Nodes}, Refs) catch _:_ -> Refs end,
    act(N - 1, Number, All, Nodes, More).

name(Number) -> element((Number bsr 5) rem 2 + 1, {one, two}).

op(0, Other, _, N, _, Refs) -> Other ! {m, N rem 100}, Refs;
op(1, _, _, N, _, Refs) -> receive _ -> Refs after N rem 3 -> Refs end;
op(2, _, _, N, _, Refs) -> receive {m, X} when X rem 2 =:= 0 -> Refs after N rem 9 -> Refs end;
op(3, Other, _, _, _, Refs) -> [monitor(process, Other) | Refs];
op(4, _, Node, N, _, Refs) -> [monitor(process, {name(N), Node}) | Refs];
op(5, Other, _, _, _, [Ref | Refs]) -> Other ! {gone, demonitor(Ref, [info])}, Refs;
op(6, Other, _, _, _, Refs) -> link(Other), Refs;
op(7, Other, _, _, _, Refs) -> unlink(Other), Refs;
op(8, _, _, N, _, Refs) -> process_flag(trap_exit, N rem 3 > 0), Refs;
op(9, Other, _, N, _, Refs) -> exit(Other, element(N rem 4 + 1, {normal, boom, kill, bang})), Refs;
op(10, _, _, N, _, Refs) -> register(name(N), self()), Refs;
op(11, _, Node, N, _, Refs) -> {name(N), Node} ! {n, N rem 10}, Refs;
op(12, Other, _, N, _, Refs) -> Other ! {where, whereis(name(N)), registered()}, Refs;
op(13, Other, _, _, _, Refs) -> Other ! {nodes, node(), lists:sort(nodes())}, Refs;
op(14, _, Node, _, _, Refs) -> erlang:disconnect_node(Node), Refs;
op(15, Other, Node, _, _, Refs) -> Other ! {connected, net_kernel:connect_node(Node)}, Refs;
op(16, _, _, N, _, Refs) -> net_kernel:monitor_nodes(N rem 4 > 0), Refs;
op(17, _, Node, N, _, Refs) -> erlang:monitor_node(Node, N rem 4 > 0), Refs;
op(18, _, Node, N, {All, Nodes}, Refs) -> spawn(Node, fun() -> act(4, N + 1, All, Nodes, []) end), Refs;
op(19, _, Node, N, {All, Nodes}, Refs) -> spawn_link(Node, fun() -> act(4, N + 1, All, Nodes, []) end), Refs;
op(20, Other, Node, N, {All, Nodes}, Refs) ->
    {Child, Ref} = spawn_monitor(Node, fun() -> act(4, N + 1, [Other | All], Nodes, []) end),
    Other ! {child, node(Child)},
    [Ref | Refs];
op(21, Other, _, _, _, Refs) ->
    Ref = monitor(process, Other, [{alias, reply_demonitor}]),
    Other ! {ask, Ref},
    [Ref | Refs];
op(22, _, _, N, _, Refs) -> receive {ask, Ref} -> Ref ! {reply, Ref} after N rem 4 -> ok end, Refs;
op(23, Other, _, N, _, Refs) when N rem 3 =:= 0 -> Other ! {started, slave:start(localhost, element(N rem 3 + 1, {c, d, b}))}, Refs;
op(24, _, Node, N, _, Refs) when N rem 4 =:= 0, Node =/= 'a@localhost' -> slave:stop(Node), Refs;
op(25, Other, _, N, _, Refs) -> erlang:send_after(N rem 6, name(N), tick), Other ! {all, length(processes())}, Refs;
op(_, _, _, _, _, Refs) -> Refs.
