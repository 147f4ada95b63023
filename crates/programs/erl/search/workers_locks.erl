%% Two processes take two locks in opposite orders; the main process has ended by then.
-module(workers_locks).
-export([main/0]).
main() ->
    A = spawn(fun lock/0), B = spawn(fun lock/0),
    spawn(fun() -> take(A), take(B), B ! free, A ! free end),
    spawn(fun() -> take(B), take(A), A ! free, B ! free end),
    ok.
lock() -> receive {take, P} -> P ! ok, receive free -> lock() end end.
take(L) -> L ! {take, self()}, receive ok -> ok end.
