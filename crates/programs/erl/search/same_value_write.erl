%% A process writes the value that a table has already, beside one that looks it up.
-module(same_value_write).
-export([main/0]).
main() ->
    T = ets:new(t, [public]), P = self(),
    ets:insert(T, {k, 0}),
    spawn(fun() -> ets:insert(T, {k, 0}), P ! {done, a} end),
    spawn(fun() -> ets:lookup(T, k), P ! {done, b} end),
    [receive {done, X} -> ok end || X <- [a, b]],
    ok.
