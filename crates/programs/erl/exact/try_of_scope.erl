%% Value: {same,other}
-module(try_of_scope).
-export([main/0]).

f(F) -> try X = 1, F() of X -> same; _ -> other catch _:_ -> failed end.

main() -> {f(fun() -> 1 end), f(fun() -> 2 end)}.
