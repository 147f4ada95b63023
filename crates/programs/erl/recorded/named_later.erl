%% A node that is given a name and loses it again: what `node()` says decides what happens.
-module(named_later).
-export([main/0]).

main() ->
    Name = list_to_atom("reverl_later_" ++ os:getpid()),
    os:cmd("epmd -daemon"),
    acts(),
    {ok, _} = net_kernel:start([Name, shortnames]),
    acts(),
    ok = net_kernel:stop(),
    acts().

acts() ->
    case node() of
        nonode@nohost -> erlang:unique_integer();
        Node when Node =:= node(self()) -> erlang:make_ref()
    end.
