%% Lists. Many of these are built into the machine; the definitions here then say what happens
%% to arguments that are not as they should be.
-module(lists).
-export([all/2, any/2, append/1, append/2, concat/1, delete/2, droplast/1, dropwhile/2]).
-export([duplicate/2, enumerate/1, enumerate/2, filter/2, filtermap/2, flatlength/1, flatmap/2]).
-export([flatten/1, flatten/2, foldl/3, foldr/3, foreach/2, join/2, keydelete/3, keymap/3]).
-export([keymerge/3, keyreplace/4, keysort/2, keystore/4, keytake/3, last/1, map/2]).
-export([mapfoldl/3, mapfoldr/3, max/1, merge/1, merge/2, merge/3, merge3/3, min/1, nth/2]).
-export([nthtail/2, partition/2, prefix/2, reverse/1, search/2, seq/2, seq/3, sort/1, sort/2]).
-export([split/2, splitwith/2, sublist/2, sublist/3, subtract/2, suffix/2, sum/1, takewhile/2]).
-export([ukeymerge/3, ukeysort/2, umerge/1, umerge/2, umerge/3, umerge3/3, uniq/1, uniq/2]).
-export([unzip/1, unzip3/1, usort/1, usort/2, zf/2, zip/2, zip3/3, zipwith/3, zipwith3/4]).

all(F, [X | L]) ->
    case F(X) of
        true -> all(F, L);
        false -> false
    end;
all(F, []) when is_function(F, 1) -> true.

any(F, [X | L]) ->
    case F(X) of
        true -> true;
        false -> any(F, L)
    end;
any(F, []) when is_function(F, 1) -> false.

append([L]) -> L;
append([L | Ls]) -> L ++ append(Ls);
append([]) -> [].

append(A, B) -> A ++ B.

concat(Things) -> flatmap(fun thing/1, Things).

thing(X) when is_integer(X) -> integer_to_list(X);
thing(X) when is_float(X) -> float_to_list(X);
thing(X) when is_atom(X) -> atom_to_list(X);
thing(X) when is_list(X) -> X.

delete(X, [X | L]) -> L;
delete(X, [Y | L]) -> [Y | delete(X, L)];
delete(_, []) -> [].

droplast([_]) -> [];
droplast([X | L]) -> [X | droplast(L)].

dropwhile(F, [X | L] = All) ->
    case F(X) of
        true -> dropwhile(F, L);
        false -> All
    end;
dropwhile(F, []) when is_function(F, 1) -> [].

duplicate(N, X) when is_integer(N), N >= 0 -> duplicate(N, X, []).

duplicate(0, _, L) -> L;
duplicate(N, X, L) -> duplicate(N - 1, X, [X | L]).

enumerate(L) -> enumerate(1, L).

enumerate(I, [X | L]) when is_integer(I) -> [{I, X} | enumerate(I + 1, L)];
enumerate(I, []) when is_integer(I) -> [].

filter(F, L) when is_function(F, 1) -> [X || X <- L, F(X)].

filtermap(F, [X | L]) ->
    case F(X) of
        true -> [X | filtermap(F, L)];
        {true, Y} -> [Y | filtermap(F, L)];
        false -> filtermap(F, L)
    end;
filtermap(F, []) when is_function(F, 1) -> [].

zf(F, L) -> filtermap(F, L).

flatlength(L) -> length(flatten(L)).

flatmap(F, [X | L]) -> F(X) ++ flatmap(F, L);
flatmap(F, []) when is_function(F, 1) -> [].

flatten(L) when is_list(L) -> flat(L, []).
flatten(L, Tail) when is_list(L), is_list(Tail) -> flat(L, Tail).

flat([X | L], Tail) when is_list(X) -> flat(X, flat(L, Tail));
flat([X | L], Tail) -> [X | flat(L, Tail)];
flat([], Tail) -> Tail.

foldl(F, Acc, [X | L]) -> foldl(F, F(X, Acc), L);
foldl(F, Acc, []) when is_function(F, 2) -> Acc.

foldr(F, Acc, [X | L]) -> F(X, foldr(F, Acc, L));
foldr(F, Acc, []) when is_function(F, 2) -> Acc.

foreach(F, [X | L]) ->
    F(X),
    foreach(F, L);
foreach(F, []) when is_function(F, 1) -> ok.

join(_, []) -> [];
join(Between, [X | L]) -> [X | joined(Between, L)].

joined(Between, [X | L]) -> [Between, X | joined(Between, L)];
joined(_, []) -> [].

keydelete(K, N, L) when is_integer(N), N > 0 -> keydelete1(K, N, L).

keydelete1(K, N, [T | L]) when element(N, T) == K -> L;
keydelete1(K, N, [T | L]) -> [T | keydelete1(K, N, L)];
keydelete1(_, _, []) -> [].

keymap(F, N, [T | L]) -> [setelement(N, T, F(element(N, T))) | keymap(F, N, L)];
keymap(F, N, []) when is_integer(N), N >= 1, is_function(F, 1) -> [].

