%% Whichever of two senders is second, its message is not received; the two differ in their pids alone.
-module(grouped_by_pid).
-export([main/0]).
main() ->
    P = self(),
    [spawn(fun() -> P ! {done, self()} end) || _ <- [1, 2]],
    receive {done, _} -> ok end.
