%% Maps: what is written in Erlang.
-module(maps).
-export([get/3, size/1, filter/2, filtermap/2, fold/3, foreach/2, map/2, to_list/1, update_with/3]).
-export([update_with/4, with/2, without/2, groups_from_list/2, groups_from_list/3, intersect/2]).
-export([intersect_with/3, merge_with/3, new/0, iterator/1, next/1]).

-define(INFO, [{error_info, #{module => erl_stdlib_errors}}]).

new() -> #{}.

size(M) -> erlang:map_size(M).

get(K, M, Default) when is_map(M) ->
    case M of
        #{K := V} -> V;
        #{} -> Default
    end;
get(K, M, Default) ->
    error({badmap, M}, [K, M, Default], ?INFO).

%% The pairs of a map or of an iterator.
pairs(M) when is_map(M) -> pairs(next(iterator(M)), []);
pairs(Iterator) ->
    try next(Iterator) of
        Next -> pairs(Next, [])
    catch
        error:_ -> error({badmap, Iterator})
    end.

pairs({K, V, Iterator}, L) -> pairs(next(Iterator), [{K, V} | L]);
pairs(none, L) -> lists:reverse(L).

to_list(M) -> pairs(M).

filter(F, M) when is_function(F, 2) -> from_list([P || {K, V} = P <- pairs(M), F(K, V)]);
filter(F, M) -> error(badarg, [F, M], ?INFO).

filtermap(F, M) when is_function(F, 2) ->
    Keep = fun({K, V} = P) ->
        case F(K, V) of
            true -> {true, P};
            {true, New} -> {true, {K, New}};
            false -> false
        end
    end,
    from_list(lists:filtermap(Keep, pairs(M)));
filtermap(F, M) -> error(badarg, [F, M], ?INFO).

fold(F, Acc, M) when is_function(F, 3) ->
    lists:foldl(fun({K, V}, A) -> F(K, V, A) end, Acc, pairs(M));
fold(F, Acc, M) -> error(badarg, [F, Acc, M], ?INFO).

foreach(F, M) when is_function(F, 2) -> lists:foreach(fun({K, V}) -> F(K, V) end, pairs(M));
foreach(F, M) -> error(badarg, [F, M], ?INFO).

map(F, M) when is_function(F, 2) -> from_list([{K, F(K, V)} || {K, V} <- pairs(M)]);
map(F, M) -> error(badarg, [F, M], ?INFO).

from_list(L) -> maps:from_list(L).

update_with(K, F, M) when is_function(F, 1), is_map(M) ->
    case M of
        #{K := V} -> M#{K := F(V)};
        #{} -> error({badkey, K}, [K, F, M], ?INFO)
    end;
update_with(K, F, M) when is_map(M) -> error(badarg, [K, F, M], ?INFO);
update_with(K, F, M) -> error({badmap, M}, [K, F, M], ?INFO).

update_with(K, F, Init, M) when is_function(F, 1), is_map(M) ->
    case M of
        #{K := V} -> M#{K := F(V)};
        #{} -> M#{K => Init}
    end;
update_with(K, F, Init, M) when is_map(M) -> error(badarg, [K, F, Init, M], ?INFO);
update_with(K, F, Init, M) -> error({badmap, M}, [K, F, Init, M], ?INFO).

with(Ks, M) when is_list(Ks), is_map(M) -> from_list([{K, map_get(K, M)} || K <- Ks, is_map_key(K, M)]);
with(Ks, M) when is_map(M) -> error(badarg, [Ks, M], ?INFO);
with(Ks, M) -> error({badmap, M}, [Ks, M], ?INFO).

without(Ks, M) when is_list(Ks), is_map(M) -> lists:foldl(fun maps:remove/2, M, Ks);
without(Ks, M) when is_map(M) -> error(badarg, [Ks, M], ?INFO);
without(Ks, M) -> error({badmap, M}, [Ks, M], ?INFO).

groups_from_list(F, L) -> groups_from_list(F, fun(X) -> X end, L).

groups_from_list(F, G, L) when is_function(F, 1), is_function(G, 1) ->
    Add = fun(X, M) ->
        K = F(X),
        M#{K => [G(X) | get(K, M, [])]}
    end,
    lists:foldl(Add, #{}, lists:reverse(L));
groups_from_list(F, G, L) -> error(badarg, [F, G, L], ?INFO).

intersect(A, B) -> intersect_with(fun(_, _, V) -> V end, A, B).

intersect_with(F, A, B) when is_function(F, 3), is_map(A), is_map(B) ->
    from_list([{K, F(K, V, map_get(K, B))} || {K, V} <- pairs(A), is_map_key(K, B)]);
intersect_with(F, A, B) -> error(badmap_of(A, B), [F, A, B], ?INFO).

merge_with(F, A, B) when is_function(F, 3), is_map(A), is_map(B) ->
    Both = [{K, F(K, V, map_get(K, B))} || {K, V} <- pairs(A), is_map_key(K, B)],
    maps:merge(maps:merge(A, B), from_list(Both));
merge_with(F, A, B) -> error(badmap_of(A, B), [F, A, B], ?INFO).

badmap_of(A, B) when is_map(A), is_map(B) -> badarg;
badmap_of(A, B) when is_map(A) -> {badmap, B};
badmap_of(A, _) -> {badmap, A}.

iterator(M) when is_map(M) -> [0 | M];
iterator(M) -> error({badmap, M}, [M], ?INFO).

next({K, V, Iterator}) -> {K, V, Iterator};
next([Path | M]) when is_map(M) -> erts_internal:map_next(Path, M, iterator);
next(none) -> none;
next(Iterator) -> error(badarg, [Iterator], ?INFO).
