%% Two processes wait for each other for ever; the main process has ended by then.
-module(workers_wait).
-export([main/0]).
main() ->
    A = spawn(fun() -> receive {peer, B} -> receive go -> B ! go end end end),
    B = spawn(fun() -> receive go -> A ! go end end),
    A ! {peer, B},
    ok.
