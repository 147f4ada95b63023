%% A deep call returns into a frame that needs more room than the one before.
-module(stack_overflow).
-export([main/0]).
main() -> report(1).
report(A) ->
    X = sum(A),
    {X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X}.
sum(A) ->
    Y = count(20000),
    Y + A.
count(0) -> 0;
count(N) -> count(N - 1).
