%% A process ends another by a link, and is monitored by a third.
-module(linked_end).
-export([main/0]).
main() ->
    {A, R} = spawn_monitor(fun() ->
        spawn_link(fun() -> receive never -> ok end end),
        exit(boom)
    end),
    receive {'DOWN', R, process, A, Why} -> Why end.
