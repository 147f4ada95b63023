%% What is done for each key of the process dictionary is done in the node's order. It is that of a new process:
%% what another one had in its dictionary before it was recorded is not known.
-module(dictionary_order).
-export([atoms/0, pids/0, references/0, shrunk/0]).

anew(Fun) ->
    {P, R} = spawn_monitor(Fun),
    receive {'DOWN', R, process, P, {listed, All}} -> io:format("~p~n", [All]) end.

told(Keys) ->
    Me = self(),
    P = spawn(fun() -> Me ! {all, [receive {key, K} -> K end || _ <- Keys]} end),
    [P ! {key, K} || K <- Keys],
    receive {all, All} -> exit({listed, All}) end.

atoms() -> anew(fun put_atoms/0).

put_atoms() ->
    [put(list_to_atom(N), value) || N <- ["zebra", "yak", "ant", "newt", "emu", "owl", "bee", "cow", "dog", "elk"]],
    told(get_keys(value)).

pids() -> anew(fun put_pids/0).

put_pids() ->
    [put(spawn(fun() -> receive stop -> ok end end), active) || _ <- lists:seq(1, 20)],
    Keys = get_keys(active),
    %% References are made in that order too.
    [begin monitor(process, P), exit(P, shutdown) end || P <- Keys],
    told([receive {'DOWN', _, process, P, shutdown} -> P end || P <- Keys]).

references() -> anew(fun put_references/0).

put_references() ->
    [put(make_ref(), I) || I <- lists:seq(1, 30)],
    told([V || {_, V} <- get(), is_integer(V)]).

shrunk() -> anew(fun put_shrunk/0).

put_shrunk() ->
    [put({key, I}, I) || I <- lists:seq(1, 200)],
    [erase({key, I}) || I <- lists:seq(1, 190)],
    told([V || {{key, V}, _} <- get()]).
