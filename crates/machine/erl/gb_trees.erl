%% General balanced trees (A. Andersson, 1999): a tree is rebuilt where it has become too high
%% for its size; deletion never rebuilds.
-module(gb_trees).
-export([empty/0, is_empty/1, size/1, lookup/2, is_defined/2, get/2, insert/3, update/3]).
-export([enter/3, delete/2, delete_any/2, take/2, take_any/2, balance/1, from_orddict/1]).
-export([to_list/1, keys/1, values/1, smallest/1, largest/1, take_smallest/1, take_largest/1]).
-export([iterator/1, iterator_from/2, next/1, map/2]).

empty() -> {0, nil}.
is_empty({0, nil}) -> true;
is_empty(_) -> false.
size({Size, _}) -> Size.

lookup(K, {_, T}) -> find(K, T).

find(K, {K1, _, Less, _}) when K < K1 -> find(K, Less);
find(K, {K1, _, _, More}) when K > K1 -> find(K, More);
find(_, {_, V, _, _}) -> {value, V};
find(_, nil) -> none.

is_defined(K, Tree) -> lookup(K, Tree) =/= none.

get(K, {_, T}) -> get_in(K, T).

get_in(K, {K1, _, Less, _}) when K < K1 -> get_in(K, Less);
get_in(K, {K1, _, _, More}) when K > K1 -> get_in(K, More);
get_in(_, {_, V, _, _}) -> V.

update(K, V, {Size, T}) -> {Size, update_in(K, V, T)}.

update_in(K, V, {K1, V1, Less, More}) when K < K1 -> {K1, V1, update_in(K, V, Less), More};
update_in(K, V, {K1, V1, Less, More}) when K > K1 -> {K1, V1, Less, update_in(K, V, More)};
update_in(K, V, {_, _, Less, More}) -> {K, V, Less, More}.

enter(K, V, Tree) ->
    case is_defined(K, Tree) of
        true -> update(K, V, Tree);
        false -> insert(K, V, Tree)
    end.

%% The budget for depth halves with each level. Where it is used up, heights (as powers of two)
%% and sizes are counted on the way back, until a subtree is found that is too high.
insert(K, V, {Size, T}) ->
    case insert_in(K, V, T, (Size + 1) * (Size + 1)) of
        {deep, T1, _, _} -> {Size + 1, T1};
        {done, T1} -> {Size + 1, T1}
    end.

insert_in(K, V, nil, 0) -> {deep, {K, V, nil, nil}, 1, 1};
insert_in(K, V, nil, _) -> {done, {K, V, nil, nil}};
insert_in(K, V, {K1, V1, Less, More}, Budget) when K < K1 ->
    case insert_in(K, V, Less, Budget bsr 1) of
        {done, Less1} -> {done, {K1, V1, Less1, More}};
        {deep, Less1, H, S} -> checked({K1, V1, Less1, More}, H, S, More)
    end;
insert_in(K, V, {K1, V1, Less, More}, Budget) when K > K1 ->
    case insert_in(K, V, More, Budget bsr 1) of
        {done, More1} -> {done, {K1, V1, Less, More1}};
        {deep, More1, H, S} -> checked({K1, V1, Less, More1}, H, S, Less)
    end;
insert_in(K, _, _, _) ->
    error({key_exists, K}).

checked(T, H1, S1, Other) ->
    {H2, S2} = count(Other),
    Height = 2 * max(H1, H2),
    Size = S1 + S2 + 1,
    case Height > Size * Size of
        true -> {done, balanced(T, Size)};
        false -> {deep, T, Height, Size}
    end.

count(nil) -> {1, 0};
count({_, _, nil, nil}) -> {1, 1};
count({_, _, Less, More}) ->
    {H1, S1} = count(Less),
    {H2, S2} = count(More),
    {2 * max(H1, H2), S1 + S2 + 1}.

balance({Size, T}) -> {Size, balanced(T, Size)}.

