%% Processes that are ended by others while there are messages in their mailbox that they never
%% received.
-module(unread_at_end).
-export([linked/0, killed/0, sending/0, asking/0, late_links/0, suspended/0]).

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

%% Processes that are killed while they send: what they had not sent yet never comes.
sending() -> [sent_before_end() || _ <- lists:seq(1, 200)].

sent_before_end() ->
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() ->
        receive go -> ok end,
        [Self ! {self(), N} || N <- lists:seq(1, 200)],
        receive never -> ok end
    end),
    Pid ! go,
    receive {Pid, 1} -> ok end,
    Pid ! more,
    exit(Pid, kill),
    receive {'DOWN', Ref, process, Pid, killed} -> ok end,
    count(Pid, 1).

count(Pid, N) ->
    receive {Pid, _} -> count(Pid, N + 1) after 0 -> N end.

%% Processes that are killed while they ask the system.
asking() ->
    [begin
        {Pid, Ref} = spawn_monitor(fun ask/0),
        exit(Pid, kill),
        receive {'DOWN', Ref, process, Pid, killed} -> ok end
     end || _ <- lists:seq(1, 50)],
    ok.

ask() -> put(asked, make_ref()), ask().

%% Links to processes that may have ended before.
late_links() ->
    process_flag(trap_exit, true),
    [begin
        Pid = spawn(fun() -> exit(done) end),
        N rem 2 =:= 0 andalso erlang:yield(),
        link(Pid),
        receive {'EXIT', Pid, Reason} -> Reason end
     end || N <- lists:seq(1, 300)].

stop_linked(_) -> exit(shutdown).

stop_killed(Server) -> unlink(Server), exit(Server, kill).

serve(Sum) ->
    receive
        {From, N} ->
            From ! {self(), N},
            serve(Sum + N)
    end.

%% With the message it would end well, but a signal comes before it looks.
suspended() ->
    {Parent, Ref} = spawn_monitor(fun() ->
        Child = spawn_link(fun() -> receive stop -> ok end end),
        erlang:suspend_process(Child),
        Child ! stop,
        exit(oops)
    end),
    receive {'DOWN', Ref, process, Parent, oops} -> ok end.
