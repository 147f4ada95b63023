%% Arrays as trees: leaves of ten, nodes of ten and the capacity of each child. A number in the
%% place of a subtree is one of that capacity that holds only defaults.
-module(array).
-export([new/0, new/1, new/2, is_array/1, size/1, default/1, is_fix/1, fix/1, relax/1]).
-export([resize/1, resize/2, set/3, get/2, reset/2, to_list/1, sparse_to_list/1]).
-export([from_list/1, from_list/2, to_orddict/1, sparse_to_orddict/1, from_orddict/1]).
-export([from_orddict/2, map/2, sparse_map/2, foldl/3, foldr/3, sparse_foldl/3]).
-export([sparse_foldr/3, sparse_size/1]).

-define(TEN, 10).

%% max is 0 when the array is fixed.
-record(array, {size, max, default, elements}).

new() -> new([]).

new(Size) when is_integer(Size), Size >= 0 -> new(Size, []);
new(Options) -> create(Options, 0, false, undefined).

new(Size, Options) when is_integer(Size), Size >= 0 -> create(Options, Size, true, undefined);
new(Size, Options) -> error(badarg, [Size, Options]).

create([{default, D} | Os], Size, Fixed, _) -> create(Os, Size, Fixed, D);
create([{fixed, Fixed} | Os], Size, _, D) when is_boolean(Fixed) -> create(Os, Size, Fixed, D);
create([fixed | Os], Size, _, D) -> create(Os, Size, true, D);
create([{size, Size} | Os], _, _, D) when is_integer(Size), Size >= 0 -> create(Os, Size, true, D);
create([Size | Os], _, _, D) when is_integer(Size), Size >= 0 -> create(Os, Size, true, D);
create([], Size, Fixed, D) ->
    Capacity = capacity(Size - 1, ?TEN),
    Max = if Fixed -> 0; true -> Capacity end,
    #array{size = Size, max = Max, default = D, elements = Capacity};
create(Option, Size, Fixed, D) when not is_list(Option) -> create([Option], Size, Fixed, D);
create(_, _, _, _) -> error(badarg).

capacity(I, C) when I >= C -> capacity(I, C * ?TEN);
capacity(_, C) -> C.

