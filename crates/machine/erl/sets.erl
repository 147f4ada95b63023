%% Sets: version 1 as linear hash tables (see dict), version 2 as maps.
-module(sets).
-export([new/0, new/1, is_set/1, size/1, is_empty/1, to_list/1, from_list/1, from_list/2]).
-export([is_element/2, add_element/2, del_element/2, union/1, union/2, intersection/1]).
-export([intersection/2, is_disjoint/2, subtract/2, is_subset/2, fold/3, filter/2]).

-define(SEGMENT, 16).
-define(EXPAND_LOAD, 5).
-define(CONTRACT_LOAD, 3).

-record(set, {
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
    #set{empty = Empty, segments = {Empty}}.

new([{version, 2}]) -> #{};
new(Options) ->
    case proplists:get_value(version, Options, 1) of
        1 -> new();
        2 -> #{}
    end.

from_list(L) -> lists:foldl(fun add_element/2, new(), L).

from_list(L, Options) ->
    case new(Options) of
        #{} -> maps:from_keys(L, []);
        _ -> from_list(L)
    end.

is_set(#{} = S) -> lists:all(fun(V) -> V =:= [] end, maps:values(S));
is_set(#set{}) -> true;
is_set(_) -> false.

size(#{} = S) -> map_size(S);
size(#set{size = Size}) -> Size.

is_empty(S) -> sets:size(S) =:= 0.

to_list(#{} = S) -> maps:keys(S);
to_list(S) -> fold(fun(E, L) -> [E | L] end, [], S).

is_element(E, #{} = S) -> is_map_key(E, S);
is_element(E, #set{} = S) -> lists:member(E, bucket(slot(E, S), S)).

add_element(E, #{} = S) -> S#{E => []};
add_element(E, #set{} = S) ->
    Slot = slot(E, S),
    Bucket = bucket(Slot, S),
    case lists:member(E, Bucket) of
        true -> S;
        false -> grow(set_bucket(Slot, [E | Bucket], S#set{size = S#set.size + 1}))
    end.

del_element(E, #{} = S) -> maps:remove(E, S);
del_element(E, #set{} = S) ->
    Slot = slot(E, S),
    Bucket = bucket(Slot, S),
    case lists:member(E, Bucket) of
        true -> shrink(set_bucket(Slot, lists:delete(E, Bucket), S#set{size = S#set.size - 1}), 1);
        false -> S
    end.

union(#{} = A, #{} = B) -> maps:merge(A, B);
union(A, B) ->
    case sets:size(A) < sets:size(B) of
        true -> fold(fun add_element/2, B, A);
        false -> fold(fun add_element/2, A, B)
    end.

union([A, B | Sets]) -> union([union(A, B) | Sets]);
union([S]) -> S;
union([]) -> new().

intersection(A, B) ->
    case sets:size(A) < sets:size(B) of
        true -> filter(fun(E) -> is_element(E, B) end, A);
        false -> filter(fun(E) -> is_element(E, A) end, B)
    end.

intersection([A, B | Sets]) -> intersection([intersection(A, B) | Sets]);
intersection([S]) -> S.

is_disjoint(A, B) ->
    case sets:size(A) < sets:size(B) of
        true -> not lists:any(fun(E) -> is_element(E, B) end, to_list(A));
        false -> not lists:any(fun(E) -> is_element(E, A) end, to_list(B))
    end.

subtract(A, B) -> filter(fun(E) -> not is_element(E, B) end, A).
is_subset(A, B) -> lists:all(fun(E) -> is_element(E, B) end, to_list(A)).

fold(F, Acc, #{} = S) -> lists:foldl(F, Acc, maps:keys(S));
fold(F, Acc, #set{segments = Segments}) when is_function(F, 2) ->
    In = fun(Bucket, A) -> lists:foldl(F, A, Bucket) end,
    lists:foldl(
        fun(Segment, A) -> lists:foldl(In, A, lists:reverse(tuple_to_list(Segment))) end,
        Acc,
        lists:reverse(tuple_to_list(Segments))
    ).

filter(F, #{} = S) -> maps:filter(fun(E, _) -> F(E) end, S);
filter(F, #set{segments = Segments} = S) when is_function(F, 1) ->
    In = fun(Segment) -> list_to_tuple([lists:filter(F, B) || B <- tuple_to_list(Segment)]) end,
    Kept = S#set{segments = list_to_tuple([In(Segment) || Segment <- tuple_to_list(Segments)])},
    Size = fold(fun(_, N) -> N + 1 end, 0, Kept),
    shrink(Kept#set{size = Size}, S#set.size - Size).

slot(E, #set{max = Max, slots = Slots, buddy = Buddy}) ->
    case erlang:phash(E, Max) of
        H when H > Slots -> H - Buddy;
        H -> H
    end.

bucket(Slot, #set{segments = Segments}) ->
    element((Slot - 1) rem ?SEGMENT + 1, element((Slot - 1) div ?SEGMENT + 1, Segments)).

set_bucket(Slot, Bucket, #set{segments = Segments} = S) ->
    I = (Slot - 1) div ?SEGMENT + 1,
    Segment = setelement((Slot - 1) rem ?SEGMENT + 1, element(I, Segments), Bucket),
    S#set{segments = setelement(I, Segments, Segment)}.

grow(#set{size = Size, expand = Expand} = S) when Size > Expand ->
    S1 = with_room(S),
    Slots = S1#set.slots + 1,
    Old = Slots - S1#set.buddy,
    S2 = resized(Slots, S1),
    {Stay, Move} = lists:partition(fun(E) -> slot(E, S2) =:= Old end, bucket(Old, S1)),
    set_bucket(Slots, Move, set_bucket(Old, Stay, S2));
grow(S) ->
    S.

with_room(#set{slots = Max, max = Max, segments = Segments, empty = Empty} = S) ->
    More = lists:duplicate(tuple_size(Segments), Empty),
    S#set{
        max = Max * 2,
        buddy = S#set.buddy * 2,
        segments = list_to_tuple(tuple_to_list(Segments) ++ More)
    };
with_room(S) ->
    S.

shrink(#set{size = Size, contract = Contract, slots = Slots} = S, N) when
    N > 0, Size < Contract, Slots > ?SEGMENT
->
    Old = Slots - S#set.buddy,
    Bucket = bucket(Old, S) ++ bucket(Slots, S),
    S1 = set_bucket(Slots, [], set_bucket(Old, Bucket, S)),
    shrink(without_room(resized(Slots - 1, S1)), N - 1);
shrink(S, _) ->
    S.

resized(Slots, S) ->
    S#set{slots = Slots, expand = Slots * ?EXPAND_LOAD, contract = Slots * ?CONTRACT_LOAD}.

without_room(#set{slots = Buddy, buddy = Buddy, segments = Segments} = S) ->
    Half = lists:sublist(tuple_to_list(Segments), tuple_size(Segments) div 2),
    S#set{max = S#set.max div 2, buddy = Buddy div 2, segments = list_to_tuple(Half)};
without_room(S) ->
    S.
