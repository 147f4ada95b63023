%% A process that sleeps before it receives, with a log of CauDEr's.
-module(log_after_sleep).
-export([main/0]).
main() ->
    Me = self(),
    spawn(fun() -> Me ! a end),
    timer:sleep(10),
    receive a -> ok end.