keymerge(N, A, B) -> merge(fun(X, Y) -> element(N, X) =< element(N, Y) end, A, B).

keyreplace(K, N, L, New) when is_integer(N), N > 0, is_tuple(New) -> keyreplace1(K, N, L, New).

keyreplace1(K, N, [T | L], New) when element(N, T) == K -> [New | L];
keyreplace1(K, N, [T | L], New) -> [T | keyreplace1(K, N, L, New)];
keyreplace1(_, _, [], _) -> [].

keysort(N, L) when is_integer(N), N > 0 ->
    sort(fun(X, Y) -> element(N, X) =< element(N, Y) end, L).

keystore(K, N, L, New) when is_integer(N), N > 0, is_tuple(New) -> keystore1(K, N, L, New).

keystore1(K, N, [T | L], New) when element(N, T) == K -> [New | L];
keystore1(K, N, [T | L], New) -> [T | keystore1(K, N, L, New)];
keystore1(_, _, [], New) -> [New].

keytake(K, N, L) when is_integer(N), N > 0 -> keytake(K, N, L, []).

keytake(K, N, [T | L], Before) when element(N, T) == K -> {value, T, reverse(Before, L)};
keytake(K, N, [T | L], Before) -> keytake(K, N, L, [T | Before]);
keytake(_, _, [], _) -> false.

last([X]) -> X;
last([_ | L]) -> last(L).

map(F, [X | L]) -> [F(X) | map(F, L)];
map(F, []) when is_function(F, 1) -> [].

mapfoldl(F, Acc, [X | L]) ->
    {Y, Acc1} = F(X, Acc),
    {Ys, Acc2} = mapfoldl(F, Acc1, L),
    {[Y | Ys], Acc2};
mapfoldl(F, Acc, []) when is_function(F, 2) -> {[], Acc}.

mapfoldr(F, Acc, [X | L]) ->
    {Ys, Acc1} = mapfoldr(F, Acc, L),
    {Y, Acc2} = F(X, Acc1),
    {[Y | Ys], Acc2};
mapfoldr(F, Acc, []) when is_function(F, 2) -> {[], Acc}.

max([X | L]) -> max(L, X).
max([X | L], Max) when X > Max -> max(L, X);
max([_ | L], Max) -> max(L, Max);
max([], Max) -> Max.

min([X | L]) -> min(L, X).
min([X | L], Min) when X < Min -> min(L, X);
min([_ | L], Min) -> min(L, Min);
min([], Min) -> Min.

merge(Lists) -> foldl(fun(B, A) -> merge(A, B) end, [], Lists).
merge(A, B) -> merge(fun(X, Y) -> X =< Y end, A, B).
merge3(A, B, C) -> merge(merge(A, B), C).

merge(F, [X | A], [Y | B]) ->
    case F(X, Y) of
        true -> [X | merge(F, A, [Y | B])];
        false -> [Y | merge(F, [X | A], B)]
    end;
merge(_, [], B) -> B;
merge(_, A, []) -> A.

nth(1, [X | _]) -> X;
nth(N, [_ | L]) when N > 1 -> nth(N - 1, L).

nthtail(0, L) when is_list(L) -> L;
nthtail(1, [_ | L]) -> L;
nthtail(N, [_ | L]) when N > 0 -> nthtail(N - 1, L).

partition(F, L) -> partition(F, L, [], []).

partition(F, [X | L], Yes, No) ->
    case F(X) of
        true -> partition(F, L, [X | Yes], No);
        false -> partition(F, L, Yes, [X | No])
    end;
partition(F, [], Yes, No) when is_function(F, 1) -> {reverse(Yes), reverse(No)}.

prefix([X | A], [X | B]) -> prefix(A, B);
prefix([], L) when is_list(L) -> true;
prefix([_ | _], L) when is_list(L) -> false.

reverse([] = L) -> L;
reverse([_] = L) -> L;
reverse([A, B | L]) -> reverse(L, [B, A]).

search(F, [X | L]) ->
    case F(X) of
        true -> {value, X};
        false -> search(F, L)
    end;
search(F, []) when is_function(F, 1) -> false.

seq(From, To) when is_integer(From), is_integer(To), From - 1 =< To -> up(From, To, 1).

seq(From, To, Step) when is_integer(From), is_integer(To), is_integer(Step) ->
    if
        Step > 0, From - Step =< To -> up(From, To, Step);
        Step < 0, From - Step >= To -> down(From, To, Step);
        Step =:= 0, From =:= To -> [From];
        true -> error(badarg, [From, To, Step])
    end;
seq(From, To, Step) ->
    error(badarg, [From, To, Step]).

up(From, To, Step) when From =< To -> [From | up(From + Step, To, Step)];
up(_, _, _) -> [].

down(From, To, Step) when From >= To -> [From | down(From + Step, To, Step)];
down(_, _, _) -> [].

