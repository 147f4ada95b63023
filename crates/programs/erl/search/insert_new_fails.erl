%% An insert_new that fails beside a lookup of the same key.
-module(insert_new_fails).
-export([main/0]).
main() ->
    T = ets:new(t, [public]), P = self(),
    ets:insert(T, {k, 0}),
    spawn(fun() -> ets:insert_new(T, {k, 1}), P ! {done, a} end),
    spawn(fun() -> ets:lookup(T, k), P ! {done, b} end),
    [receive {done, X} -> ok end || X <- [a, b]],
    ok.
