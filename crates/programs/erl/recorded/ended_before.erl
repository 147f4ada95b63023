%% Processes that are ended by others while they are on their way to something else, of which nothing is
%% recorded: to an end of their own, to ending somebody, to linking, to sending.
-module(ended_before).
-export([killed/0, linked/0, in_vain/0, links/0, sends/0]).

%% Long enough to be ended before, and few steps for a replay.
busy(0) -> ok;
busy(N) -> busy(N - 1).

watched(Fun) -> spawn_monitor(Fun).

reason({P, R}) -> receive {'DOWN', R, process, P, Reason} -> Reason end.

killed() ->
    {P, _} = Watched = watched(fun() -> busy(40000), exit(of_its_own) end),
    exit(P, kill),
    killed = reason(Watched).

linked() ->
    {P, _} = Watched = watched(fun() -> receive go -> busy(40000), exit(of_its_own) end end),
    spawn(fun() -> link(P), P ! go, exit(of_another) end),
    of_another = reason(Watched).

in_vain() ->
    Me = self(),
    {P, _} = Watched = watched(fun() -> busy(40000), exit(Me, kill) end),
    exit(P, kill),
    killed = reason(Watched),
    self() ! still_there,
    receive still_there -> ok end.

links() ->
    process_flag(trap_exit, true),
    Me = self(),
    P = spawn(fun() -> receive go -> Me ! gone, exit(bye) end end),
    P ! go,
    receive gone -> ok end,
    %% Whether the link comes before the end is left to chance.
    link(P),
    receive {'EXIT', P, Reason} -> Reason end.

sends() ->
    Me = self(),
    {P, _} = Watched = watched(fun() -> busy(40000), erlang:send(Me, never_sent, [noconnect]) end),
    exit(P, kill),
    killed = reason(Watched),
    receive Any -> Any after 0 -> nothing end.
