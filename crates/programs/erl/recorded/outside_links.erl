%% Links and monitors of processes outside of which nothing else is ever seen, and of nobody; between them the process
%% sends itself messages, which must not be taken for what those tell.
-module(outside_links).
-export([linked/0, watched/0, nobody/0]).

linked() ->
    Silent = silent(),
    true = link(Silent),
    self() ! first,
    true = unlink(Silent),
    self() ! second,
    {got(), got(), got()}.

watched() ->
    Monitor = monitor(process, silent()),
    self() ! first,
    Told = got(),
    true = demonitor(Monitor, [flush, info]),
    {Told, got()}.

nobody() ->
    process_flag(trap_exit, true),
    Nobody = spawn(fun() -> ok end),
    Monitor = monitor(process, Nobody),
    receive {'DOWN', Monitor, process, Nobody, _} -> ok end,
    true = link(Nobody),
    receive {'EXIT', Nobody, noproc} -> ok end,
    Again = monitor(process, list_to_pid("<0.30000.0>")),
    receive {'DOWN', Again, process, _, noproc} -> ok end,
    self() ! last,
    got().

%% A process of the node that has no name and sends us nothing.
silent() ->
    hd([P || P <- processes(), P =/= self(), process_info(P, registered_name) =:= []]).

got() ->
    receive Any -> Any after 20 -> nothing end.
