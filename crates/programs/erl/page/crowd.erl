-module(crowd).
-export([main/2]).

%% Processes that each send a server some numbers: Processes * Messages receives.
main(Processes, Messages) ->
    Self = self(),
    Server = spawn(fun() -> server(Processes * Messages, 0, Self) end),
    [spawn(fun() -> client(Server, Messages) end) || _ <- lists:seq(1, Processes)],
    receive {total, Total} -> Total end.

client(_, 0) -> ok;
client(Server, N) ->
    Server ! {add, N},
    client(Server, N - 1).

server(0, Total, Main) -> Main ! {total, Total};
server(Left, Total, Main) ->
    receive {add, N} -> server(Left - 1, Total + N, Main) end.
