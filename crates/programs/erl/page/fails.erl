-module(fails).
-export([main/0]).

main() ->
    Worker = spawn(fun() -> work(3) end),
    Monitor = monitor(process, Worker),
    receive {'DOWN', Monitor, process, Worker, Reason} -> io:format("down: ~p~n", [Reason]) end,
    [a | b] = Reason.

work(N) -> 10 div N + work(N - 1).
