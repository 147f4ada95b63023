%% Value: {bye,ok}
-module(timer_by_name).
-export([main/0]).

t(F) -> try F() catch C:E -> {C, E} end.

main() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> receive stop -> ok end end),
    register(target, P),
    {ok, _} = timer:exit_after(100, target, bye),
    Exit = receive {'EXIT', P, R} -> R after 1000 -> none end,
    register(me, self()),
    Sent = t(fun() -> element(1, timer:send_after(0, {me, node()}, x)) end),
    {Exit, Sent}.
