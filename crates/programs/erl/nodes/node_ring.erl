%% A token goes round a ring of nodes, twice; then a node is stopped, and who is linked to it ends.
-module(node_ring).
-export([main/0, station/1]).

main() ->
    {ok, _} = net_kernel:start(['a@localhost', shortnames]),
    process_flag(trap_exit, true),
    Nodes = [Node || Name <- [b, c, d], {ok, Node} <- [slave:start(localhost, Name)]],
    Last = lists:foldl(fun(Node, Next) -> spawn_link(Node, node_ring, station, [Next]) end, self(), Nodes),
    Rounds = [round(Last, N) || N <- [1, 2]],
    slave:stop(lists:nth(2, Nodes)),
    Ends = [receive {'EXIT', P, Why} -> {node(P), Why} end || _ <- [1, 2, 3]],
    {Rounds, lists:sort(Ends), nodes()}.

round(Last, N) ->
    Last ! {token, N, []},
    receive {token, N, Path} -> Path end.

station(Next) ->
    link(Next),
    relay(Next).

relay(Next) ->
    receive {token, N, Path} -> Next ! {token, N, [node() | Path]} end,
    relay(Next).
