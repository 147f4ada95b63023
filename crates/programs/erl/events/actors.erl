%% Processes that do whatever a number tells them: everything that ties processes together.
-module(actors).
-export([main/1]).

main(Seed) ->
    ets:new(shared, [named_table, public]),
    ets:new(sorted, [named_table, public, ordered_set]),
    persistent_term:put(words, {atomics:new(2, []), counters:new(2, [])}),
    Start = fun(I) -> spawn(fun() -> receive {all, All} -> act(10, Seed * 31 + I, All, []) end end) end,
    All = [Start(I) || I <- lists:seq(1, 4)],
    [P ! {all, [self() | All]} || P <- All],
    act(8, Seed * 31 + 7, All, []).

act(0, _, _, Refs) -> Refs;
act(N, Last, All, Refs) ->
    Number = (Last * 1103515245 + 12345) band 16#7fffffff,
    Other = lists:nth((Number bsr 8) rem length(All) + 1, All),
    More = try op((Number bsr 16) rem 47, Other, Number, All, Refs) catch _:_ -> Refs end,
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
op(27, Other, N, _, Refs) -> Other ! {new, ets:insert_new(shared, {N rem 3, N})}, Refs;
op(28, Other, N, _, Refs) -> Other ! {taken, ets:take(shared, N rem 3)}, Refs;
op(29, Other, _, _, Refs) -> Other ! {all, lists:sort(ets:tab2list(shared)), ets:info(shared, size)}, Refs;
op(30, _, N, _, Refs) -> ets:delete(shared, N rem 3), Refs;
op(31, Other, N, _, Refs) ->
    Other ! {count, ets:update_counter(sorted, N rem 3, 1, {N rem 3, 0})},
    Refs;
op(32, Other, N, _, Refs) -> Other ! {next, ets:first(sorted), ets:next(sorted, N rem 3)}, Refs;
op(33, Other, N, _, Refs) ->
    Other ! {gone, ets:select_delete(sorted, [{{'_', '$1'}, [{'>', '$1', N rem 3}], [true]}])},
    Refs;
op(34, Other, N, _, Refs) -> ets:give_away(sorted, Other, N rem 3), Refs;
op(35, Other, N, _, Refs) -> persistent_term:put(name(N), N rem 9), Other ! {put, N rem 9}, Refs;
op(36, Other, N, _, Refs) -> Other ! {got, persistent_term:get(name(N), none)}, Refs;
op(37, _, N, _, Refs) -> persistent_term:erase(name(N)), Refs;
op(38, Other, N, _, Refs) ->
    {Words, _} = persistent_term:get(words),
    Other ! {sum, atomics:add_get(Words, N rem 2 + 1, N rem 5)},
    Refs;
op(39, Other, N, _, Refs) ->
    {_, Counters} = persistent_term:get(words),
    counters:add(Counters, N rem 2 + 1, 1),
    Other ! {counted, counters:get(Counters, 1)},
    Refs;
op(40, Other, _, _, Refs) -> Other ! {queue, process_info(Other, [messages, links, trap_exit])}, Refs;
op(41, Other, N, _, Refs) -> Other ! {about, process_info(lists:nth(N rem 2 + 1, [self(), Other]), [message_queue_len, registered_name])}, Refs;
op(42, Other, _, _, Refs) -> Other ! {about, process_info(Other, registered_name), process_info(Other, monitored_by)}, Refs;
op(43, Other, _, _, Refs) -> Other ! {unique, erlang:unique_integer([monotonic])}, Refs;
op(44, Other, N, All, Refs) -> group_leader(lists:nth(N rem length(All) + 1, All), Other), Refs;
op(45, Other, _, _, Refs) -> Other ! {leader, group_leader()}, Refs;
op(46, Other, N, All, Refs) -> group_leader(Other, self()), op(19, Other, N, All, Refs);
op(_, _, _, _, Refs) -> Refs.