balanced(T, Size) ->
    {T1, []} = build(pairs(T, []), Size),
    T1.

build(L, 0) -> {nil, L};
build([{K, V} | L], 1) -> {{K, V, nil, nil}, L};
build(L, Size) ->
    More = (Size - 1) div 2,
    {T1, [{K, V} | L1]} = build(L, Size - 1 - More),
    {T2, L2} = build(L1, More),
    {{K, V, T1, T2}, L2}.

from_orddict(L) ->
    Size = length(L),
    {T, []} = build(L, Size),
    {Size, T}.

to_list({_, T}) -> pairs(T, []).

pairs({K, V, Less, More}, Acc) -> pairs(Less, [{K, V} | pairs(More, Acc)]);
pairs(nil, Acc) -> Acc.

keys(Tree) -> [K || {K, _} <- to_list(Tree)].
values(Tree) -> [V || {_, V} <- to_list(Tree)].

delete(K, {Size, T}) when Size >= 0 -> {Size - 1, delete_in(K, T)}.

delete_in(K, {K1, V, Less, More}) when K < K1 -> {K1, V, delete_in(K, Less), More};
delete_in(K, {K1, V, Less, More}) when K > K1 -> {K1, V, Less, delete_in(K, More)};
delete_in(_, {_, _, Less, More}) -> joined(Less, More).

joined(Less, nil) -> Less;
joined(nil, More) -> More;
joined(Less, More) ->
    {K, V, More1} = first_out(More),
    {K, V, Less, More1}.

delete_any(K, Tree) ->
    case is_defined(K, Tree) of
        true -> delete(K, Tree);
        false -> Tree
    end.

take(K, Tree) -> {get(K, Tree), delete(K, Tree)}.

take_any(K, Tree) ->
    case is_defined(K, Tree) of
        true -> take(K, Tree);
        false -> error
    end.

smallest({_, {K, V, nil, _}}) -> {K, V};
smallest({Size, {_, _, Less, _}}) -> smallest({Size, Less}).

largest({_, {K, V, _, nil}}) -> {K, V};
largest({Size, {_, _, _, More}}) -> largest({Size, More}).

take_smallest({Size, T}) when Size >= 0 ->
    {K, V, T1} = first_out(T),
    {K, V, {Size - 1, T1}}.

first_out({K, V, nil, More}) -> {K, V, More};
first_out({K, V, Less, More}) ->
    {K1, V1, Less1} = first_out(Less),
    {K1, V1, {K, V, Less1, More}}.

take_largest({Size, T}) when Size >= 0 ->
    {K, V, T1} = last_out(T),
    {K, V, {Size - 1, T1}}.

last_out({K, V, Less, nil}) -> {K, V, Less};
last_out({K, V, Less, More}) ->
    {K1, V1, More1} = last_out(More),
    {K1, V1, {K, V, Less, More1}}.

%% The nodes whose own pair and right side are still to come, the next one first.
iterator({_, T}) -> down(T, []).

down({_, _, nil, _} = T, Path) -> [T | Path];
down({_, _, Less, _} = T, Path) -> down(Less, [T | Path]);
down(nil, Path) -> Path.

iterator_from(K, {_, T}) -> down_from(K, T, []).

down_from(K, {K1, _, _, More}, Path) when K1 < K -> down_from(K, More, Path);
down_from(K, {K1, _, _, _} = T, Path) when K1 == K -> [T | Path];
down_from(K, {_, _, Less, _} = T, Path) -> down_from(K, Less, [T | Path]);
down_from(_, nil, Path) -> Path.

next([{K, V, _, More} | Path]) -> {K, V, down(More, Path)};
next([]) -> none.

map(F, {Size, T}) when is_function(F, 2) -> {Size, map_in(F, T)}.

map_in(F, {K, V, Less, More}) -> {K, F(K, V), map_in(F, Less), map_in(F, More)};
map_in(_, nil) -> nil.
