%% Queues as two lists: the rear reversed, and the front. With two elements or more neither is
%% empty, so both ends are at hand.
-module(queue).
-export([new/0, is_queue/1, is_empty/1, len/1, to_list/1, from_list/1, member/2]).
-export([in/2, in_r/2, out/1, out_r/1, get/1, get_r/1, peek/1, peek_r/1, drop/1, drop_r/1]).
-export([reverse/1, join/2, split/2, filter/2, filtermap/2, fold/3, any/2, all/2]).
-export([delete/2, delete_r/2, delete_with/2, delete_with_r/2]).
-export([cons/2, head/1, tail/1, snoc/2, last/1, daeh/1, init/1, liat/1, lait/1]).

new() -> {[], []}.

is_queue({R, F}) when is_list(R), is_list(F) -> true;
is_queue(_) -> false.

is_empty({[], []}) -> true;
is_empty({R, F}) when is_list(R), is_list(F) -> false;
is_empty(Q) -> error(badarg, [Q]).

len({R, F}) when is_list(R), is_list(F) -> length(R) + length(F);
len(Q) -> error(badarg, [Q]).

to_list({R, F}) when is_list(R), is_list(F) -> F ++ lists:reverse(R);
to_list(Q) -> error(badarg, [Q]).

from_list(L) when is_list(L) -> spread_front(L);
from_list(L) -> error(badarg, [L]).

member(X, {R, F}) when is_list(R), is_list(F) -> lists:member(X, R) orelse lists:member(X, F);
member(X, Q) -> error(badarg, [X, Q]).

in(X, {[_] = R, []}) -> {[X], R};
in(X, {R, F}) when is_list(R), is_list(F) -> {[X | R], F};
in(X, Q) -> error(badarg, [X, Q]).

in_r(X, {[], [_] = F}) -> {F, [X]};
in_r(X, {R, F}) when is_list(R), is_list(F) -> {R, [X | F]};
in_r(X, Q) -> error(badarg, [X, Q]).

out({[], []} = Q) -> {empty, Q};
out({[X], []}) -> {{value, X}, {[], []}};
out({[Y | R], []}) ->
    [X | F] = lists:reverse(R),
    {{value, X}, {[Y], F}};
out({R, [X]}) when is_list(R) -> {{value, X}, spread_rear(R)};
out({R, [X | F]}) when is_list(R) -> {{value, X}, {R, F}};
out(Q) -> error(badarg, [Q]).

out_r({[], []} = Q) -> {empty, Q};
out_r({[], [X]}) -> {{value, X}, {[], []}};
out_r({[], [Y | F]}) ->
    [X | R] = lists:reverse(F),
    {{value, X}, {R, [Y]}};
out_r({[X], F}) when is_list(F) -> {{value, X}, spread_front(F)};
out_r({[X | R], F}) when is_list(F) -> {{value, X}, {R, F}};
out_r(Q) -> error(badarg, [Q]).

get(Q) ->
    case peek(Q) of
        {value, X} -> X;
        empty -> error(empty, [Q])
    end.

get_r(Q) ->
    case peek_r(Q) of
        {value, X} -> X;
        empty -> error(empty, [Q])
    end.

peek({[], []}) -> empty;
peek({R, [X | _]}) when is_list(R) -> {value, X};
peek({[X], []}) -> {value, X};
peek({[_ | R], []}) -> {value, lists:last(R)};
peek(Q) -> error(badarg, [Q]).

peek_r({[], []}) -> empty;
peek_r({[X | _], F}) when is_list(F) -> {value, X};
peek_r({[], [X]}) -> {value, X};
peek_r({[], [_ | F]}) -> {value, lists:last(F)};
peek_r(Q) -> error(badarg, [Q]).

drop(Q) ->
    case out(Q) of
        {{value, _}, Rest} -> Rest;
        {empty, _} -> error(empty, [Q])
    end.

drop_r(Q) ->
    case out_r(Q) of
        {{value, _}, Rest} -> Rest;
        {empty, _} -> error(empty, [Q])
    end.

reverse({R, F}) when is_list(R), is_list(F) -> {F, R};
reverse(Q) -> error(badarg, [Q]).

join({R, F} = Q, {[], []}) when is_list(R), is_list(F) -> Q;
join({[], []}, {R, F} = Q) when is_list(R), is_list(F) -> Q;
join({R1, F1}, {R2, F2}) when is_list(R1), is_list(F1), is_list(R2), is_list(F2) ->
    {R2, F1 ++ lists:reverse(R1, F2)};
