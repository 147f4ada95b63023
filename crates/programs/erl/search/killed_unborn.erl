%% Two linked children end; the exit of either can come first.
-module(killed_unborn).
-export([main/0]).
main() ->
    process_flag(trap_exit, true),
    First = spawn_link(fun() -> ok end),
    Second = spawn_link(fun() -> ok end),
    receive {'EXIT', First, _} -> ok; {'EXIT', Second, _} -> exit(second_came_first) end.
