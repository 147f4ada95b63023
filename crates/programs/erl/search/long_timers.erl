%% Timers that fire only if all else fails: an exit signal that is on its way, or a wait that is
%% shorter, comes before them.
-module(long_timers).
-export([shutdown/0, shorter/0]).

%% As a supervisor ends a child.
shutdown() ->
    Child = spawn(fun() -> receive never -> ok end end),
    Ref = monitor(process, Child),
    exit(Child, shutdown),
    Timer = erlang:start_timer(5000, self(), kill),
    receive
        {'DOWN', Ref, process, Child, Why} -> Why;
        {timeout, Timer, kill} -> too_late
    end.

shorter() ->
    Me = self(),
    spawn(fun() -> receive after 2000 -> Me ! waited end end),
    erlang:send_after(5000, self(), fired),
    receive First -> First end.
