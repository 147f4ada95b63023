%% Processes that are ended by others while there are messages in their mailbox that they never
%% received.
-module(unread_at_end).
-export([linked/0, killed/0]).

linked() -> [once(fun stop_linked/1) || _ <- lists:seq(1, 300)], ok.

killed() -> [once(fun stop_killed/1) || _ <- lists:seq(1, 300)], ok.

%% The exit signal is right behind the messages.
once(Stop) ->
    Self = self(),
    {Helper, Ref} = spawn_monitor(fun() ->
        Server = spawn_link(fun() -> serve(0) end),
        Server ! {self(), 1},
        receive {Server, 1} -> ok end,
        Self ! {server, Server},
        [Server ! {self(), N} || N <- [2, 3, 4]],
        Stop(Server)
    end),
    Server = receive {server, S} -> S end,
    Gone = monitor(process, Server),
    receive {'DOWN', Ref, process, Helper, _} -> ok end,
    receive {'DOWN', Gone, process, Server, _} -> ok end.

stop_linked(_) -> exit(shutdown).

stop_killed(Server) -> unlink(Server), exit(Server, kill).

serve(Sum) ->
    receive
        {From, N} ->
            From ! {self(), N},
            serve(Sum + N)
    end.
