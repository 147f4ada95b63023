%% Random concurrent programs, one for each seed: processes send, receive with and without time-outs,
%% watch, link, spawn and kill each other, and ask the system in between, which puts signals that
%% are not messages among the messages. What each has seen becomes a hash, and the hashes of all are
%% the value: a replay that lets anything happen in another order has another value.
-module(random_storm).
-export([main/1, main/2]).

main(Seed) -> main(Seed, 60).

main(Seed, Deeds) ->
    {N, Dice} = rand:uniform_s(6, rand:seed_s(exsss, Seed)),
    Table = ets:new(storm, [public, set]),
    Main = self(),
    {Actors, _} = lists:mapfoldl(fun(I, D) -> actor(Main, Table, I, Deeds, D) end, Dice, lists:seq(1, N + 2)),
    Pids = [Pid || {Pid, _} <- Actors],
    [Pid ! {peers, Pids} || Pid <- Pids],
    Ends = [receive {'DOWN', Ref, process, Pid, Reason} -> seen(Reason) end || {Pid, Ref} <- Actors],
    Hash = erlang:phash2({Ends, length(ets:tab2list(Table))}),
    io:format("~p~n", [Hash]),
    Hash.

seen({storm, Hash}) -> Hash;
seen(Reason) when is_atom(Reason) -> Reason;
seen(_) -> crashed.

actor(Main, Table, I, Deeds, Dice) ->
    {Own, Next} = rand:uniform_s(1 bsl 40, Dice),
    Run = fun() ->
        receive {peers, Peers} -> ok end,
        process_flag(trap_exit, I rem 3 =:= 0),
        State = #{dice => rand:seed_s(exsss, Own), peers => Peers, table => Table, hash => I, main => Main},
        exit({storm, maps:get(hash, deeds(Deeds, State))})
    end,
    {spawn_opt(Run, [monitor]), Next}.

deeds(0, State) -> State;
deeds(N, State) ->
    {Kind, Rolled} = roll(16, State),
    deeds(N - 1, deed(Kind, Rolled)).

roll(N, #{dice := Dice} = State) ->
    {K, Next} = rand:uniform_s(N, Dice),
    {K, State#{dice := Next}}.

peer(#{peers := Peers} = State) ->
    {K, Rolled} = roll(length(Peers), State),
    {lists:nth(K, Peers), Rolled}.

note(What, #{hash := Hash} = State) -> State#{hash := erlang:phash2({Hash, What})}.

deed(K, State) when K =< 4 ->
    {To, S} = peer(State),
    {Tag, S1} = roll(4, S),
    To ! {Tag, maps:get(hash, S1)},
    S1;
deed(K, State) when K =< 8 ->
    {T, S} = roll(4, State),
    wait(lists:nth(T, [0, 1, 1, 3]), S);
deed(9, State) ->
    {Tag, S} = roll(4, State),
    receive {Tag, H} -> note({tagged, H}, S) after 1 -> note(none, S) end;
deed(10, State) ->
    {P, S} = peer(State),
    [is_process_alive(P) || _ <- lists:seq(1, 20)],
    S;
deed(11, State) ->
    {P, S} = peer(State),
    R = monitor(process, P),
    S1 = wait(0, S),
    demonitor(R, [flush]),
    S1;
deed(12, State) ->
    Me = self(),
    {P, R} = spawn_monitor(fun() -> Me ! {1, child}, receive after 1 -> exit(done) end end),
    S = wait(1, State),
    receive {'DOWN', R, process, P, Why} -> note(Why, S) after 2 -> note(late, S) end;
deed(13, #{table := Table} = State) ->
    note(ets:update_counter(Table, count, 1, {count, 0}), State);
deed(14, State) ->
    {P, S} = peer(State),
    {K, S1} = roll(12, S),
    K =:= 1 andalso exit(P, kill),
    K =:= 2 andalso link(P),
    S1;
deed(15, State) ->
    erlang:send_after(1, self(), {2, timer}),
    State;
deed(16, State) ->
    {P, S} = peer(State),
    Ref = make_ref(),
    P ! {3, {self(), Ref}},
    receive {4, {P, Ref}} -> note(answered, S) after 1 -> note(silent, S) end.

wait(T, State) ->
    receive
        {3, {From, Ref}} -> From ! {4, {self(), Ref}}, note(asked, State);
        {Tag, What} when is_integer(What); is_atom(What) -> note({Tag, What}, State);
        {'EXIT', _, _} -> note(exit, State)
    after T -> note(timeout, State)
    end.
