%% Messages that go before ordinary ones: through an alias, of monitors and of links.
-module(otp28_priorities).
-export([main/0]).

main() ->
    [in_process(F) || F <- [fun messages/0, fun not_allowed/0, fun monitors/0, fun links/0,
                            fun scanned/0, fun answered/0, fun options/0, fun spawned/0]].

in_process(F) ->
    {Pid, Ref} = spawn_monitor(fun() -> exit({value, F()}) end),
    receive
        {'DOWN', Ref, _, Pid, {value, Value}} -> Value;
        {'DOWN', Ref, _, Pid, Why} -> Why
    end.

all() ->
    receive
        Message -> [Message | all()]
    after 0 ->
        []
    end.

messages() ->
    Alias = alias([priority]),
    self() ! 1,
    Alias ! 2,
    erlang:send(Alias, 3, [priority]),
    self() ! 4,
    erlang:send(Alias, 5, [priority, nosuspend]),
    erlang:send(self(), 6, [priority]),
    Waiting = element(2, process_info(self(), messages)),
    {Waiting, all()}.

not_allowed() ->
    Alias = alias(),
    self() ! 1,
    erlang:send(Alias, 2, [priority]),
    all().

monitors() ->
    self() ! 1,
    Plain = monitor(process, nobody),
    Urgent = monitor(process, nobody, [priority]),
    Named = monitor(process, nobody, [{tag, named}, priority]),
    [case M of {Tag, R, _, _, _} -> {Tag, {R =:= Plain, R =:= Urgent, R =:= Named}}; _ -> M end || M <- all()].

links() ->
    process_flag(trap_exit, true),
    Wait = fun() -> receive stop -> exit(stopped) end end,
    [Plain, Urgent, Back] = [spawn(Wait) || _ <- [1, 2, 3]],
    link(Plain),
    link(Urgent, [priority]),
    link(Back, [priority]),
    link(Back, []),
    self() ! 1,
    [begin P ! stop, true = ended(P) end || P <- [Plain, Urgent, Back]],
    [case M of {'EXIT', P, Why} -> {Why, {P =:= Plain, P =:= Urgent, P =:= Back}}; _ -> M end || M <- all()].

ended(P) ->
    Ref = monitor(process, P),
    receive {'DOWN', Ref, _, _, _} -> true end.

%% A receive that has passed ordinary messages sees a priority message that comes then.
scanned() ->
    Self = self(),
    Alias = alias([priority]),
    self() ! a,
    self() ! b,
    spawn(fun() -> receive after 20 -> erlang:send(Alias, {wanted, 1}, [priority]), Self ! {wanted, 2} end end),
    First = receive {wanted, N} -> N end,
    Second = receive {wanted, M} -> M end,
    {First, Second, all()}.

answered() ->
    Alias = alias([reply, priority]),
    self() ! 1,
    erlang:send(Alias, 2, [priority]),
    erlang:send(Alias, 3, [priority]),
    Explicit = alias([priority, explicit_unalias]),
    erlang:send(Explicit, 4, [priority]),
    receive 4 -> ok end,
    Known = unalias(Explicit),
    erlang:send(Explicit, 5, [priority]),
    {Known, unalias(Explicit), all()}.

options() ->
    [try F() of _ -> fine catch error:Why -> Why end
     || F <- [fun() -> alias([urgent]) end, fun() -> monitor(process, self(), [urgent]) end,
              fun() -> link(self(), [urgent]) end, fun() -> erlang:send(self(), m, [urgent]) end,
              fun() -> link(self(), priority) end, fun() -> link(self(), [priority]) end]].

spawned() ->
    self() ! 1,
    {P, Ref} = spawn_opt(fun() -> ok end, [{monitor, [priority]}]),
    receive after 20 -> ok end,
    [case M of {'DOWN', Ref, _, P, Why} -> Why; _ -> M end || M <- all()].
