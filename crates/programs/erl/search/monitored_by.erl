%% A process asks who monitors it while somebody begins to.
-module(monitored_by).
-export([main/0]).
main() ->
    P = self(),
    Q = spawn(fun() -> monitor(process, P), receive x -> ok end end),
    {monitored_by, L} = process_info(self(), monitored_by),
    exit(Q, kill),
    length(L).
