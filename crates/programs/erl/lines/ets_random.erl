%% Thousands of operations on tables of each type, chosen by a small generator of our own.
-module(ets_random).
-export([main/0]).

main() ->
    [run(Type, Seed) || Type <- [set, ordered_set, bag, duplicate_bag], Seed <- [1, 2, 3]].

run(Type, Seed) ->
    Table = ets:new(t, [Type, public, {keypos, 1 + Seed rem 2}]),
    steps(Table, Seed * 7919, 400),
    show:value({Type, Seed, all}, ets:tab2list(Table)),
    show:value({Type, Seed, left}, ets:foldl(fun(O, Acc) -> [O | Acc] end, [], Table)),
    show:value({Type, Seed, right}, ets:foldr(fun(O, Acc) -> [O | Acc] end, [], Table)),
    show:value({Type, Seed, last}, {ets:last(Table), ets:info(Table, size)}),
    [show:value({Type, Seed, chunks, N}, chunks(ets:match_object(Table, '_', N)))
     || N <- [1, 2, 3, 7, 50]],
    [show:value({Type, Seed, back, N}, chunks(ets:select_reverse(Table, [{'_', [], ['$_']}], N)))
     || N <- [1, 4]],
    big(Type, Seed).

%% Growing far beyond the first size of a hash table, and shrinking.
big(Type, Seed) ->
    Table = ets:new(t, [Type]),
    [ets:insert(Table, {key(N), N}) || N <- lists:seq(1, 1500)],
    show:value({big, Type, Seed}, [N || {_, N} <- ets:tab2list(Table)]),
    [ets:delete(Table, key(N)) || N <- lists:seq(1, 1500, 2)],
    show:value({big, Type, Seed}, walk(Table, ets:first(Table))),
    Half = ets:select_delete(Table, [{{'_', '$1'}, [{'<', '$1', 700}], [true]}]),
    show:value({half, Type, Seed}, {Half, ets:tab2list(Table)}),
    %% What is deleted during a walk does not end it.
    ets:safe_fixtable(Table, true),
    Seen = ets:foldl(fun({K, N}, Acc) -> ets:delete(Table, K), [N | Acc] end, [], Table),
    ets:safe_fixtable(Table, false),
    show:value({emptied, Type, Seed}, {Seen, ets:info(Table, size)}).

walk(_, '$end_of_table') -> [];
walk(Table, Key) -> [Key | walk(Table, ets:next(Table, Key))].

chunks('$end_of_table') -> [no_more];
chunks({Found, '$end_of_table'}) -> [Found, that_is_all];
chunks({Found, Next}) -> [Found | chunks(ets:select(Next))].

steps(_, _, 0) -> ok;
steps(Table, X0, Left) ->
    X = next(X0),
    Y = next(X),
    Op = (X bsr 8) rem 20,
    show:call({Op, Left}, fun() -> step(Op, Table, key((X bsr 16) rem 25), Y rem 5) end),
    steps(Table, Y, Left - 1).

next(X) -> (X * 1103515245 + 12345) band 16#7fffffff.

%% Keys of several types; 1 and 1.0 are one key in an ordered set only.
key(N) when N rem 5 =:= 0 -> N * 1.0;
key(N) when N rem 5 =:= 1 -> N - 1;
key(N) when N rem 7 =:= 2 -> integer_to_binary(N);
key(N) when N rem 7 =:= 3 -> {N, "k"};
key(N) -> N.

object(Table, Key, Value) ->
    case ets:info(Table, keypos) of
        1 -> {Key, Value, 0};
        2 -> {Value, Key, 0}
    end.

step(Op, Table, Key, Value) when Op < 5 -> ets:insert(Table, object(Table, Key, Value));
step(5, Table, Key, Value) ->
    ets:insert(Table, [object(Table, Key, V) || V <- [Value, Value + 1, Value]]);
step(6, Table, Key, Value) -> ets:insert_new(Table, object(Table, Key, Value));
step(7, Table, Key, _) -> ets:lookup(Table, Key);
step(8, Table, Key, _) -> ets:delete(Table, Key);
step(9, Table, Key, Value) -> ets:delete_object(Table, object(Table, Key, Value));
step(10, Table, Key, _) -> ets:take(Table, Key);
step(11, Table, Key, Value) -> ets:update_counter(Table, Key, {3, Value});
step(12, Table, Key, Value) -> ets:update_element(Table, Key, {3, Value * 10});
step(13, Table, Key, _) -> ets:next(Table, Key);
step(14, Table, Key, _) -> ets:prev(Table, Key);
step(15, Table, Key, _) -> {ets:member(Table, Key), ets:lookup_element(Table, Key, 3)};
step(16, Table, _, Value) -> ets:match(Table, {'$1', Value, '$0'});
step(17, Table, _, Value) ->
    ets:select(Table, [{{'$1', '$2', '$3'}, [{'>=', '$2', Value}], [{{'$3', '$1'}}]}]);
step(18, Table, Key, Value) ->
    ets:select_count(Table, [{object(Table, Key, '_'), [], [true]},
                             {object(Table, '_', Value), [], [true]}]);
step(19, Table, Key, Value) ->
    Spec = [{object(Table, '$1', '$2'), [{'==', '$2', Value}], [{object(Table, '$1', 77)}]}],
    {ets:select_replace(Table, Spec), ets:match_object(Table, object(Table, Key, '_'))}.