sort(L) when length(L) >= 0 -> sort(fun(X, Y) -> X =< Y end, L).

sort(F, L) when is_function(F, 2) -> halves(F, L, length(L)).

halves(_, L, N) when N < 2 -> L;
halves(F, L, N) ->
    {A, B} = split(N div 2, L),
    merge(F, halves(F, A, N div 2), halves(F, B, N - N div 2)).

split(N, L) when is_integer(N), N >= 0, is_list(L) -> split(N, L, []);
split(N, L) -> error(badarg, [N, L]).

split(0, L, Before) -> {reverse(Before), L};
split(N, [X | L], Before) -> split(N - 1, L, [X | Before]);
split(_, [], _) -> error(badarg).

splitwith(F, L) -> splitwith(F, L, []).

splitwith(F, [X | L], Before) ->
    case F(X) of
        true -> splitwith(F, L, [X | Before]);
        false -> {reverse(Before), [X | L]}
    end;
splitwith(F, [], Before) when is_function(F, 1) -> {reverse(Before), []}.

sublist(L, N) when is_integer(N), is_list(L), N >= 0 -> first(N, L).

first(N, [X | L]) when N > 0 -> [X | first(N - 1, L)];
first(0, _) -> [];
first(_, []) -> [].

sublist(L, 1, N) when is_list(L), is_integer(N), N >= 0 -> first(N, L);
sublist([], S, _) when is_integer(S), S >= 2 -> [];
sublist([_ | L], S, N) when is_integer(S), S >= 2 -> sublist(L, S - 1, N).

subtract(A, B) -> A -- B.

suffix(A, B) ->
    Extra = length(B) - length(A),
    Extra >= 0 andalso nthtail(Extra, B) =:= A.

sum(L) -> sum(L, 0).
sum([X | L], Sum) -> sum(L, Sum + X);
sum([], Sum) -> Sum.

takewhile(F, [X | L]) ->
    case F(X) of
        true -> [X | takewhile(F, L)];
        false -> []
    end;
takewhile(F, []) when is_function(F, 1) -> [].

ukeymerge(N, A, B) ->
    unique(fun(X, Y) -> element(N, X) == element(N, Y) end, keymerge(N, A, B)).

ukeysort(N, L) when is_integer(N), N > 0 ->
    unique(fun(X, Y) -> element(N, X) == element(N, Y) end, keysort(N, L)).

umerge(Lists) -> foldl(fun(B, A) -> umerge(A, B) end, [], Lists).
umerge(A, B) -> unique(fun(X, Y) -> X == Y end, merge(A, B)).
umerge(F, A, B) -> unique(fun(X, Y) -> F(Y, X) end, merge(F, A, B)).
umerge3(A, B, C) -> umerge(umerge(A, B), C).

%% Without what is the same as the one kept before it.
unique(Same, [X, Y | L]) ->
    case Same(X, Y) of
        true -> unique(Same, [X | L]);
        false -> [X | unique(Same, [Y | L])]
    end;
unique(_, L) ->
    L.

uniq(L) -> uniq(fun(X) -> X end, L).

uniq(F, L) -> uniq(F, L, #{}).

uniq(F, [X | L], Seen) ->
    case F(X) of
        K when is_map_key(K, Seen) -> uniq(F, L, Seen);
        K -> [X | uniq(F, L, Seen#{K => true})]
    end;
uniq(F, [], _) when is_function(F, 1) -> [].

unzip(L) -> unzip(L, [], []).
unzip([{X, Y} | L], Xs, Ys) -> unzip(L, [X | Xs], [Y | Ys]);
unzip([], Xs, Ys) -> {reverse(Xs), reverse(Ys)}.

unzip3(L) -> unzip3(L, [], [], []).
unzip3([{X, Y, Z} | L], Xs, Ys, Zs) -> unzip3(L, [X | Xs], [Y | Ys], [Z | Zs]);
unzip3([], Xs, Ys, Zs) -> {reverse(Xs), reverse(Ys), reverse(Zs)}.

usort(L) when length(L) >= 0 -> unique(fun(X, Y) -> X == Y end, sort(L)).
usort(F, L) -> unique(fun(X, Y) -> F(Y, X) end, sort(F, L)).

zip([X | Xs], [Y | Ys]) -> [{X, Y} | zip(Xs, Ys)];
zip([], []) -> [].

zip3([X | Xs], [Y | Ys], [Z | Zs]) -> [{X, Y, Z} | zip3(Xs, Ys, Zs)];
zip3([], [], []) -> [].

zipwith(F, [X | Xs], [Y | Ys]) -> [F(X, Y) | zipwith(F, Xs, Ys)];
zipwith(F, [], []) when is_function(F, 2) -> [].

zipwith3(F, [X | Xs], [Y | Ys], [Z | Zs]) -> [F(X, Y, Z) | zipwith3(F, Xs, Ys, Zs)];
zipwith3(F, [], [], []) when is_function(F, 3) -> [].
