%% Paper 002, Example 2.1: a client asks a server two things, the first through a proxy.
-module(client_server).
-export([main/0, server/0, proxy/0]).

main() ->
    S = spawn(?MODULE, server, []),
    P = spawn(?MODULE, proxy, []),
    client(P, S).

server() ->
    receive
        {C, N} ->
            receive M -> C ! N + M end,
            server();
        _ ->
            error
    end.

proxy() ->
    receive {T, M} -> T ! M end,
    proxy().

client(P, S) ->
    P ! {S, {self(), 40}},
    S ! 2,
    receive N -> N end.
