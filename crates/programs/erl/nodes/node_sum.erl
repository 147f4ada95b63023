%% A sum over nodes: each adds up a part.
-module(node_sum).
-export([main/0, part/2]).

main() ->
    {ok, _} = net_kernel:start(['a@localhost', shortnames]),
    Nodes = [node() | [started(Name) || Name <- [b, c, d]]],
    Parts = lists:zip(Nodes, [{1, 25}, {26, 50}, {51, 75}, {76, 100}]),
    [spawn_link(Node, node_sum, part, [self(), Part]) || {Node, Part} <- Parts],
    lists:sum([receive {sum, Sum} -> Sum end || _ <- Parts]).

started(Name) ->
    {ok, Node} = slave:start(localhost, Name),
    Node.

part(To, {From, Until}) -> To ! {sum, lists:sum(lists:seq(From, Until))}.
