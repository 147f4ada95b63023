%% The main process ends while a child goes on for ever.
-module(finished_early).
-export([main/0]).
main() -> spawn(fun() -> loop(0) end), ok.
loop(N) -> receive after 10 -> io:format("tick ~p~n", [N]), loop(N + 1) end.
