%% A long run in which little has to do with the process that crashes.
-module(long_run).
-export([alone/1, all/1]).

%% The crash has nothing to do with those that talk.
alone(Talks) ->
    Talking = [spawn_monitor(fun() -> talk(Talks) end) || _ <- lists:seq(1, 4)],
    crash(fun() -> ok end),
    wait(Talking).

%% It comes after all that was said.
all(Talks) ->
    Talking = [spawn_monitor(fun() -> talk(Talks) end) || _ <- lists:seq(1, 4)],
    crash(fun() -> wait(Talking), ok end).

crash(Before) ->
    Adder = spawn(fun adder/0),
    Before(),
    {Pid, Ref} = spawn_monitor(fun() -> one_too_few(Adder, 50) end),
    receive {'DOWN', Ref, process, Pid, _} -> ok end.

one_too_few(Adder, 0) ->
    Sum = ask(Adder, 1),
    Sum = 1;
one_too_few(Adder, N) ->
    ask(Adder, N),
    one_too_few(Adder, N - 1).

ask(Adder, N) ->
    Adder ! {self(), N},
    receive {sum, Sum} -> Sum end.

adder() ->
    receive {From, N} -> From ! {sum, N + 1}, adder() end.

talk(N) ->
    Me = self(),
    Other = spawn_link(fun() -> answer(Me) end),
    [begin Other ! ping, receive pong -> ok end end || _ <- lists:seq(1, N)],
    Other ! stop.

answer(To) ->
    receive ping -> To ! pong, answer(To); stop -> ok end.

wait(Processes) ->
    [receive {'DOWN', Ref, process, _, _} -> ok end || {_, Ref} <- Processes].
