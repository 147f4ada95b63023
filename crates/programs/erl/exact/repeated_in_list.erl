%% Value: [differ,{same,[]},differ,differ,{same,1}]
-module(repeated_in_list).
-export([main/0]).

f([X | X]) -> {same, X};
f({X, [X | X]}) -> {same, X};
f(_) -> differ.

g([_ | T] = [H | H]) -> {same, H, T};
g([H, H]) -> {same, H};
g(_) -> differ.

main() -> [f([1, 2, 3]), f([[]]), f({1, [1]}), g([1, 2]), g([1, 1])].
