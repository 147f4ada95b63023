%% Funs for others to call; this module is compiled without debug info.
-module(bare_funs).
-export([adder/1]).

adder(N) -> fun(X) -> {X + N, erlang:unique_integer()} end.
