%% What arrives right before a time-out: received before it, or there and not looked at.
-module(before_timeout).
-export([exits/0, downs/0, printed/0, busy/0]).

exits() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit(done) end),
    receive {'EXIT', P, done} -> ok end,
    receive after 1 -> ok end.

downs() ->
    {P, R} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', R, process, P, normal} -> ok end,
    receive after 1 -> ok end.

printed() ->
    io:format("printed~n"),
    receive after 1 -> ok end.

%% The sender is in a call of the system when its message is looked at.
busy() ->
    Me = self(),
    P = spawn(fun() -> send(Me, 300) end),
    L = [receive {m, N} -> N after 1 -> out end || _ <- lists:seq(1, 300)],
    exit(P, kill),
    erlang:display(erlang:phash2(L)).

send(_, 0) -> ok;
send(To, N) ->
    receive after 1 -> ok end,
    To ! {m, N},
    [is_process_alive(To) || _ <- lists:seq(1, 20)],
    send(To, N - 1).
