%% A program that prints, with a log of CauDEr's that has another value.
-module(log_result).
-export([main/0]).
main() ->
    Me = self(),
    spawn(fun() -> Me ! a end),
    receive a -> io:format("hi~n"), ok end.
