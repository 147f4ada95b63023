%% Dictionaries as linear hash tables: slots in segments of 16, one slot more or fewer at a time.
-module(dict).
-export([new/0, is_key/2, to_list/1, from_list/1, size/1, is_empty/1, fetch/2, find/2]).
-export([fetch_keys/1, erase/2, take/2, store/3, append/3, append_list/3, update/3, update/4]).
-export([update_counter/3, fold/3, map/2, filter/2, merge/3]).

-define(SEGMENT, 16).
-define(EXPAND_LOAD, 5).
-define(CONTRACT_LOAD, 3).

%% slots: in use; max: how many the segments have room for; buddy: how far a slot is from the
%% one that it was split from.
-record(dict, {
    size = 0,
    slots = ?SEGMENT,
    max = ?SEGMENT,
    buddy = ?SEGMENT div 2,
    expand = ?SEGMENT * ?EXPAND_LOAD,
    contract = ?SEGMENT * ?CONTRACT_LOAD,
    empty,
    segments
}).

new() ->
    Empty = erlang:make_tuple(?SEGMENT, []),
    #dict{empty = Empty, segments = {Empty}}.

size(#dict{size = Size}) -> Size.
is_empty(#dict{size = Size}) -> Size =:= 0.

is_key(K, D) -> found(K, bucket(slot(K, D), D)) =/= none.

find(K, D) ->
    case found(K, bucket(slot(K, D), D)) of
        [_ | V] -> {ok, V};
        none -> error
    end.

fetch(K, D) ->
    case found(K, bucket(slot(K, D), D)) of
        [_ | V] -> V;
        none -> error(badarg, [K, D])
    end.

found(K, [[K | _] = Pair | _]) -> Pair;
found(K, [_ | Bucket]) -> found(K, Bucket);
found(_, []) -> none.

to_list(D) -> fold(fun(K, V, L) -> [{K, V} | L] end, [], D).
fetch_keys(D) -> fold(fun(K, _, L) -> [K | L] end, [], D).
from_list(L) -> lists:foldl(fun({K, V}, D) -> store(K, V, D) end, new(), L).

store(K, V, D) -> change(K, fun(_) -> V end, {add, V}, D).
append(K, V, D) -> append_list(K, [V], D).
append_list(K, Vs, D) -> change(K, fun(Old) -> Old ++ Vs end, {add, Vs}, D).
update(K, F, D) -> change(K, F, refuse, D).
update(K, F, Init, D) -> change(K, F, {add, Init}, D).
update_counter(K, N, D) when is_number(N) -> change(K, fun(V) -> V + N end, {add, N}, D).

%% The value of a key replaced, or added as the last of its bucket.
change(K, F, Missing, D) ->
    Slot = slot(K, D),
    Bucket = bucket(Slot, D),
    case found(K, Bucket) of
        none ->
            case Missing of
                {add, V} ->
                    grow(set_bucket(Slot, Bucket ++ [[K | V]], D#dict{size = D#dict.size + 1}));
                refuse ->
                    error(badarg, [K, F, D])
            end;
        [_ | _] ->
            set_bucket(Slot, changed(K, F, Bucket), D)
    end.

changed(K, F, [[K | V] | Bucket]) -> [[K | F(V)] | Bucket];
changed(K, F, [Pair | Bucket]) -> [Pair | changed(K, F, Bucket)].

erase(K, D) ->
    case take(K, D) of
        {_, Without} -> Without;
        error -> D
    end.

take(K, D) ->
    Slot = slot(K, D),
    Bucket = bucket(Slot, D),
    case found(K, Bucket) of
        none ->
            error;
        [_ | V] = Pair ->
            D1 = set_bucket(Slot, lists:delete(Pair, Bucket), D#dict{size = D#dict.size - 1}),
            {V, shrink(D1, 1)}
    end.

%% Segments and slots are gone through from the last one, buckets from the first pair.
fold(F, Acc, #dict{segments = Segments}) when is_function(F, 3) ->
    In = fun(Bucket, A) -> lists:foldl(fun([K | V], A1) -> F(K, V, A1) end, A, Bucket) end,
    lists:foldl(
        fun(Segment, A) -> lists:foldl(In, A, lists:reverse(tuple_to_list(Segment))) end,
        Acc,
        lists:reverse(tuple_to_list(Segments))
    ).

map(F, D) when is_function(F, 2) ->
    buckets(fun(Bucket) -> [[K | F(K, V)] || [K | V] <- Bucket] end, D).

filter(F, D) when is_function(F, 2) ->
    Kept = buckets(fun(Bucket) -> [Pair || [K | V] = Pair <- Bucket, F(K, V)] end, D),
    Size = fold(fun(_, _, N) -> N + 1 end, 0, Kept),
    shrink(Kept#dict{size = Size}, D#dict.size - Size).

buckets(F, #dict{segments = Segments} = D) ->
    In = fun(Segment) -> list_to_tuple([F(Bucket) || Bucket <- tuple_to_list(Segment)]) end,
    D#dict{segments = list_to_tuple([In(Segment) || Segment <- tuple_to_list(Segments)])}.

%% The smaller one is put into the larger.
merge(F, D1, D2) when is_function(F, 3), D1#dict.size < D2#dict.size ->
    fold(fun(K, V1, D) -> update(K, fun(V2) -> F(K, V1, V2) end, V1, D) end, D2, D1);
merge(F, D1, D2) when is_function(F, 3) ->
    fold(fun(K, V2, D) -> update(K, fun(V1) -> F(K, V1, V2) end, V2, D) end, D1, D2).

slot(K, #dict{max = Max, slots = Slots, buddy = Buddy}) ->
    case erlang:phash(K, Max) of
        H when H > Slots -> H - Buddy;
        H -> H
    end.

bucket(Slot, #dict{segments = Segments}) ->
    element((Slot - 1) rem ?SEGMENT + 1, element((Slot - 1) div ?SEGMENT + 1, Segments)).

set_bucket(Slot, Bucket, #dict{segments = Segments} = D) ->
    I = (Slot - 1) div ?SEGMENT + 1,
    Segment = setelement((Slot - 1) rem ?SEGMENT + 1, element(I, Segments), Bucket),
    D#dict{segments = setelement(I, Segments, Segment)}.

%% One slot more: what its buddy held is divided among the two.
grow(#dict{size = Size, expand = Expand} = D) when Size > Expand ->
    D1 = with_room(D),
    Slots = D1#dict.slots + 1,
    Old = Slots - D1#dict.buddy,
    D2 = resized(Slots, D1),
    {Stay, Move} = lists:partition(fun([K | _]) -> slot(K, D2) =:= Old end, bucket(Old, D1)),
    set_bucket(Slots, Move, set_bucket(Old, Stay, D2));
grow(D) ->
    D.

with_room(#dict{slots = Max, max = Max, segments = Segments, empty = Empty} = D) ->
    More = lists:duplicate(tuple_size(Segments), Empty),
    D#dict{
        max = Max * 2,
        buddy = D#dict.buddy * 2,
        segments = list_to_tuple(tuple_to_list(Segments) ++ More)
    };
with_room(D) ->
    D.

shrink(D, 0) ->
    D;
shrink(#dict{size = Size, contract = Contract, slots = Slots} = D, N) when
    Size < Contract, Slots > ?SEGMENT
->
    Old = Slots - D#dict.buddy,
    Bucket = bucket(Old, D) ++ bucket(Slots, D),
    D1 = set_bucket(Slots, [], set_bucket(Old, Bucket, D)),
    shrink(without_room(resized(Slots - 1, D1)), N - 1);
shrink(D, _) ->
    D.

resized(Slots, D) ->
    D#dict{slots = Slots, expand = Slots * ?EXPAND_LOAD, contract = Slots * ?CONTRACT_LOAD}.

without_room(#dict{slots = Buddy, buddy = Buddy, segments = Segments} = D) ->
    Half = lists:sublist(tuple_to_list(Segments), tuple_size(Segments) div 2),
    D#dict{max = D#dict.max div 2, buddy = Buddy div 2, segments = list_to_tuple(Half)};
without_room(D) ->
    D.
