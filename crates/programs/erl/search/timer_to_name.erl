%% A timer sends to a name that may be gone when it fires.
-module(timer_to_name).
-export([main/0]).
main() ->
    register(n, self()),
    erlang:send_after(10, n, hi),
    unregister(n),
    receive hi -> got after 0 -> none end.
