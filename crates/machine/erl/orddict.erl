%% Dictionaries as lists of pairs in key order.
-module(orddict).
-export([new/0, is_key/2, to_list/1, from_list/1, size/1, is_empty/1, fetch/2, find/2]).
-export([fetch_keys/1, erase/2, take/2, store/3, append/3, append_list/3, update/3, update/4]).
-export([update_counter/3, fold/3, map/2, filter/2, merge/3]).

new() -> [].

is_key(K, [{K1, _} | _]) when K < K1 -> false;
is_key(K, [{K1, _} | D]) when K > K1 -> is_key(K, D);
is_key(_, [_ | _]) -> true;
is_key(_, []) -> false.

to_list(D) -> D.

from_list([]) -> [];
from_list([{_, _}] = Pair) -> Pair;
%% Of equal keys the last pair counts.
from_list(Pairs) -> lists:ukeysort(1, lists:reverse(Pairs)).

size(D) -> length(D).

is_empty([]) -> true;
is_empty([_ | _]) -> false.

fetch(K, [{K1, _} | D]) when K > K1 -> fetch(K, D);
fetch(K, [{K1, V} | _]) when K == K1 -> V.

find(K, [{K1, _} | _]) when K < K1 -> error;
find(K, [{K1, _} | D]) when K > K1 -> find(K, D);
find(_, [{_, V} | _]) -> {ok, V};
find(_, []) -> error.

fetch_keys(D) -> [K || {K, _} <- D].

erase(K, [{K1, _} = P | D]) when K > K1 -> [P | erase(K, D)];
erase(K, [{K1, _} | _] = D) when K < K1 -> D;
erase(_, [_ | D]) -> D;
erase(_, []) -> [].

take(K, D) -> take(K, D, []).

take(K, [{K1, _} | _], _) when K < K1 -> error;
take(K, [{K1, _} = P | D], Before) when K > K1 -> take(K, D, [P | Before]);
take(_, [{_, V} | D], Before) -> {V, lists:reverse(Before, D)};
take(_, [], _) -> error.

store(K, V, [{K1, _} = P | D]) when K > K1 -> [P | store(K, V, D)];
store(K, V, [{K1, _} | _] = D) when K < K1 -> [{K, V} | D];
store(K, V, [_ | D]) -> [{K, V} | D];
store(K, V, []) -> [{K, V}].

append(K, V, D) -> append_list(K, [V], D).

append_list(K, Vs, [{K1, _} = P | D]) when K > K1 -> [P | append_list(K, Vs, D)];
append_list(K, Vs, [{K1, _} | _] = D) when K < K1 -> [{K, Vs} | D];
append_list(K, Vs, [{_, Old} | D]) -> [{K, Old ++ Vs} | D];
append_list(K, Vs, []) -> [{K, Vs}].

update(K, F, [{K1, _} = P | D]) when K > K1 -> [P | update(K, F, D)];
update(K, F, [{K1, V} | D]) when K == K1 -> [{K, F(V)} | D].

update(K, F, Init, [{K1, _} = P | D]) when K > K1 -> [P | update(K, F, Init, D)];
update(K, _, Init, [{K1, _} | _] = D) when K < K1 -> [{K, Init} | D];
update(K, F, _, [{_, V} | D]) -> [{K, F(V)} | D];
update(K, _, Init, []) -> [{K, Init}].

update_counter(K, N, D) -> update(K, fun(V) -> V + N end, N, D).

fold(F, Acc, [{K, V} | D]) -> fold(F, F(K, V, Acc), D);
fold(F, Acc, []) when is_function(F, 3) -> Acc.

map(F, [{K, V} | D]) -> [{K, F(K, V)} | map(F, D)];
map(F, []) when is_function(F, 2) -> [].

filter(F, [{K, V} = P | D]) ->
    case F(K, V) of
        true -> [P | filter(F, D)];
        false -> filter(F, D)
    end;
filter(F, []) when is_function(F, 2) ->
    [].

merge(F, [{K1, _} = P | D1], [{K2, _} | _] = D2) when K1 < K2 -> [P | merge(F, D1, D2)];
merge(F, [{K1, _} | _] = D1, [{K2, _} = P | D2]) when K1 > K2 -> [P | merge(F, D1, D2)];
merge(F, [{K, V1} | D1], [{_, V2} | D2]) -> [{K, F(K, V1, V2)} | merge(F, D1, D2)];
merge(F, [], D2) when is_function(F, 3) -> D2;
merge(F, D1, []) when is_function(F, 3) -> D1.
