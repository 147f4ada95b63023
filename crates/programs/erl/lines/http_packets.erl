%% Sockets that take HTTP apart, line by line, in all their ways.
-module(http_packets).
-export([main/0]).

t(F) ->
    io:format("~0p~n", [try F() catch C:E -> {C, E} end]).

pair(Options) ->
    {ok, Listener} = gen_tcp:listen(0, [binary, {active, false} | Options]),
    {ok, Port} = inet:port(Listener),
    {ok, Client} = gen_tcp:connect("localhost", Port, [binary, {active, false}]),
    {ok, Server} = gen_tcp:accept(Listener),
    {Client, Server}.

main() ->
    Request = "POST /a?b HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nX-Own:  v\r\n\r\nbodyGET /next HTTP/1.0\r\n\r\n",
    {C1, S1} = pair([{packet, http}]),
    ok = gen_tcp:send(C1, Request),
    [t(fun() -> gen_tcp:recv(S1, 0, 1000) end) || _ <- lists:seq(1, 5)],
    ok = inet:setopts(S1, [{packet, raw}]),
    t(fun() -> gen_tcp:recv(S1, 4, 1000) end),
    ok = inet:setopts(S1, [{packet, http_bin}]),
    [t(fun() -> gen_tcp:recv(S1, 0, 1000) end) || _ <- [1, 2]],
    ok = gen_tcp:send(C1, "not http\r\nGET / HTTP/1.1\r\n"),
    [t(fun() -> gen_tcp:recv(S1, 0, 1000) end) || _ <- [1, 2]],
    t(fun() -> gen_tcp:recv(S1, 0, 20) end),
    gen_tcp:close(C1),
    t(fun() -> gen_tcp:recv(S1, 0, 1000) end),
    %% Active, with headers that come in pieces.
    {C2, S2} = pair([{packet, http_bin}]),
    ok = inet:setopts(S2, [{active, once}]),
    ok = gen_tcp:send(C2, "HTTP/1.1 200 O"),
    t(fun() -> receive {http, S2, X} -> X after 30 -> none end end),
    ok = gen_tcp:send(C2, "K\r\nServer: me\r\nX: 1\r\n"),
    t(fun() -> receive {http, S2, X} -> X after 1000 -> none end end),
    ok = inet:setopts(S2, [{active, true}]),
    t(fun() -> receive {http, S2, X} -> X after 1000 -> none end end),
    ok = gen_tcp:send(C2, " folded\r\n\r\n"),
    t(fun() -> receive {http, S2, X} -> X after 1000 -> none end end),
    t(fun() -> receive {http, S2, X} -> X after 1000 -> none end end),
    gen_tcp:close(C2),
    t(fun() -> receive {tcp_closed, S2} -> closed after 1000 -> none end end),
    %% Other packets, with a limit.
    {C3, S3} = pair([{packet, 4}, {packet_size, 10}]),
    ok = gen_tcp:send(C3, <<5:32, "abcde", 11:32, "too long.....">>),
    [t(fun() -> gen_tcp:recv(S3, 0, 1000) end) || _ <- [1, 2]],
    {C4, S4} = pair([{packet, tpkt}]),
    ok = gen_tcp:send(C4, <<3, 0, 0, 7, 1, 2, 3, 3, 0, 0, 4>>),
    [t(fun() -> gen_tcp:recv(S4, 0, 1000) end) || _ <- [1, 2]],
    %% The other end is closed first, then this one.
    gen_tcp:close(C4),
    t(fun() -> gen_tcp:recv(S4, 0, 1000) end),
    t(fun() -> gen_tcp:close(S4) end).
