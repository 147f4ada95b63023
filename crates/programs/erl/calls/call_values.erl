%% Terms to call functions with, drawn from the generator of this process: usual ones, those at the
%% edges of what functions take, and texts that mean something to the functions of one module.
-module(call_values).
-export([pick/1, any/1, scalar/0, basic/2, bits/2, between/2, made/2, spoilt/1]).

pick(List) -> lists:nth(rand:uniform(length(List)), List).

%% Few different values, so that keys are found.
scalar() ->
    pick([a, b, c, 1, 2, 3, 0, -1, 1.0, 2.5, "ab", <<"ab">>, [], {}, {a, 1}, true, false, undefined]).

%% Where a value depends on identity (a hash, a printed name), terms that have one are left out.
edge() ->
    case get(without_identity) of
        true -> pick(edges());
        _ -> pick([{'$fun', 1, [true, false]}, {'$fun', 2, [true, false, 1]}, {'$pid'}, {'$ref'} | edges()])
    end.

edges() ->
    [-1, 0, 255, 256, 65535, 1114111, 1114112, 16#D800, 1 bsl 59, -(1 bsl 59) - 1, 1 bsl 64,
          -(1 bsl 64), 1.0e300, -0.0, 1.0e-300, '', 'ö', <<>>, <<1:3>>, <<255>>, [a | b], [1, 2 | 3],
          #{}, #{a => 1}, {a, b, c}, [{a, 1}, {b, 2}], "ö", [256, 8364], <<"ö"/utf8>>, infinity,
          [[], [<<"x">>, $y], []], {{2024, 2, 29}, {23, 59, 59}}, <<"x=1&y=2">>, nonode@nohost].

any(Depth) when Depth =< 0 -> scalar();
any(Depth) ->
    case rand:uniform(10) of
        N when N < 6 -> scalar();
        6 -> edge();
        7 -> [any(Depth - 1) || _ <- lists:seq(1, rand:uniform(4))];
        8 -> list_to_tuple([any(Depth - 1) || _ <- lists:seq(1, rand:uniform(3))]);
        9 -> maps:from_list([{any(Depth - 2), any(Depth - 1)} || _ <- lists:seq(1, rand:uniform(3))]);
        10 -> [{any(Depth - 2), any(Depth - 1)} || _ <- lists:seq(1, rand:uniform(3))]
    end.

%% One of the arguments, or something inside it, is another term.
spoilt(Arguments) ->
    At = rand:uniform(length(Arguments)),
    {Before, [Spoilt | After]} = lists:split(At - 1, Arguments),
    Before ++ [within(Spoilt) | After].

within([_ | _] = List) ->
    case rand:uniform(4) of
        1 -> edge();
        2 -> spoilt(proper(List));
        3 -> proper(List) ++ edge();
        4 -> proper(List) ++ [edge()]
    end;
within(Tuple) when is_tuple(Tuple), tuple_size(Tuple) > 0, element(1, Tuple) =/= '$call',
                   element(1, Tuple) =/= '$fun', element(1, Tuple) =/= '$table' ->
    case rand:uniform(2) of
        1 -> edge();
        2 -> list_to_tuple(spoilt(tuple_to_list(Tuple)))
    end;
within(_) ->
    case rand:uniform(2) of
        1 -> edge();
        2 -> any(2)
    end.

proper([H | T]) when is_list(T) -> [H | proper(T)];
proper([H | _]) -> [H];
proper([]) -> [].

