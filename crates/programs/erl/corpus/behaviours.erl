%% Programs on OTP's behaviours, which are interpreted from OTP's own code.
-module(behaviours).
-behaviour(gen_server).
-export([cases/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2, terminate/2, code_change/3]).

cases() ->
    [{server, fun server/0}, {server_crash, fun server_crash/0}, {server_timeout, fun server_timeout/0},
     {server_stop, fun server_stop/0}, {server_names, fun server_names/0}, {continue, fun continue/0},
     {statem, fun statem/0}, {event, fun event/0}, {supervisor, fun supervisor/0},
     {restart_limit, fun restart_limit/0}, {all_for_one, fun all_for_one/0}, {simple, fun simple/0},
     {proc_lib, fun proc_lib/0}, {sys, fun sys/0}, {multi, fun multi/0}, {timers, fun timers/0},
     {hibernate, fun hibernate/0}, {call_noproc, fun call_noproc/0}].

init({N, Trap}) when is_boolean(Trap) -> process_flag(trap_exit, Trap), {ok, N};
init({continue, N}) -> {ok, N, {continue, more}};
init(ignore) -> ignore;
init({stop, R}) -> {stop, R};
init(crash) -> error(in_init);
init(N) -> {ok, N}.

handle_call(get, _, N) -> {reply, N, N};
handle_call({add, K}, _, N) -> {reply, ok, N + K};
handle_call(crash, _, _) -> error(crashed);
handle_call(throw, _, N) -> throw({reply, thrown, N});
handle_call(bad, _, _) -> bad_return;
handle_call(later, From, N) -> self() ! {reply, From}, {noreply, N};
handle_call(never, _, N) -> {noreply, N};
handle_call(idle, _, N) -> {reply, ok, N, 10};
handle_call(sleep, _, N) -> {reply, ok, N, hibernate};
handle_call(stop, _, N) -> {stop, normal, stopped, N}.
handle_cast({add, K}, N) -> {noreply, N + K};
handle_cast(stop, N) -> {stop, asked, N}.
handle_info({reply, From}, N) -> gen_server:reply(From, {late, N}), {noreply, N};
handle_info(timeout, N) -> {noreply, {timed_out, N}};
handle_info(Other, N) -> {noreply, {Other, N}}.
handle_continue(more, N) -> {noreply, N * 10}.
terminate(Reason, _) ->
    case whereis(watcher) of undefined -> ok; P -> P ! {terminated, Reason}, ok end.
code_change(_, S, _) -> {ok, S}.

start(A) -> {ok, P} = gen_server:start_link(?MODULE, A, []), P.

server() ->
    P = start(1),
    ok = gen_server:call(P, {add, 2}),
    ok = gen_server:cast(P, {add, 3}),
    A = gen_server:call(P, get),
    B = gen_server:call(P, later),
    C = gen_server:call(P, throw),
    P ! hello,
    [A, B, C, gen_server:call(P, get)].

server_crash() ->
    process_flag(trap_exit, true),
    P = start(1),
    R = try gen_server:call(P, crash) catch exit:{{E, _}, Call} -> {E, Call} end,
    X = receive {'EXIT', P, {Y, [Top | _]}} -> {Y, Top} end,
    Q = start(2),
    Bad = try gen_server:call(Q, bad) catch exit:{W, _} -> W end,
    {R, X, Bad}.

server_timeout() ->
    P = start(1),
    T = try gen_server:call(P, never, 5) catch exit:Why -> Why end,
    ok = gen_server:call(P, idle),
    timer:sleep(30),
    {T, gen_server:call(P, get)}.

server_stop() ->
    process_flag(trap_exit, true),
    register(watcher, self()),
    P = start({1, true}),
    stopped = gen_server:call(P, stop),
    A = receive {terminated, R1} -> R1 end,
    B = receive {'EXIT', P, R2} -> R2 end,
    Q = start({1, true}),
    gen_server:cast(Q, stop),
    C = receive {'EXIT', Q, R3} -> R3 end,
    S = start(1),
    D = gen_server:stop(S),
    I = gen_server:start_link(?MODULE, ignore, []),
    J = gen_server:start_link(?MODULE, {stop, why}, []),
    {error, {K, _}} = gen_server:start_link(?MODULE, crash, []),
    {A, B, C, D, I, J, K}.

server_names() ->
    {ok, P} = gen_server:start({local, named}, ?MODULE, 7, []),
    {error, {already_started, P}} = gen_server:start({local, named}, ?MODULE, 7, []),
    V = gen_server:call(named, get),
    W = gen_server:call({named, node()}, get),
    ok = gen_server:stop(named),
    {V, W, whereis(named)}.

