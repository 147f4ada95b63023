%% A message to a process that has ended, and a timer that is still running at the end.
-module(lost_timer).
-export([main/0]).
main() ->
    P = spawn(fun() -> ok end),
    receive after 10 -> ok end,
    P ! late,
    erlang:send_after(1000, self(), tick),
    done.
