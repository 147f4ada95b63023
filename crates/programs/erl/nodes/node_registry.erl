%% Two nodes want to be the one that keeps a name on a third.
-module(node_registry).
-export([main/0, claim/2]).

main() ->
    {ok, _} = net_kernel:start(['a@localhost', shortnames]),
    {ok, B} = slave:start(localhost, b),
    {ok, C} = slave:start(localhost, c),
    {error, {already_running, B}} = slave:start(localhost, b),
    [spawn(Node, node_registry, claim, [self(), C]) || Node <- [node(), B]],
    Answers = [receive {claimed, Node, Answer} -> {Node, Answer} end || _ <- [1, 2]],
    1 = length([won || {_, true} <- Answers]),
    {keeper, C} ! stop,
    ok.

claim(To, On) ->
    Me = self(),
    spawn(On, fun() ->
        Won = try register(keeper, self()) catch error:badarg -> false end,
        Me ! {registered, Won},
        Won andalso receive stop -> ok end
    end),
    receive {registered, Won} -> To ! {claimed, node(), Won} end.