%% A value of a type of the language.
basic(integer, _) -> pick([0, 1, 2, 3, 5, 10, -1, -7, 64, 100, 255, 1 bsl 40, -(1 bsl 70)]);
basic(non_neg_integer, _) -> pick([0, 1, 2, 3, 4, 7, 16, 100, 255, 1 bsl 33]);
basic(pos_integer, _) -> pick([1, 2, 3, 4, 7, 16, 36, 100]);
basic(neg_integer, _) -> pick([-1, -2, -100]);
basic(number, _) -> pick([0, 1, -1, 2, 7, 0.5, -1.5, 3.0, 1.0e10, 1 bsl 70]);
basic(float, _) -> pick([0.0, 1.0, -1.0, 0.1, 1.5, -2.25, 1.0e22, 1.0e-7, 123456.789]);
basic(atom, _) -> pick([a, b, ok, error, lists, undefined, 'A b', '']);
basic(module, _) -> pick([lists, maps, no_such_module]);
basic(node, _) -> nonode@nohost;
basic(boolean, _) -> pick([true, false]);
basic(byte, _) -> pick([0, 10, 32, 65, 97, 127, 200, 255]);
basic(char, _) -> pick([9, 10, 13, 32, 48, 65, 97, 98, 228, 8364, 16#1F600]);
basic(arity, _) -> pick([0, 1, 2, 3]);
basic(timeout, _) -> pick([0, 1, 10]);
basic(bitstring, _) -> bits(0, 1);
basic(nonempty_bitstring, _) -> bits(1, 1);
basic(binary, _) -> text_binary();
basic(nonempty_binary, _) -> <<"x", (text_binary())/binary>>;
basic(string, _) -> text();
basic(nonempty_string, _) -> "s" ++ text();
basic(iolist, Depth) -> iolist(Depth);
basic(iodata, Depth) -> pick([text_binary(), iolist(Depth)]);
basic(list, Depth) -> [any(Depth - 1) || _ <- lists:seq(1, pick([0, 1, 2, 3, 6]))];
basic(nonempty_list, Depth) -> [any(Depth - 1) || _ <- lists:seq(1, pick([1, 2, 3, 6]))];
basic(maybe_improper_list, Depth) -> basic(list, Depth) ++ pick([[], [], b]);
basic(nonempty_maybe_improper_list, Depth) -> [any(Depth - 1) | basic(maybe_improper_list, Depth)];
basic(tuple, Depth) -> list_to_tuple(basic(list, Depth));
basic(map, Depth) -> maps:from_list([{scalar(), any(Depth - 1)} || _ <- lists:seq(1, pick([0, 1, 2, 5]))]);
basic('fun', _) -> {'$fun', pick([0, 1, 2, 3]), [true, false, a, 1]};
basic(function, Depth) -> basic('fun', Depth);
basic(mfa, _) -> pick([{lists, reverse, 1}, {a, b, 2}]);
basic(pid, _) -> {'$pid'};
basic(reference, _) -> {'$ref'};
basic(identifier, _) -> pick([{'$pid'}, {'$ref'}]);
basic(port, _) -> {'$pid'};
basic(nil, _) -> [];
basic(Any, Depth) when Any =:= any; Any =:= term; Any =:= dynamic -> any(min(Depth, 3));
basic(_, _) -> scalar().

text() ->
    pick(["", "a", "abc", "hello world", "  padded ", "a,b,,c", "Ärger", "\x{20AC}5", "line\nnext\r\n",
          "12", "-3.5e2", "ab12cd", "AbC", "e\x{301}a", "%41b", "/usr/./lib/../x.erl", "a/b.c"]).

text_binary() -> unicode:characters_to_binary(text()).

iolist(Depth) when Depth =< 0 -> [];
iolist(Depth) ->
    [case rand:uniform(3) of
         1 -> basic(byte, 0);
         2 -> text_binary();
         3 -> iolist(Depth - 1)
     end || _ <- lists:seq(1, pick([0, 1, 2, 3]))].

bits(Size, Unit) ->
    Length = Size + Unit * pick([0, 1, 2, 3, 8, 17]),
    << <<(rand:uniform(2) - 1):1>> || _ <- lists:seq(1, Length) >>.

between(From, To) ->
    pick([From, To, min(To, From + 1), From + rand:uniform(max(1, min(To - From, 1 bsl 40))) - 1]).

%% Values of types whose insides are a module's own, and texts that a type alone does not tell.
made(array, array) -> call(array, from_list, [few()]);
made(dict, dict) -> call(dict, from_list, [pairs()]);
made(gb_sets, Set) when Set =:= set; Set =:= gb_set -> call(gb_sets, from_list, [few()]);
made(gb_sets, iter) -> call(gb_sets, iterator, [call(gb_sets, from_list, [few()])]);
made(gb_trees, Tree) when Tree =:= tree; Tree =:= gb_tree -> tree();
made(gb_trees, iter) -> call(gb_trees, iterator, [tree()]);
made(queue, queue) -> call(queue, from_list, [few()]);
made(sets, set) -> pick([call(sets, from_list, [few()]), call(sets, from_list, [few(), [{version, 2}]])]);
made(ordsets, ordset) -> pick([lists:usort(few()), lists:usort(few()), few()]);
made(orddict, orddict) -> pick([lists:ukeysort(1, pairs()), lists:ukeysort(1, pairs()), pairs()]);
made(maps, iterator) -> call(maps, iterator, [maps:from_list(pairs())]);
made(rand, State) when State =:= state; State =:= export_state ->
    call(rand, seed_s, [pick([exsss, exrop, exro928ss, exsp]), pick([1, 42, {1, 2, 3}])]);
made(re, mp) -> element(2, {mp, {'$second', call(re, compile, [pattern()])}});
made(ets, Table) when Table =:= tab; Table =:= tid; Table =:= table ->
    {'$table', pick([set, ordered_set, bag, duplicate_bag]), objects()};
made(ets, match_pattern) -> pick(['_', {'$1', '_'}, {a, '$1'}, {'$1', '$2'}, {'_', '_', '_'}]);
made(ets, match_spec) -> made(erlang, match_spec);
made(ets, compiled_match_spec) ->
    pick([[{{'$1', '$2'}, [], ['$$']}], [{{'$1', '_'}, [{is_atom, '$1'}], ['$1']}]]);
made(_, _) -> undefined.

call(M, F, Arguments) -> {'$call', M, F, Arguments}.

few() -> [scalar() || _ <- lists:seq(1, pick([0, 1, 2, 4, 8]))].
pairs() -> [{scalar(), any(1)} || _ <- lists:seq(1, pick([0, 1, 2, 4, 8]))].

%% The order of atoms in a hash table is the order in which a node met them.
objects() ->
    Keys = [1, 2, 3, 0, -1, 1.0, 2.5, "ab", <<"ab">>, [], {}, {1, 2}],
    [{pick(Keys), any(1)} || _ <- lists:seq(1, pick([0, 1, 2, 4, 8]))].

tree() -> call(gb_trees, from_orddict, [lists:ukeysort(1, [{K, V} || {K, V} <- pairs(), K =/= 1.0])]).

pattern() -> pick(["a", "(a)(b)?", "[a-c]+", "^x", "\\d+", "(?<n>b)"]).
