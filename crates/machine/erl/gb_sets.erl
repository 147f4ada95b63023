%% Sets as general balanced trees (see gb_trees).
-module(gb_sets).
-export([empty/0, new/0, is_empty/1, size/1, singleton/1, is_element/2, is_member/2]).
-export([insert/2, add/2, add_element/2, delete/2, delete_any/2, del_element/2, balance/1]).
-export([union/1, union/2, intersection/1, intersection/2, difference/2, subtract/2]).
-export([is_disjoint/2, is_subset/2, is_set/1, fold/3, filter/2, from_list/1, from_ordset/1]).
-export([to_list/1, smallest/1, largest/1, take_smallest/1, take_largest/1]).
-export([iterator/1, iterator_from/2, next/1]).

empty() -> {0, nil}.
new() -> empty().
is_empty({0, nil}) -> true;
is_empty(_) -> false.
size({Size, _}) -> Size.
singleton(E) -> {1, {E, nil, nil}}.
is_element(E, S) -> is_member(E, S).

is_member(E, {_, T}) -> member(E, T).

member(E, {E1, Less, _}) when E < E1 -> member(E, Less);
member(E, {E1, _, More}) when E > E1 -> member(E, More);
member(_, {_, _, _}) -> true;
member(_, nil) -> false.

add_element(E, S) -> add(E, S).

add(E, S) ->
    case is_member(E, S) of
        true -> S;
        false -> insert(E, S)
    end.

insert(E, {Size, T}) ->
    case insert_in(E, T, (Size + 1) * (Size + 1)) of
        {deep, T1, _, _} -> {Size + 1, T1};
        {done, T1} -> {Size + 1, T1}
    end.

insert_in(E, nil, 0) -> {deep, {E, nil, nil}, 1, 1};
insert_in(E, nil, _) -> {done, {E, nil, nil}};
insert_in(E, {E1, Less, More}, Budget) when E < E1 ->
    case insert_in(E, Less, Budget bsr 1) of
        {done, Less1} -> {done, {E1, Less1, More}};
        {deep, Less1, H, S} -> checked({E1, Less1, More}, H, S, More)
    end;
insert_in(E, {E1, Less, More}, Budget) when E > E1 ->
    case insert_in(E, More, Budget bsr 1) of
        {done, More1} -> {done, {E1, Less, More1}};
        {deep, More1, H, S} -> checked({E1, Less, More1}, H, S, Less)
    end;
insert_in(E, _, _) ->
    error({key_exists, E}).

checked(T, H1, S1, Other) ->
    {H2, S2} = count(Other),
    Height = 2 * max(H1, H2),
    Size = S1 + S2 + 1,
    case Height > Size * Size of
        true -> {done, balanced(T, Size)};
        false -> {deep, T, Height, Size}
    end.

count(nil) -> {1, 0};
count({_, nil, nil}) -> {1, 1};
count({_, Less, More}) ->
    {H1, S1} = count(Less),
    {H2, S2} = count(More),
    {2 * max(H1, H2), S1 + S2 + 1}.

balance({Size, T}) -> {Size, balanced(T, Size)}.

balanced(T, Size) ->
    {T1, []} = build(elements(T, []), Size),
    T1.

build(L, 0) -> {nil, L};
build([E | L], 1) -> {{E, nil, nil}, L};
build(L, Size) ->
    More = (Size - 1) div 2,
    {T1, [E | L1]} = build(L, Size - 1 - More),
    {T2, L2} = build(L1, More),
    {{E, T1, T2}, L2}.

from_list(L) -> from_ordset(ordsets:from_list(L)).

from_ordset(L) ->
    Size = length(L),
    {T, []} = build(L, Size),
    {Size, T}.

to_list({_, T}) -> elements(T, []).

elements({E, Less, More}, Acc) -> elements(Less, [E | elements(More, Acc)]);
elements(nil, Acc) -> Acc.

