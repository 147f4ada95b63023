%% Comprehensions that give several values in each turn.
-module(otp29_several_values).
-export([main/0]).

main() ->
    put(order, []),
    Lists = {[X, X * 10 || X <- [1, 2, 3]],
             [seen(X), seen({X}), seen([X]) || X <- [a, b], X =/= a],
             [Y, Z || Y <- [1, 2], Z <- "ab"],
             [1, 2 || true],
             [1, 2 || false],
             [A, B || {A, B} <- [{1, 2}, skipped, {3, 4}]]},
    Maps = {lists:sort(maps:to_list(#{K => 1, {K} => 2 || K <- [a, b]})),
            #{a => V, a => V + 1 || V <- [1, 2]},
            #{x => 1, y => 2 || true}},
    Errors = [try F() catch Class:Reason -> {Class, Reason} end
              || F <- [fun() -> [I, I || I <- improper()] end, fun() -> [1, hd(I) || I <- [[]]] end]],
    {Lists, Maps, Errors, lists:reverse(get(order))}.

seen(X) ->
    put(order, [X | get(order)]),
    X.

improper() -> [x | y].
