-module(sorting).
-export([main/0]).

main() ->
    L = [5, 3, 9, 1, 3, 7, 2],
    {quick(L), merge_sort(L), insertion(L), median(L)}.

quick([]) -> [];
quick([P | T]) ->
    {Low, High} = part(P, T, [], []),
    quick(Low) ++ [P | quick(High)].

part(_, [], Low, High) -> {Low, High};
part(P, [X | T], Low, High) when X < P -> part(P, T, [X | Low], High);
part(P, [X | T], Low, High) -> part(P, T, Low, [X | High]).

merge_sort([]) -> [];
merge_sort([X]) -> [X];
merge_sort(L) ->
    {A, B} = lists:split(length(L) div 2, L),
    merge(merge_sort(A), merge_sort(B)).

merge([], B) -> B;
merge(A, []) -> A;
merge([X | A], [Y | B]) when X =< Y -> [X | merge(A, [Y | B])];
merge(A, [Y | B]) -> [Y | merge(A, B)].

insertion(L) -> lists:foldl(fun(X, Sorted) -> insert(X, Sorted) end, [], L).

insert(X, []) -> [X];
insert(X, [Y | T]) when X =< Y -> [X, Y | T];
insert(X, [Y | T]) -> [Y | insert(X, T)].

median(L) ->
    Sorted = quick(L),
    lists:nth((length(Sorted) + 1) div 2, Sorted).
