%% Value: killed
-module(max_heap_size).
-export([main/0]).

grow(L, 0) -> length(L);
grow(L, N) -> grow([N | L], N - 1).

main() ->
    Flags = [monitor, {max_heap_size, #{size => 10000, error_logger => false}}],
    {P, R} = spawn_opt(fun() -> grow([], 100000) end, Flags),
    receive {'DOWN', R, process, P, Reason} -> Reason end.
