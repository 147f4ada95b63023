%% In the place of OTP's functions: whether a node can be reached is known without asking it.
-module(net_adm).

ping(Node) when is_atom(Node), Node =:= node() ->
    case is_alive() of
        true -> pong;
        false -> pang
    end;
ping(Node) when is_atom(Node) ->
    case reverl:connect(Node) of
        true -> pong;
        _ -> pang
    end.

localhost() -> reverl_cluster:host().

names() -> {ok, [{hd(string:split(atom_to_list(Node), "@")), 0} || Node <- [node() | nodes()], is_alive()]}.

names(_Host) -> names().
