%% Links, exits, monitors, names and flags.
-module(links).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    A = spawn_link(fun() -> register(worker, self()), receive stop -> exit(stopped) end end),
    {B, Ref} = spawn_monitor(fun() -> receive X -> exit({got, X}) end end),
    C = spawn(fun() -> link(A), receive never -> ok end end),
    B ! hello,
    Down = receive {'DOWN', Ref, process, B, Why} -> Why end,
    A ! stop,
    Exit = receive {'EXIT', A, Reason} -> Reason end,
    {Down, Exit, is_pid(C)}.