continue() -> gen_server:call(start({continue, 4}), get).

statem() -> lamp:demo().

event() ->
    {ok, P} = gen_event:start_link(),
    ok = gen_event:add_handler(P, lamp_log, []),
    ok = gen_event:notify(P, a),
    ok = gen_event:sync_notify(P, b),
    L = gen_event:call(P, lamp_log, get),
    W = gen_event:which_handlers(P),
    D = gen_event:delete_handler(P, lamp_log, gone),
    gen_event:stop(P),
    {L, W, D}.

child(Id) -> #{id => Id, start => {gen_server, start_link, [{local, Id}, ?MODULE, 1, []]}}.

supervisor() ->
    {ok, S} = supervisor:start_link(lamp_sup, {one_for_one, [child(w1), child(w2)]}),
    P1 = whereis(w1),
    Q1 = whereis(w2),
    catch gen_server:call(w1, crash),
    timer:sleep(20),
    R = {whereis(w1) =/= P1, whereis(w2) =:= Q1},
    C = supervisor:count_children(S),
    ok = supervisor:terminate_child(S, w1),
    {error, running} = supervisor:restart_child(S, w2),
    {ok, _} = supervisor:restart_child(S, w1),
    {ok, _} = supervisor:start_child(S, child(w3)),
    ok = supervisor:terminate_child(S, w3),
    ok = supervisor:delete_child(S, w3),
    W = [{I, T, M} || {I, _, T, M} <- supervisor:which_children(S)],
    unlink(S),
    exit(S, shutdown),
    timer:sleep(20),
    {R, C, W, whereis(w1)}.

restart_limit() ->
    process_flag(trap_exit, true),
    {ok, S} = supervisor:start_link(lamp_sup, {one_for_one, [child(w1)]}),
    [begin catch gen_server:call(w1, crash), timer:sleep(5) end || _ <- [1, 2, 3]],
    receive {'EXIT', S, R} -> R after 1000 -> alive end.

all_for_one() ->
    {ok, S} = supervisor:start_link(lamp_sup, {one_for_all, [child(w1), child(w2)]}),
    P = whereis(w2),
    catch gen_server:call(w1, crash),
    timer:sleep(20),
    R = whereis(w2) =/= P,
    unlink(S),
    exit(S, kill),
    R.

simple() ->
    {ok, S} = supervisor:start_link(lamp_sup, simple),
    {ok, A} = supervisor:start_child(S, [5]),
    {ok, B} = supervisor:start_child(S, [6]),
    V = [gen_server:call(X, get) || X <- [A, B]],
    ok = supervisor:terminate_child(S, A),
    {V, proplists:get_value(active, supervisor:count_children(S))}.

proc_lib() ->
    P = self(),
    {ok, Q} = proc_lib:start_link(erlang, apply, [fun() -> proc_lib:init_ack(P, {ok, self()}), P ! get('$ancestors') end, []]),
    [A | _] = receive X -> X end,
    {is_pid(Q), A =:= P, proc_lib:initial_call(Q)}.

sys() ->
    P = start(5),
    5 = sys:get_state(P),
    6 = sys:replace_state(P, fun(X) -> X + 1 end),
    ok = sys:suspend(P),
    ok = sys:resume(P),
    {status, P, {module, M}, _} = sys:get_status(P),
    {M, gen_server:call(P, get)}.

multi() ->
    P = start(1),
    R = gen_server:send_request(P, get),
    A = gen_server:wait_response(R, 100),
    {Replies, Bad} = gen_server:multi_call([node()], nobody_here, get),
    {A, Replies, Bad}.

timers() ->
    {ok, _} = timer:send_after(5, x),
    receive x -> ok end,
    {ok, T} = timer:apply_interval(3, erlang, send, [self(), tick]),
    receive tick -> ok end,
    receive tick -> ok end,
    {ok, cancel} = timer:cancel(T),
    [timer:seconds(2), timer:minutes(1), timer:hours(1), timer:hms(1, 2, 3)].

hibernate() ->
    P = start(1),
    ok = gen_server:call(P, sleep),
    ok = gen_server:call(P, {add, 1}),
    gen_server:call(P, get).

call_noproc() ->
    [try gen_server:call(nobody, x) catch exit:R -> R end, gen_server:cast(nobody, x),
     try gen_server:stop(nobody) catch exit:S -> S end].
