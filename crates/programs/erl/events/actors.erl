%% Processes that do whatever a number tells them: everything that ties processes together.
-module(actors).
-export([main/1]).

main(Seed) ->
    ets:new(shared, [named_table, public]),
    Start = fun(I) -> spawn(fun() -> receive {all, All} -> act(10, Seed * 31 + I, All, []) end end) end,
    All = [Start(I) || I <- lists:seq(1, 4)],
    [P ! {all, [self() | All]} || P <- All],
    act(8, Seed * 31 + 7, All, []).

act(0, _, _, Refs) -> Refs;
act(N, Last, All, Refs) ->
    Number = (Last * 1103515245 + 12345) band 16#7fffffff,
    Other = lists:nth((Number bsr 8) rem length(All) + 1, All),
    More = try op((Number bsr 16) rem 27, Other, Number, All, Refs) catch _:_ -> Refs end,
    act(N - 1, Number, All, More).

name(Number) -> element((Number bsr 5) rem 2 + 1, {one, two}).

op(0, Other, N, _, Refs) -> Other ! {m, N rem 100}, Refs;
op(1, _, N, _, Refs) -> receive _ -> Refs after N rem 3 -> Refs end;
op(2, _, N, _, Refs) -> receive {m, X} when X rem 2 =:= 0 -> Refs after N rem 9 -> Refs end;
op(3, Other, _, _, Refs) -> [{mon, monitor(process, Other)} | Refs];
op(4, Other, N, _, Refs) -> [{mon, monitor(process, name(N))}, {mon, monitor(process, Other)} | Refs];
op(5, Other, _, _, [{mon, Ref} | Refs]) -> Other ! {gone, demonitor(Ref, [info])}, Refs;
op(6, Other, _, _, [{mon, Ref} | Refs]) -> Other ! {gone, demonitor(Ref, [flush])}, Refs;
op(7, Other, _, _, Refs) -> link(Other), Refs;
op(8, Other, _, _, Refs) -> unlink(Other), Refs;
op(9, _, N, _, Refs) -> process_flag(trap_exit, N rem 3 > 0), Refs;
op(10, Other, N, _, Refs) -> exit(Other, element(N rem 4 + 1, {normal, boom, kill, bang})), Refs;
op(11, Other, N, _, Refs) -> register(name(N), Other), Refs;
op(12, _, N, _, Refs) -> name(N) ! {n, N rem 10}, Refs;
op(13, _, N, _, Refs) -> unregister(name(N)), Refs;
op(14, Other, N, _, Refs) -> Other ! {where, whereis(name(N))}, Refs;
op(15, Other, N, _, Refs) -> [{timer, erlang:send_after(N rem 6, Other, tick)} | Refs];
op(16, _, N, _, Refs) -> [{timer, erlang:start_timer(N rem 6, name(N), tock)} | Refs];
op(17, Other, _, _, [{timer, Ref} | Refs]) -> Other ! {left, erlang:cancel_timer(Ref)}, Refs;
op(18, Other, _, _, [{timer, Ref} | _] = Refs) -> Other ! {left, erlang:read_timer(Ref)}, Refs;
op(19, _, N, All, Refs) -> spawn(fun() -> act(5, N + 1, All, []) end), Refs;
op(20, _, N, All, Refs) -> spawn_link(fun() -> act(5, N + 1, All, []) end), Refs;
op(21, Other, N, All, Refs) ->
    {Child, Ref} = spawn_monitor(fun() -> act(4, N + 1, [Other | All], []) end),
    Other ! {child, Child},
    [{mon, Ref} | Refs];
op(22, Other, _, _, Refs) ->
    Ref = monitor(process, Other, [{alias, reply_demonitor}]),
    Other ! {ask, Ref},
    [{mon, Ref} | Refs];
op(23, _, N, _, Refs) -> receive {ask, Ref} -> Ref ! {reply, Ref} after N rem 4 -> ok end, Refs;
op(24, Other, _, _, Refs) -> Other ! {alive, is_process_alive(Other)}, Refs;
op(25, Other, N, _, Refs) ->
    ets:insert(shared, {N rem 3, self()}),
    Other ! {found, ets:lookup(shared, (N bsr 3) rem 3)},
    Refs;
op(26, Other, _, _, Refs) -> Other ! {all, length(processes()), registered()}, Refs;
op(_, _, _, _, Refs) -> Refs.
