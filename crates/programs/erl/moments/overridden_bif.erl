%% A call of a function of the module's own that has the name of a built-in one; erlc refuses it.
-module(overridden_bif).
-export([main/0]).
main() -> length(y).
length(N) -> {own, N}.
