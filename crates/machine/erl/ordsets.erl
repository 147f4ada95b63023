%% Sets as lists in order.
-module(ordsets).
-export([new/0, is_set/1, size/1, is_empty/1, to_list/1, from_list/1, is_element/2]).
-export([add_element/2, del_element/2, union/1, union/2, intersection/1, intersection/2]).
-export([is_disjoint/2, subtract/2, is_subset/2, fold/3, filter/2]).

new() -> [].

is_set([E | Es]) -> is_set(Es, E);
is_set([]) -> true;
is_set(_) -> false.

is_set([E2 | Es], E1) when E1 < E2 -> is_set(Es, E2);
is_set([_ | _], _) -> false;
is_set([], _) -> true.

size(S) -> length(S).
is_empty(S) -> S =:= [].
to_list(S) -> S.
from_list(L) -> lists:usort(L).

is_element(E, [H | Es]) when E > H -> is_element(E, Es);
is_element(E, [H | _]) when E < H -> false;
is_element(_, [_ | _]) -> true;
is_element(_, []) -> false.

add_element(E, [H | Es]) when E > H -> [H | add_element(E, Es)];
add_element(E, [H | _] = S) when E < H -> [E | S];
add_element(_, [_ | _] = S) -> S;
add_element(E, []) -> [E].

del_element(E, [H | Es]) when E > H -> [H | del_element(E, Es)];
del_element(E, [H | _] = S) when E < H -> S;
del_element(_, [_ | Es]) -> Es;
del_element(_, []) -> [].

union([A | As], [B | _] = S) when A < B -> [A | union(As, S)];
union([A | _] = S, [B | Bs]) when A > B -> [B | union(S, Bs)];
union([A | As], [_ | Bs]) -> [A | union(As, Bs)];
union([], S) -> S;
union(S, []) -> S.

union(Sets) -> lists:umerge(Sets).

intersection([A | As], [B | _] = S) when A < B -> intersection(As, S);
intersection([A | _] = S, [B | Bs]) when A > B -> intersection(S, Bs);
intersection([A | As], [_ | Bs]) -> [A | intersection(As, Bs)];
intersection([], _) -> [];
intersection(_, []) -> [].

intersection([S]) -> S;
intersection([A, B | Sets]) -> intersection([intersection(A, B) | Sets]).

is_disjoint([A | As], [B | _] = S) when A < B -> is_disjoint(As, S);
is_disjoint([A | _] = S, [B | Bs]) when A > B -> is_disjoint(S, Bs);
is_disjoint([_ | _], [_ | _]) -> false;
is_disjoint([], _) -> true;
is_disjoint(_, []) -> true.

subtract([A | As], [B | _] = S) when A < B -> [A | subtract(As, S)];
subtract([A | _] = S, [B | Bs]) when A > B -> subtract(S, Bs);
subtract([_ | As], [_ | Bs]) -> subtract(As, Bs);
subtract([], _) -> [];
subtract(S, []) -> S.

is_subset([A | _], [B | _]) when A < B -> false;
is_subset([A | _] = S, [B | Bs]) when A > B -> is_subset(S, Bs);
is_subset([_ | As], [_ | Bs]) -> is_subset(As, Bs);
is_subset([], _) -> true;
is_subset([_ | _], []) -> false.

fold(F, Acc, S) -> lists:foldl(F, Acc, S).
filter(F, S) -> lists:filter(F, S).
