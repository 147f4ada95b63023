%% Every way to spawn, monitor, send and set a timer, with options.
-module(spawning).
-export([cases/0, hello/1]).
-define(C(E), {?LINE, fun() -> E end}).

hello(To) -> To ! {hello, self() =/= To}, ok.
next() -> receive Message -> Message after 100 -> none end.
%% What follows the greeting: why the monitored process ended.
down(Ref) -> {next(), receive {'DOWN', Ref, process, _, Why} -> Why after 100 -> none end}.

cases() -> [
    ?C(begin Me = self(), spawn(fun() -> hello(Me) end), next() end),
    ?C(begin Me = self(), spawn(node(), fun() -> hello(Me) end), next() end),
    ?C(begin spawn(?MODULE, hello, [self()]), next() end),
    ?C(begin spawn(node(), ?MODULE, hello, [self()]), next() end),
    ?C(begin Me = self(), spawn_link(node(), fun() -> hello(Me) end), next() end),
    ?C(begin spawn_link(node(), ?MODULE, hello, [self()]), next() end),
    ?C(begin Me = self(), {_, R} = spawn_monitor(node(), fun() -> hello(Me) end), down(R) end),
    ?C(begin {_, R} = spawn_monitor(node(), ?MODULE, hello, [self()]), down(R) end),
    ?C(begin {_, R} = spawn_opt(fun() -> exit(a) end, [{monitor, [{tag, mine}]}, {priority, high}]),
             receive {mine, R, process, _, Why} -> Why end end),
    ?C(begin {P, R} = spawn_opt(fun() -> receive {To, Q} -> To ! {Q, To} end end, [{monitor, [{alias, reply_demonitor}]}]),
             P ! {R, q}, {receive {q, R} -> replied end, demonitor(R, [info])} end),
    ?C(begin {_, R} = spawn_opt(node(), ?MODULE, hello, [self()], [monitor, {min_heap_size, 100}]), down(R) end),
    ?C(begin process_flag(trap_exit, true), {P, R} = spawn_opt(node(), fun() -> exit(b) end, [monitor, link, {fullsweep_after, 0}]),
             {receive {'EXIT', P, A} -> A end, receive {'DOWN', R, _, _, B} -> B end} end),
    ?C(begin Me = self(), Q = spawn_request(fun() -> hello(Me) end), lists:sort([element(1, next()), element(1, next()), is_reference(Q)]) end),
    ?C([spawn(a, b, c)]), ?C([spawn_opt(fun() -> ok end, [bad])]), ?C([spawn_opt(fun() -> ok end, x)]),
    ?C([spawn_opt(fun() -> ok end, [{bad, 1}])]), ?C([spawn_opt(fun() -> ok end, [{monitor, [{tag}]}])]),
    ?C(begin R = monitor(process, nobody, [{tag, x}]), receive {x, R, process, What, Why} -> {What, Why} end end),
    ?C(begin monitor(process, {nobody, node()}), element(4, next()) end),
    ?C(monitor(process, 1)), ?C(monitor(process, self(), [{alias, no}])), ?C(demonitor(make_ref())), ?C(demonitor(x)), ?C(link(x)),
    ?C(process_flag(trap_exit, 1)), ?C(process_flag(foo, 1)), ?C(exit(self(), normal)),
    ?C([process_info(self(), K) || K <- [trap_exit, links, monitors, message_queue_len, registered_name, status, priority, messages]]),
    ?C(begin R = monitor(process, spawn(fun() -> receive x -> ok end end), [{alias, reply_demonitor}]), R ! hi,
             {next(), process_info(self(), monitors), demonitor(R, [info])} end),
    ?C(begin register(foo, self()), {whereis(foo) =:= self(), process_info(self(), registered_name), unregister(foo), whereis(foo)} end),
    ?C(begin erlang:send(self(), a), erlang:send(self(), b, [noconnect]), erlang:send_nosuspend(self(), c), {next(), next(), next()} end),
    ?C({foo, node()} ! x), ?C(foo ! x), ?C(erlang:send({foo, node()}, x)),
    ?C(begin A = alias(), A ! hi, {next(), unalias(A), (A ! ho), next(), unalias(A)} =:= {hi, true, ho, none, false} end),
    ?C(begin A = alias([reply]), A ! hi, A ! ho, {next(), next()} end),
    ?C(begin T = erlang:start_timer(10, self(), x), {is_integer(erlang:read_timer(T)), is_integer(erlang:cancel_timer(T)), erlang:cancel_timer(T), erlang:read_timer(T)} end),
    ?C(begin T = erlang:send_after(10, self(), x), {erlang:cancel_timer(T, [{async, true}]), receive {cancel_timer, T, L} -> is_integer(L) end} end),
    ?C(begin T = erlang:send_after(10, self(), x), {erlang:cancel_timer(T, [{info, false}]), next()} end),
    ?C(begin T = erlang:send_after(10, self(), x), erlang:cancel_timer(T, [{what, false}]) end),
    ?C(begin T = erlang:send_after(0, self(), x), {next(), erlang:cancel_timer(T)} end),
    ?C(begin erlang:send_after(5, nobody_here, x), next() end),
    ?C(begin Old = group_leader(), group_leader(self(), self()), New = group_leader(), group_leader(Old, self()), New =:= self() end),
    ?C(begin Me = self(), P = spawn(fun() -> receive go -> Me ! group_leader() end end), group_leader(Me, P), P ! go, next() =:= Me end)
].
