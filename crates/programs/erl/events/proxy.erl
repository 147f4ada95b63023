%% A server, a proxy in front of it, and a client that talks to both: the messages race.
-module(proxy).
-export([main/0]).

main() ->
    Server = spawn(fun() -> server([]) end),
    Proxy = spawn(fun() -> proxy(Server) end),
    Proxy ! {Server, {add, 1}},
    Server ! {add, 2},
    Proxy ! {Server, {add, 3}},
    Server ! {get, self()},
    receive {value, L} -> L end.

proxy(Server) ->
    receive {To, Message} -> To ! Message, proxy(Server) end.

server(L) ->
    receive
        {add, X} -> server([X | L]);
        {get, From} -> From ! {value, L}, server(L)
    end.
