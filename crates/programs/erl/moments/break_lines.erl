%% Lines that begin with a match, a case, a fun and a call.
-module(break_lines).
-export([main/0]).
main() ->
    X = 1,
    Y = X + 1,
    Z = case Y of
        2 -> f(Y);
        _ -> no
    end,
    F = fun(A) -> A end,
    F(Z).
f(A) ->
    if A > 1 -> A;
       true -> 0
    end.