join(Q1, Q2) -> error(badarg, [Q1, Q2]).

split(0, {R, F} = Q) when is_list(R), is_list(F) -> {{[], []}, Q};
split(N, {R, F} = Q) when is_integer(N), N >= 1, is_list(R), is_list(F) ->
    Front = length(F),
    All = Front + length(R),
    if
        N > All -> error(badarg, [N, Q]);
        N =:= All -> {Q, {[], []}};
        N =:= Front -> {spread_front(F), spread_rear(R)};
        N < Front ->
            {First, Rest} = lists:split(N, F),
            {spread_front(First), {R, Rest}};
        true ->
            {Rest, First} = lists:split(All - N, R),
            {{First, F}, spread_rear(Rest)}
    end;
split(N, Q) -> error(badarg, [N, Q]).

filter(Fun, {R0, F0}) when is_function(Fun, 1), is_list(R0), is_list(F0) ->
    Keep = fun(X) ->
        case Fun(X) of
            true -> [X];
            false -> [];
            L when is_list(L) -> L
        end
    end,
    F = lists:append([Keep(X) || X <- F0]),
    R = lists:reverse(lists:append([Keep(X) || X <- lists:reverse(R0)])),
    even(R, F);
filter(Fun, Q) -> error(badarg, [Fun, Q]).

filtermap(Fun, {R0, F0}) when is_function(Fun, 1), is_list(R0), is_list(F0) ->
    F = lists:filtermap(Fun, F0),
    R = lists:reverse(lists:filtermap(Fun, lists:reverse(R0))),
    even(R, F);
filtermap(Fun, Q) -> error(badarg, [Fun, Q]).

even([], F) -> spread_front(F);
even(R, []) -> spread_rear(R);
even(R, F) -> {R, F}.

fold(Fun, Acc, {R, F}) when is_function(Fun, 2), is_list(R), is_list(F) ->
    lists:foldr(Fun, lists:foldl(Fun, Acc, F), R);
fold(Fun, Acc, Q) -> error(badarg, [Fun, Acc, Q]).

any(Pred, {R, F}) when is_function(Pred, 1), is_list(R), is_list(F) ->
    lists:any(Pred, F) orelse lists:any(Pred, R);
any(Pred, Q) -> error(badarg, [Pred, Q]).

all(Pred, {R, F}) when is_function(Pred, 1), is_list(R), is_list(F) ->
    lists:all(Pred, F) andalso lists:all(Pred, R);
all(Pred, Q) -> error(badarg, [Pred, Q]).

delete(X, Q) -> delete_with(fun(Y) -> Y =:= X end, Q).
delete_r(X, Q) -> delete_with_r(fun(Y) -> Y =:= X end, Q).

delete_with(Pred, {R, F} = Q) when is_function(Pred, 1), is_list(R), is_list(F) ->
    case without(Pred, F) of
        none ->
            case without(Pred, lists:reverse(R)) of
                none -> Q;
                R1 -> even(lists:reverse(R1), F)
            end;
        F1 ->
            even(R, F1)
    end;
delete_with(Pred, Q) -> error(badarg, [Pred, Q]).

delete_with_r(Pred, {R, F}) -> reverse(delete_with(Pred, {F, R}));
delete_with_r(Pred, Q) -> error(badarg, [Pred, Q]).

without(Pred, L) ->
    case lists:splitwith(fun(X) -> not Pred(X) end, L) of
        {_, []} -> none;
        {Before, [_ | After]} -> Before ++ After
    end.

cons(X, Q) -> in_r(X, Q).
head(Q) -> get(Q).
tail(Q) -> drop(Q).
snoc(Q, X) -> in(X, Q).
daeh(Q) -> get_r(Q).
last(Q) -> get_r(Q).
init(Q) -> drop_r(Q).
liat(Q) -> drop_r(Q).
lait(Q) -> drop_r(Q).

%% A queue of what was all at one end: half of it moves, if there are three or more.
spread_front([]) -> {[], []};
spread_front([_] = F) -> {F, []};
spread_front(L) ->
    {F, R} = lists:split(length(L) div 2, L),
    {lists:reverse(R), F}.

spread_rear([]) -> {[], []};
spread_rear([_] = R) -> {[], R};
spread_rear(L) ->
    {R, F} = lists:split(length(L) div 2, L),
    {R, lists:reverse(F)}.
