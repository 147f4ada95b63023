%% A client asks a server two things: the first through a proxy, the second directly.
%% The server expects them in that order. Nothing guarantees it.
-module(proxy).
-export([main/0]).

main() ->
    Server = spawn(fun() -> server() end),
    Proxy = spawn(fun() -> proxy() end),
    client(Proxy, Server).

client(Proxy, Server) ->
    Proxy ! {Server, {self(), 40}},
    Server ! 2,
    receive
        Sum -> Sum
    end.

proxy() ->
    receive
        {To, Message} ->
            To ! Message,
            proxy()
    end.

server() ->
    receive
        {Client, N} ->
            receive
                M -> Client ! N + M
            end,
            server();
        _ ->
            error(unexpected_order)
    end.