del_element(E, S) -> delete_any(E, S).

delete_any(E, S) ->
    case is_member(E, S) of
        true -> delete(E, S);
        false -> S
    end.

delete(E, {Size, T}) -> {Size - 1, delete_in(E, T)}.

delete_in(E, {E1, Less, More}) when E < E1 -> {E1, delete_in(E, Less), More};
delete_in(E, {E1, Less, More}) when E > E1 -> {E1, Less, delete_in(E, More)};
delete_in(_, {_, Less, More}) -> joined(Less, More).

joined(Less, nil) -> Less;
joined(nil, More) -> More;
joined(Less, More) ->
    {E, More1} = first_out(More),
    {E, Less, More1}.

smallest({_, {E, nil, _}}) -> E;
smallest({Size, {_, Less, _}}) -> smallest({Size, Less}).

largest({_, {E, _, nil}}) -> E;
largest({Size, {_, _, More}}) -> largest({Size, More}).

take_smallest({Size, T}) ->
    {E, T1} = first_out(T),
    {E, {Size - 1, T1}}.

first_out({E, nil, More}) -> {E, More};
first_out({E, Less, More}) ->
    {E1, Less1} = first_out(Less),
    {E1, {E, Less1, More}}.

take_largest({Size, T}) ->
    {E, T1} = last_out(T),
    {E, {Size - 1, T1}}.

last_out({E, Less, nil}) -> {E, Less};
last_out({E, Less, More}) ->
    {E1, More1} = last_out(More),
    {E1, {E, Less, More1}}.

%% A few elements are added to the larger set one by one, many are merged as lists: the shape of
%% the result depends on which.
union({N1, _} = A, {N2, _} = B) when N1 < N2 -> union_into(A, B);
union(A, B) -> union_into(B, A).

union_into({N1, _} = Few, {N2, T2} = Many) ->
    case N1 < 10 orelse N2 >= N1 * round(1.46 * math:log(N2)) of
        true -> lists:foldl(fun add/2, Many, to_list(Few));
        false -> from_ordset(ordsets:union(to_list(Few), elements(T2, [])))
    end.

union([S | Sets]) -> lists:foldl(fun(B, A) -> union(A, B) end, S, Sets);
union([]) -> empty().

intersection(A, B) -> from_ordset(ordsets:intersection(to_list(A), to_list(B))).

intersection([S]) -> S;
intersection([A, B | Sets]) -> intersection([intersection(A, B) | Sets]).

subtract(A, B) -> difference(A, B).
difference(A, B) -> from_ordset(ordsets:subtract(to_list(A), to_list(B))).
is_disjoint(A, B) -> ordsets:is_disjoint(to_list(A), to_list(B)).
is_subset(A, B) -> ordsets:is_subset(to_list(A), to_list(B)).

is_set({0, nil}) -> true;
is_set({Size, {_, _, _}}) when is_integer(Size), Size >= 0 -> true;
is_set(_) -> false.

fold(F, Acc, S) when is_function(F, 2) -> lists:foldl(F, Acc, to_list(S)).
filter(F, S) when is_function(F, 1) -> from_ordset([E || E <- to_list(S), F(E)]).

iterator({_, T}) -> down(T, []).

down({_, nil, _} = T, Path) -> [T | Path];
down({_, Less, _} = T, Path) -> down(Less, [T | Path]);
down(nil, Path) -> Path.

iterator_from(E, {_, T}) -> down_from(E, T, []).

down_from(E, {E1, _, More}, Path) when E1 < E -> down_from(E, More, Path);
down_from(E, {E1, _, _} = T, Path) when E1 == E -> [T | Path];
down_from(E, {_, Less, _} = T, Path) -> down_from(E, Less, [T | Path]);
down_from(_, nil, Path) -> Path.

next([{E, _, More} | Path]) -> {E, down(More, Path)};
next([]) -> none.