is_array(#array{size = Size, max = Max}) when is_integer(Size), is_integer(Max) -> true;
is_array(_) -> false.

size(#array{size = Size}) -> Size;
size(_) -> error(badarg).

default(#array{default = D}) -> D;
default(_) -> error(badarg).

is_fix(#array{max = 0}) -> true;
is_fix(#array{}) -> false.

fix(#array{} = A) -> A#array{max = 0}.
relax(#array{size = Size} = A) -> A#array{max = capacity(Size - 1, ?TEN)}.

resize(#array{} = A) -> resize(sparse_size(A), A).

resize(Size, #array{size = Old, max = Max, elements = E} = A) when is_integer(Size), Size >= 0 ->
    if
        Size > Old ->
            {E1, C} = grown(Size - 1, E, whole(E, Max, Old)),
            A#array{size = Size, max = if Max > 0 -> C; true -> 0 end, elements = E1};
        true ->
            A#array{size = Size}
    end;
resize(_, _) ->
    error(badarg).

whole(_, Max, _) when Max > 0 -> Max;
whole(E, 0, _) when is_integer(E) -> E;
whole(_, 0, Size) -> capacity(Size - 1, ?TEN).

set(I, V, #array{size = Size, max = Max, default = D, elements = E} = A) when is_integer(I), I >= 0 ->
    if
        I < Size ->
            A#array{elements = put_in(I, V, E, D)};
        I < Max ->
            A#array{size = I + 1, elements = put_in(I, V, E, D)};
        Max > 0 ->
            {E1, Max1} = grown(I, E, Max),
            A#array{size = I + 1, max = Max1, elements = put_in(I, V, E1, D)};
        true ->
            error(badarg)
    end;
set(_, _, _) ->
    error(badarg).

%% As many levels on top as the index needs.
grown(I, E, Max) when I < Max -> {E, Max};
grown(I, E, Max) when is_integer(E) -> grown(I, Max * ?TEN, Max * ?TEN);
grown(I, E, Max) ->
    Node = list_to_tuple([E | lists:duplicate(?TEN - 1, Max)] ++ [Max]),
    grown(I, Node, Max * ?TEN).

put_in(I, V, E, D) when is_integer(E) -> put_in(I, V, opened(E, D), D);
put_in(I, V, E, D) when tuple_size(E) > ?TEN ->
    C = element(?TEN + 1, E),
    At = I div C + 1,
    setelement(At, E, put_in(I rem C, V, element(At, E), D));
put_in(I, V, E, _) ->
    setelement(I + 1, E, V).

opened(?TEN, D) -> erlang:make_tuple(?TEN, D);
opened(C, _) -> erlang:make_tuple(?TEN + 1, C div ?TEN).

get(I, #array{size = Size, max = Max, default = D, elements = E}) when is_integer(I), I >= 0 ->
    if
        I < Size -> get_in(I, E, D);
        Max > 0 -> D;
        true -> error(badarg)
    end;
get(_, _) ->
    error(badarg).

get_in(_, E, D) when is_integer(E) -> D;
get_in(I, E, D) when tuple_size(E) > ?TEN ->
    C = element(?TEN + 1, E),
    get_in(I rem C, element(I div C + 1, E), D);
get_in(I, E, _) ->
    element(I + 1, E).

reset(I, #array{size = Size, max = Max, default = D} = A) when is_integer(I), I >= 0 ->
    if
        I < Size ->
            case get(I, A) of
                D -> A;
                _ -> set(I, D, A)
            end;
        Max > 0 -> A;
        true -> error(badarg)
    end;
reset(_, _) ->
    error(badarg).

to_list(A) -> foldr(fun(_, V, L) -> [V | L] end, [], A).
sparse_to_list(A) -> sparse_foldr(fun(_, V, L) -> [V | L] end, [], A).
to_orddict(A) -> foldr(fun(I, V, L) -> [{I, V} | L] end, [], A).
sparse_to_orddict(A) -> sparse_foldr(fun(I, V, L) -> [{I, V} | L] end, [], A).

from_list(L) -> from_list(L, undefined).

from_list(L, D) when is_list(L) ->
    {_, A} = lists:foldl(fun(V, {I, A}) -> {I + 1, set(I, V, A)} end, {0, new({default, D})}, L),
    A;
from_list(_, _) ->
    error(badarg).

from_orddict(L) -> from_orddict(L, undefined).

from_orddict(L, D) when is_list(L) ->
    lists:foldl(fun({I, V}, A) -> set(I, V, A) end, new({default, D}), L);
from_orddict(_, _) ->
    error(badarg).

map(F, #array{} = A) when is_function(F, 2) ->
    foldl(fun(I, V, B) -> set(I, F(I, V), B) end, A, A);
map(_, _) ->
    error(badarg).

sparse_map(F, #array{} = A) when is_function(F, 2) ->
    sparse_foldl(fun(I, V, B) -> set(I, F(I, V), B) end, A, A);
sparse_map(_, _) ->
    error(badarg).

foldl(F, Acc, #array{size = Size} = A) when is_function(F, 3) ->
    up(F, Acc, 0, Size, A);
foldl(_, _, _) ->
    error(badarg).

up(_, Acc, Size, Size, _) -> Acc;
up(F, Acc, I, Size, A) -> up(F, F(I, get(I, A), Acc), I + 1, Size, A).

foldr(F, Acc, #array{size = Size} = A) when is_function(F, 3) ->
    down(F, Acc, Size - 1, A);
foldr(_, _, _) ->
    error(badarg).

down(_, Acc, -1, _) -> Acc;
down(F, Acc, I, A) -> down(F, F(I, get(I, A), Acc), I - 1, A).

sparse_foldl(F, Acc, #array{default = D} = A) ->
    foldl(fun(_, V, Acc1) when V =:= D -> Acc1; (I, V, Acc1) -> F(I, V, Acc1) end, Acc, A).

sparse_foldr(F, Acc, #array{default = D} = A) ->
    foldr(fun(_, V, Acc1) when V =:= D -> Acc1; (I, V, Acc1) -> F(I, V, Acc1) end, Acc, A).

sparse_size(A) ->
    case sparse_to_orddict(A) of
        [] -> 0;
        L -> element(1, lists:last(L)) + 1
    end.
