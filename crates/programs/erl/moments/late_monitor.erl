%% A monitor of a process that has ended long before.
-module(late_monitor).
-export([main/0]).
main() ->
    P = spawn(fun() -> ok end),
    timer:sleep(1), [erlang:monotonic_time() || _ <- lists:seq(1, 10)],
    R = monitor(process, P), receive {'DOWN', R, process, P, Why} -> Why end.
