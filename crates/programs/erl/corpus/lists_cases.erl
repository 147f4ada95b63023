-module(lists_cases).
-export([cases/0]).
-define(C(E), {?LINE, fun() -> E end}).

id(X) -> X.

random(N, Seed) -> random(N, Seed, []).
random(0, _, Acc) -> Acc;
random(N, S, Acc) ->
    S1 = (S * 1103515245 + 12345) band 16#7fffffff,
    V = S1 rem 50,
    X = case S1 rem 7 of 0 -> float(V); 1 -> list_to_atom([$a + V rem 26]); 2 -> {V, a}; _ -> V end,
    random(N - 1, S1, [X | Acc]).

pairs(N, Seed) -> [{X, I} || {X, I} <- lists:zip(random(N, Seed), lists:seq(1, N))].

cases() -> [
    ?C(lists:seq(id(1), 5)), ?C(lists:seq(id(5), 1)), ?C(lists:seq(id(2), 1)), ?C(lists:seq(id(1), 10, 3)),
    ?C(lists:seq(id(10), 1, -4)), ?C(lists:seq(id(1), 1, 0)), ?C(lists:seq(id(1), 2, 0)), ?C(lists:seq(id(1), 0, 1)), ?C(lists:seq(id(1), -1, 1)),
    ?C(lists:seq(id(1), 5, -1)), ?C(lists:seq(id(a), 5)), ?C(lists:seq(id(5), 6, -1)), ?C(lists:seq(id(5), 7, -1)), ?C(lists:seq(id(1), 10, 4)), ?C(lists:seq(id(3), 1, 2)), ?C(lists:seq(id(3), 0, 2)),
    ?C(lists:nth(id(2), [a, b])), ?C(lists:nth(id(3), [a, b])), ?C(lists:nth(id(0), [a])), ?C(lists:nth(id(a), [a])),
    ?C(lists:nthtail(id(0), [a])), ?C(lists:nthtail(id(1), [a])), ?C(lists:nthtail(id(2), [a])), ?C(lists:nthtail(id(1), [a | b])), ?C(lists:nthtail(id(0), x)),
    ?C(lists:last(id([a, b]))), ?C(lists:last(id([]))), ?C(lists:last(id([a | b]))), ?C(lists:droplast(id([a, b]))), ?C(lists:droplast(id([]))),
    ?C(lists:append(id([[a], [b], c]))), ?C(lists:append(id([]))), ?C(lists:append(id([a, b]))), ?C(lists:append(id([a]), b)), ?C(lists:append(id([[a] | b]))),
    ?C(lists:reverse(id([1, 2, 3]))), ?C(lists:reverse(id([1, 2]), x)), ?C(lists:reverse(id([1 | 2]))), ?C(lists:reverse(id([1, 2 | 3]))), ?C(lists:reverse(id(a))),
    ?C(lists:sort(id([3, 1, 2]))), ?C(lists:sort(id([]))), ?C(lists:sort(id([1 | 2]))), ?C(lists:sort(id([1, 2 | 3]))), ?C(lists:sort(id([1.0, 1, 1.0, 1]))),
    ?C([lists:sort(random(N, N)) || N <- lists:seq(1, 40)]), ?C([lists:usort(random(N, N)) || N <- lists:seq(1, 40)]),
    ?C([lists:keysort(1, pairs(N, N)) || N <- lists:seq(1, 30)]), ?C([lists:ukeysort(1, pairs(N, N)) || N <- lists:seq(1, 30)]),
    ?C([lists:sort(fun(A, B) -> A >= B end, random(N, N)) || N <- lists:seq(1, 20)]),
    ?C(lists:merge([1, 3, 5], [2, 4])), ?C(lists:umerge([1, 3], [1, 2])), ?C(lists:keymerge(1, [{1, a}], [{0, b}, {1, c}])),
    ?C(lists:keysort(id(1), [{b}, {a}])), ?C(lists:keysort(id(2), [{b}, {a}])), ?C(lists:keysort(id(0), [{b}])), ?C(lists:keysort(id(1), [b])), ?C(lists:keysort(id(1), x)),
    ?C(lists:member(id(1), [1.0])), ?C(lists:member(id(a), [b | c])), ?C(lists:member(id(a), [a | c])), ?C(lists:member(id(a), b)),
    ?C(lists:keyfind(id(1), 1, [{1.0, x}])), ?C(lists:keyfind(id(a), 2, [x, {b}, {c, a}])), ?C(lists:keyfind(id(a), 0, [])), ?C(lists:keyfind(id(a), 1, [x | y])),
    ?C(lists:keymember(id(a), 1, [{a}])), ?C(lists:keysearch(id(a), 1, [{a}])), ?C(lists:keysearch(id(a), 1, [])), ?C(lists:keydelete(id(a), 1, [{b}, {a}, {a}])), ?C(lists:keydelete(id(a), 0, [{b}])), ?C(lists:keydelete(id(a), 1, x)),
    ?C(lists:keyreplace(id(a), 1, [{a, 1}, {a, 2}], {c})), ?C(lists:keyreplace(id(a), 1, [], c)), ?C(lists:keystore(id(a), 1, [{b}], {c})), ?C(lists:keystore(id(b), 1, [{b}], {c})), ?C(lists:keystore(id(b), 1, [{b}], c)),
    ?C(lists:keytake(id(a), 1, [{b}, {a, 1}, {a}])), ?C(lists:keytake(id(x), 1, [{b}])), ?C(lists:keymap(fun(X) -> X + 1 end, 1, [{1, a}])),
    ?C(lists:sum(id([1, 2.5]))), ?C(lists:sum(id([]))), ?C(lists:sum(id([a]))), ?C(lists:sum(id([1 | 2]))), ?C(lists:max(id([1, 1.0, 3, 3.0]))), ?C(lists:max(id([]))), ?C(lists:min(id([1.0, 1, 0.5]))), ?C(lists:min(id([1 | 2]))),
    ?C(lists:duplicate(id(3), a)), ?C(lists:duplicate(id(-1), a)), ?C(lists:duplicate(id(0), a)), ?C(lists:duplicate(id(a), a)),
    ?C(lists:flatten(id([1, [2, [3, []], 4], [[[5]]]]))), ?C(lists:flatten(id(a))), ?C(lists:flatten(id([1 | 2]))), ?C(lists:flatten(id([1, [2 | 3]]))), ?C(lists:flatten(id([1, [2]]), [z])), ?C(lists:flatten([1], x)), ?C(lists:flatlength(id([1, [2, 3]]))),
    ?C(lists:delete(id(b), [a, b, b])), ?C(lists:delete(id(1), [1.0])), ?C(lists:delete(id(c), [a | b])), ?C(lists:sublist(id([1, 2, 3]), 2)), ?C(lists:sublist(id([1, 2, 3]), 5)), ?C(lists:sublist(id([1, 2, 3]), -1)), ?C(lists:sublist(id([1, 2, 3]), 2, 1)), ?C(lists:sublist(id([1, 2, 3]), 4, 1)), ?C(lists:sublist(id([1, 2, 3]), 5, 1)), ?C(lists:sublist(id([1, 2, 3]), 0, 1)), ?C(lists:sublist(id([1, 2, 3 | x]), 2)), ?C(lists:sublist(id(x), 2)),
    ?C(lists:split(id(1), [a, b])), ?C(lists:split(id(3), [a, b])), ?C(lists:split(id(-1), [a, b])), ?C(lists:split(id(1), x)), ?C(lists:zip(id([1, 2]), [a, b])), ?C(lists:zip(id([1]), [a, b])), ?C(lists:zip(id([1 | 2]), [a | b])), ?C(lists:unzip(id([{1, a}, {2, b}]))), ?C(lists:unzip(id([{1}]))), ?C(lists:zip3([1], [2], [3])), ?C(lists:unzip3([{1, 2, 3}])), ?C(lists:zipwith(fun(A, B) -> A + B end, [1], [2])),
    ?C(lists:prefix(id("ab"), "abc")), ?C(lists:prefix(id("abc"), "ab")), ?C(lists:prefix(id(a), "ab")), ?C(lists:suffix("bc", "abc")), ?C(lists:subtract(id([a, b]), [a])), ?C(lists:subtract(id(a), [a])),
    ?C(lists:map(fun(X) -> X * 2 end, [1, 2])), ?C(lists:map(fun(X) -> X * 2 end, [a])), ?C(lists:map(x, [a])), ?C(lists:map(fun(X) -> X end, a)), ?C(lists:foldl(fun(X, A) -> [X | A] end, [], [1, 2])), ?C(lists:foldr(fun(X, A) -> [X | A] end, [], [1, 2])), ?C(lists:filter(fun(X) -> X > 1 end, [1, 2])), ?C(lists:filter(fun(_) -> x end, [1])), ?C(lists:partition(fun(X) -> X > 1 end, [1, 2])), ?C(lists:all(fun is_atom/1, [a])), ?C(lists:any(fun is_atom/1, [])), ?C(lists:foreach(fun(X) -> put(x, X) end, [1])), ?C(lists:takewhile(fun(X) -> X < 2 end, [1, 2, 1])), ?C(lists:dropwhile(fun(X) -> X < 2 end, [1, 2, 1])), ?C(lists:splitwith(fun(X) -> X < 2 end, [1, 2, 1])), ?C(lists:flatmap(fun(X) -> [X, X] end, [1, 2])), ?C(lists:mapfoldl(fun(X, A) -> {X, A + X} end, 0, [1, 2])), ?C(lists:mapfoldr(fun(X, A) -> {X, A + X} end, 0, [1, 2])), ?C(lists:search(fun(X) -> X > 1 end, [1, 2])), ?C(lists:join(x, [1, 2])), ?C(lists:concat([a, 1, "b", 1.5])), ?C(lists:filtermap(fun(X) -> X > 1 andalso {true, X * 2} end, [1, 2])), ?C(lists:enumerate([a, b])), ?C(lists:uniq([1, 2, 1])),
    ?C(maps:get(id(a), #{a => 1})), ?C(maps:get(id(b), #{a => 1})), ?C(maps:get(id(b), x)), ?C(maps:get(id(b), #{}, d)), ?C(maps:find(id(a), #{a => 1})), ?C(maps:find(id(b), #{})), ?C(maps:find(id(b), x)), ?C(maps:is_key(id(b), x)), ?C(maps:size(id(x))),
    ?C(maps:put(id(a), 1, #{})), ?C(maps:put(id(a), 1, x)), ?C(maps:update(id(a), 1, #{a => 0})), ?C(maps:update(id(b), 1, #{a => 0})), ?C(maps:remove(id(a), #{a => 0})), ?C(maps:remove(id(b), #{a => 0})), ?C(maps:remove(id(b), x)), ?C(maps:take(id(a), #{a => 0})), ?C(maps:take(id(b), #{a => 0})),
    ?C(maps:keys(id(#{b => 1, a => 2}))), ?C(maps:values(id(#{b => 1, a => 2}))), ?C(maps:to_list(id(#{b => 1, a => 2}))), ?C(maps:keys(id(x))), ?C(maps:from_list(id([{a, 1}, {a, 2}]))), ?C(maps:from_list(id([a]))), ?C(maps:from_list(id([{a, 1} | b]))), ?C(maps:from_keys(id([a, b]), x)), ?C(maps:merge(id(#{a => 1}), #{a => 2, b => 3})), ?C(maps:merge(id(#{a => 1}), x)), ?C(maps:merge(id(y), x)),
    ?C(maps:map(fun(_, V) -> V + 1 end, #{a => 1})), ?C(maps:filter(fun(_, V) -> V > 1 end, #{a => 1, b => 2})), ?C(maps:fold(fun(K, V, A) -> [{K, V} | A] end, [], #{a => 1, b => 2})), ?C(maps:filtermap(fun(_, V) -> {true, V + 1} end, #{a => 1})), ?C(maps:with([a, c], #{a => 1, b => 2})), ?C(maps:without([a], #{a => 1, b => 2})), ?C(maps:update_with(a, fun(X) -> X + 1 end, #{a => 1})), ?C(maps:update_with(b, fun(X) -> X + 1 end, 0, #{a => 1})), ?C(maps:groups_from_list(fun(X) -> X rem 2 end, [1, 2, 3])), ?C(maps:intersect(#{a => 1}, #{a => 2})), ?C(maps:foreach(fun(_, _) -> ok end, #{a => 1})), ?C(maps:merge_with(fun(_, A, B) -> A + B end, #{a => 1}, #{a => 2})),
    ?C(maps:to_list(id(a))), ?C(maps:map(id(a), #{})), ?C(maps:fold(fun(_, _, A) -> A end, [], id(x))), ?C(maps:filter(fun(_, _) -> true end, id(x))), ?C(maps:with(id(a), #{})), ?C(maps:iterator(id(a))), ?C(maps:next(id(a))), ?C(maps:update_with(id(a), fun(V) -> V end, #{})),
    ?C(maps:to_list(maps:from_list([{I, I * I} || I <- lists:seq(1, 100)]))), ?C(maps:keys(maps:map(fun(_, V) -> V end, maps:from_list([{I, a} || I <- lists:seq(1, 40)])))), ?C(begin {K, V, I} = maps:next(maps:iterator(#{a => 1, b => 2})), {K, V, maps:next(I)} end), ?C(maps:fold(fun(K, _, A) -> [K | A] end, [], maps:from_list([{I, x} || I <- lists:seq(1, 200)])))
].
