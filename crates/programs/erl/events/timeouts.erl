%% Receives that time out, timers, and a message that comes too late.
-module(timeouts).
-export([main/0]).

main() ->
    Me = self(),
    spawn(fun() -> receive after 20 -> Me ! late end end),
    erlang:send_after(5, Me, early),
    A = wait(10),
    B = wait(5),
    C = wait(100),
    {A, B, C}.

wait(T) ->
    receive M -> M after T -> timeout end.
