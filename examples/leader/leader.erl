%% Three nodes that elect a leader: the smallest of those that a node can reach. A node whose leader is
%% gone takes the next one. A client on a fourth node asks each of them for something.
%%
%% There is a bug: nobody asks whether those that can be reached are more than half. When the connection
%% of two nodes is cut, each of them has a leader of its own.
-module(leader).
-export([main/0, member/1]).

main() ->
    {ok, _} = net_kernel:start([client, shortnames]),
    Members = [spawn(started(Name), leader, member, [self()]) || Name <- [b, c, d]],
    [receive {ready, Member} -> ok after 2000 -> ok end || Member <- Members],
    [Member ! {order, N} || {Member, N} <- lists:zip(Members, [1, 2, 3])],
    Leaders = [receive {done, Leader} -> Leader after 2000 -> nobody end || _ <- Members],
    [Member ! stop || Member <- Members],
    case lists:usort(Leaders) -- [nobody] of
        [_] -> ok;
        [] -> nobody;
        Several -> exit({split_brain, Several})
    end.

started(Name) ->
    {ok, Node} = slave:start(localhost, Name),
    Node.

member(Client) ->
    ok = net_kernel:monitor_nodes(true),
    Client ! {ready, self()},
    serve(Client, elected(Client)).

%% Who leads, as far as this node can see.
elected(Client) -> lists:min([node() | nodes()] -- [node(Client)]).

serve(Client, Leader) ->
    receive
        {order, _} -> Client ! {done, Leader}, serve(Client, Leader);
        {nodedown, _} -> serve(Client, elected(Client));
        {nodeup, _} -> serve(Client, elected(Client));
        stop -> ok
    end.
