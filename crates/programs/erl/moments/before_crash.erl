%% A call that divides by zero, one step after its argument was bound.
-module(before_crash).
-export([main/0]).
main() -> A = hello, g(0), A.
g(N) -> 1 div N.
