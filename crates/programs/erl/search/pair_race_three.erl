%% Three messages of two senders to one receive: paper 004, Fig. 1.
-module(pair_race_three).
-export([main/0]).
main() ->
    P2 = spawn(fun() -> receive {k, X} -> X end, receive never -> ok end end),
    spawn(fun() -> P2 ! {k, l2}, P2 ! {k, l3} end),
    P2 ! {k, l1},
    done.
