%% A server that has no more work when everything else has ended.
-module(idle_server).
-export([main/0]).

main() ->
    Server = spawn(fun() -> loop(0) end),
    Server ! {add, 1, self()},
    receive {sum, 1} -> ok end.

loop(Sum) ->
    receive
        {add, N, From} ->
            From ! {sum, Sum + N},
            loop(Sum + N)
    end.
