%% Small programs whose number of distinct executions is known.
-module(programs).
-export([senders/1, by_sender/1, first/1, streams/1, one_sender/0, ring/1, overtaking/0,
         timeout/0, selective/0, update/1, philosophers/1, monitors/0, table/1, counter/1, keys/1,
         registering/0, sending_by_name/0, killing/0, killing_a_loop/0, trapping/0, dying/0,
         owned_name/0, rarely/0, rarely_ended/0]).

senders(N) ->
    Me = self(),
    [spawn(fun() -> Me ! I end) || I <- lists:seq(1, N)],
    [receive X -> X end || _ <- lists:seq(1, N)].

by_sender(N) ->
    Me = self(),
    Pids = [spawn(fun() -> Me ! {self(), I} end) || I <- lists:seq(1, N)],
    [receive {Pid, X} -> X end || Pid <- Pids].

first(N) ->
    Me = self(),
    [spawn(fun() -> Me ! I end) || I <- lists:seq(1, N)],
    receive X -> X end.

streams(K) ->
    Me = self(),
    [spawn(fun() -> [Me ! {Name, I} || I <- lists:seq(1, K)] end) || Name <- [a, b]],
    [receive X -> X end || _ <- lists:seq(1, 2 * K)].

one_sender() ->
    Me = self(),
    spawn(fun() -> Me ! one, Me ! two end),
    [receive X -> X end, receive Y -> Y end].

ring(N) ->
    Last = lists:foldl(fun(_, Next) -> spawn(fun() -> receive T -> Next ! T end end) end,
                       self(), lists:seq(1, N)),
    Last ! token,
    receive token -> done end.

overtaking() ->
    Me = self(),
    Relay = spawn(fun() -> receive go -> Me ! second end end),
    spawn(fun() -> Me ! first, Relay ! go end),
    receive X -> receive Y -> [X, Y] end end.

timeout() ->
    Me = self(),
    spawn(fun() -> Me ! hello end),
    receive hello -> hello after 10 -> silence end.

%% A message that was passed over is there for later receives, in its old place.
selective() ->
    Me = self(),
    spawn(fun() -> Me ! {b, 1}, Me ! {a, 1} end),
    spawn(fun() -> Me ! {b, 2} end),
    A = receive {a, X} -> X end,
    B = receive {b, Y} -> Y end,
    C = receive {b, Z} -> Z end,
    {A, B, C}.

%% Clients that read and then write a server's value: updates get lost.
update(N) ->
    Me = self(),
    Server = spawn(fun() -> value(0, 2 * N, Me) end),
    [spawn(fun() -> Server ! {get, self()}, receive {value, V} -> Server ! {put, V + 1} end end)
     || _ <- lists:seq(1, N)],
    receive {final, V} -> V end.

value(V, 0, Report) -> Report ! {final, V};
value(V, Left, Report) ->
    receive
        {get, From} -> From ! {value, V}, value(V, Left - 1, Report);
        {put, New} -> value(New, Left - 1, Report)
    end.

%% Each takes its left fork and then its right one: they can all wait for each other.
philosophers(N) ->
    Me = self(),
    Forks = list_to_tuple([spawn(fun() -> fork() end) || _ <- lists:seq(1, N)]),
    [spawn(fun() ->
         take(element(I, Forks)),
         take(element(1 + I rem N, Forks)),
         element(I, Forks) ! back,
         element(1 + I rem N, Forks) ! back,
         Me ! {ate, I}
     end) || I <- lists:seq(1, N)],
    [receive {ate, I} -> I end || I <- lists:seq(1, N)].

take(Fork) ->
    Fork ! {take, self()},
    receive {yours, Fork} -> ok end.

fork() ->
    receive {take, From} -> From ! {yours, self()} end,
    receive back -> fork() end.

monitors() ->
    {P, Ref} = spawn_monitor(fun() -> exit(gone) end),
    Me = self(),
    spawn(fun() -> Me ! hello end),
    receive
        {'DOWN', Ref, process, P, Why} -> Why;
        hello -> hello
    end.

%% Processes that look a value up and write it back plus one: updates get lost.
table(N) ->
    T = ets:new(t, [public]),
    ets:insert(T, {n, 0}),
    each(N, fun() -> [{n, V}] = ets:lookup(T, n), ets:insert(T, {n, V + 1}) end),
    ets:lookup_element(T, n, 2).

%% As `table`, but no update can get lost.
counter(N) ->
    T = ets:new(t, [public]),
    ets:insert(T, {n, 0}),
    each(N, fun() -> ets:update_counter(T, n, 1) end),
    ets:lookup_element(T, n, 2).

%% Each has a key of its own: no order matters.
keys(N) ->
    T = ets:new(t, [public]),
    each(N, fun() -> ets:insert(T, {self(), 1}), [_] = ets:lookup(T, self()) end),
    ets:info(T, size).

%% Each of so many processes does it; they are waited for in a fixed order.
each(N, Fun) ->
    Me = self(),
    Pids = [spawn(fun() -> Fun(), Me ! {done, self()} end) || _ <- lists:seq(1, N)],
    [receive {done, Pid} -> ok end || Pid <- Pids],
    ok.

registering() ->
    Me = self(),
    Try = fun() -> Me ! {self(), catch register(server, self())}, receive after infinity -> ok end end,
    Pids = [spawn(Try) || _ <- [1, 2]],
    [receive {Pid, R} -> R =:= true end || Pid <- Pids].

%% The name may not be there yet.
sending_by_name() ->
    spawn(fun() -> register(server, self()), receive {hello, From} -> From ! hello end end),
    case catch (server ! {hello, self()}) of
        {'EXIT', {badarg, _}} -> nobody;
        _ -> receive hello -> hello end
    end.

%% The name may be gone already.
owned_name() ->
    P = spawn(fun() -> ok end),
    catch register(server, P),
    whereis(server) =:= P.

%% The victim sends none, one or both.
killing() ->
    T = ets:new(t, [public]),
    P = spawn(fun() -> ets:insert(T, {a, 1}), ets:insert(T, {b, 1}) end),
    Ref = monitor(process, P),
    exit(P, kill),
    receive {'DOWN', Ref, process, P, _} -> ets:info(T, size) end.

killing_a_loop() ->
    P = spawn(fun() -> forever(0) end),
    Ref = monitor(process, P),
    exit(P, kill),
    receive {'DOWN', Ref, process, P, Why} -> Why end.

forever(N) -> forever(N + 1).

trapping() ->
    P = spawn(fun() -> process_flag(trap_exit, true), receive {'EXIT', _, Why} -> exit({got, Why}) end end),
    Ref = monitor(process, P),
    exit(P, stop),
    receive {'DOWN', Ref, process, P, Why} -> Why end.

dying() ->
    P = spawn(fun() -> exit(early) end),
    Ref = monitor(process, P),
    receive {'DOWN', Ref, process, P, Why} -> Why end.

%% Only if b comes first is anything shared.
%% In one of the orders nobody is ended.
rarely_ended() ->
    Me = self(),
    spawn(fun() -> Me ! a end),
    spawn(fun() -> Me ! b end),
    case receive X -> X end of
        a -> plain;
        b -> trapping()
    end.

rarely() ->
    Me = self(),
    spawn(fun() -> Me ! a end),
    spawn(fun() -> Me ! b end),
    case receive X -> X end of
        a -> plain;
        b -> table(2)
    end.
