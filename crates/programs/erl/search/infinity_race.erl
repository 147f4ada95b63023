%% A receive that waits for ever, with the time in a variable.
-module(infinity_race).
-export([main/0]).
main() ->
    Me = self(),
    spawn(fun() -> Me ! a end),
    wait(infinity).
wait(T) ->
    receive a -> ok after T -> timeout end.
