%% A process waits for the end of another.
-module(monitor_random).
-export([main/0]).
main() -> {_, M} = spawn_monitor(fun() -> ok end), receive {'DOWN', M, _, _, R} -> R end.
