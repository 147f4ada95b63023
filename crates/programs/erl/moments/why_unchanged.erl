%% An argument that a loop with a receive only hands on.
-module(why_unchanged).
-export([main/0]).
main() -> self() ! m1, self() ! m2,
    loop([1, 2, 3], 2).
loop(Keep, 0) -> {Keep, element(1, {Keep})};
loop(Keep, N) -> receive _ -> loop(Keep, N - 1) end.
