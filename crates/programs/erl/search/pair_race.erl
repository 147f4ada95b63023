%% Two messages of one sender, of which the first is received.
-module(pair_race).
-export([main/0]).
main() ->
    Me = self(),
    spawn(fun() -> Me ! {a, 1}, Me ! {a, 2} end),
    receive {a, X} -> X end.
