%% A receive that waits for ever, with the time in a variable, for a linked sender.
-module(infinity_timeout).
-export([main/0]).
main() ->
    Me = self(),
    spawn_link(fun() -> Me ! a end),
    wait(infinity).
wait(T) ->
    receive a -> ok after T -> timeout end.
