%% Maps that a node iterates in an order of its own: by the numbers of atoms, which are those of the order in which it
%% met them, and with more than 32 keys by a hash, in which pids are words and atoms are their numbers. Another
%% order is another list of messages.
-module(atom_maps).
-export([listed/0, nested/0, printed/0, small/0, pids/0, references/0, values/0, encoded/0]).

listed() ->
    in_order(maps:from_list([{Key, 1} || Key <- keys(60)])).

nested() ->
    Map = maps:from_list([{{Key, [Key], #{Key => "text"}}, Key} || Key <- keys(60)]),
    {in_order(Map), in_order(Map#{kernel => 1, {stdlib} => 2})}.

printed() ->
    lists:flatten(io_lib:format("~p", [maps:from_keys(keys(60) ++ [kernel, stdlib, self, node], 0)])).

small() ->
    Map = maps:from_list([{Key, 1} || Key <- keys(25)]),
    {in_order(Map), maps:take(hd(keys(1)), Map), lists:flatten(io_lib:format("~w", [Map]))}.

pids() ->
    Pids = [spawn(fun() -> receive stop -> ok end end) || _ <- lists:seq(1, 70)],
    Map = maps:from_list([{Pid, {a, Pid}} || Pid <- Pids]),
    Order = in_order(Map),
    [Pid ! stop || Pid <- maps:keys(Map)],
    {Order, in_order(maps:from_list([{{Pid, watched}, 1} || Pid <- Pids]))}.

references() ->
    Map = maps:from_list([{Ref, N} || N <- lists:seq(1, 50), Ref <- [make_ref(), alias()]]),
    in_order(Map).

values() ->
    Mixed = [[N, N * 0.37, -N bsl 70, 1 bsl (N + 50), {N}, {N, {}, [N | x]}, [N * 300, {N} | N],
              integer_to_binary(N * 1000003 * 1000003), <<N:7>>, integer_to_list(N), #{N => {}},
              fun(X) -> X + N end] || N <- lists:seq(1, 40)],
    in_order(maps:from_keys(lists:append(Mixed), value)).

encoded() ->
    Map = maps:from_keys(lists:seq(1, 50), value),
    erlang:md5(term_to_binary(Map)).

%% What a map is in whatever way it is walked through, sent so that each of them is recorded.
in_order(Map) ->
    Folded = maps:fold(fun(Key, _, Seen) -> [Key | Seen] end, [], Map),
    Told = [maps:keys(Map), maps:values(Map), maps:to_list(Map), Folded,
            maps:to_list(maps:map(fun(_, V) -> V end, Map))],
    maps:map(fun(_, V) -> self() ! V end, Map),
    io:format("~w~n", [erlang:phash2({Told, lists:map(fun erlang:phash2/1, hd(Told))})]),
    Hashes = [erlang:phash2(Key) || Key <- hd(Told)],
    ok = io:format("~w~n", [Hashes]),
    received().

received() ->
    receive V -> [V | received()] after 0 -> [] end.

%% Neither in their order nor in that of their names.
keys(Size) ->
    [list_to_atom("key_" ++ integer_to_list(N * 7919 rem 101)) || N <- lists:seq(1, Size)].
