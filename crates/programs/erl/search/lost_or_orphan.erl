%% A message that comes too late or is never received.
-module(lost_or_orphan).
-export([main/0]).
main() ->
    P = spawn(fun() -> receive a -> ok end end),
    spawn(fun() -> P ! b end),
    P ! a,
    ok.
