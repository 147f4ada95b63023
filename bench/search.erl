%% What searching and asking are measured on.
-module(search).
-export([senders/1, streams/1, update/1, calls/1]).

%% So many senders, one message each; the receiver takes them all: n! executions.
senders(N) ->
    Self = self(),
    [spawn(fun() -> Self ! I end) || I <- lists:seq(1, N)],
    [receive X -> X end || _ <- lists:seq(1, N)].

%% Two senders with so many messages each.
streams(K) ->
    Self = self(),
    [spawn(fun() -> [Self ! {S, I} || I <- lists:seq(1, K)] end) || S <- [a, b]],
    length([receive M -> M end || _ <- lists:seq(1, 2 * K)]).

%% Clients that read a server's number and write it back plus one: updates get lost.
update(N) ->
    Server = spawn(fun() -> server(0) end),
    Self = self(),
    [spawn(fun() -> client(Server), Self ! {done, I} end) || I <- lists:seq(1, N)],
    [receive {done, I} -> ok end || I <- lists:seq(1, N)],
    read(Server).

client(Server) -> Server ! {write, read(Server) + 1}.

read(Server) ->
    Server ! {read, self()},
    receive {value, V} -> V end.

server(V) ->
    receive
        {read, From} -> From ! {value, V}, server(V);
        {write, W} -> server(W)
    end.

%% A million calls for N = 28.
calls(N) when N < 2 -> N;
calls(N) -> calls(N - 1) + calls(N - 2).
