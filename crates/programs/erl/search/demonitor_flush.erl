%% A monitor that is taken back together with what it may have sent.
-module(demonitor_flush).
-export([main/0]).
main() ->
    {_, M} = spawn_monitor(fun() -> ok end),
    demonitor(M, [flush]),
    ok.
