%% Programs that are recorded on a real node. Each prints what its processes saw, and its value.
-module(story).
-behaviour(gen_server).
-behaviour(supervisor).
-export([race/0, server/0, crashing_server/0, supervised/0, timers/0, timeouts/0, monitors/0]).
-export([table/0, selective/0, names/0, many/0, killed/0, slow/0, halts/0, inputs/0, aliases/0]).
-export([work/0, job/1, squares/1, echo/0, shop/0, till/1, large/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, start_worker/0, worker/0]).

told(Value) ->
    io:format("~0p~n", [Value]),
    Value.

%% An input of many bytes, which is recorded as a whole.
large(Size) ->
    io:format("before~n"),
    told(byte_size(crypto:strong_rand_bytes(Size))),
    io:format("after~n").

%% Senders race; pids are printed.
race() ->
    Me = self(),
    [spawn(fun() -> [Me ! {I, J} || J <- lists:seq(1, 20)] end) || I <- lists:seq(1, 4)],
    Got = [receive M -> M end || _ <- lists:seq(1, 80)],
    told({self(), Got}).

init(supervisor) ->
    Worker = #{id => worker, start => {?MODULE, start_worker, []}},
    {ok, {#{intensity => 10, period => 1}, [Worker]}};
init(N) ->
    {ok, N}.

handle_call(get, _, N) -> {reply, N, N};
handle_call({add, K}, _, N) -> {reply, ok, N + K}.
handle_cast(crash, _) -> error(crash).
handle_info(tick, N) -> {noreply, N + 1}.

server() ->
    {ok, P} = gen_server:start_link(?MODULE, 0, []),
    Me = self(),
    Client = fun(J) ->
        Seen = [begin ok = gen_server:call(P, {add, I}), gen_server:call(P, get) end
                || I <- lists:seq(1, 10)],
        Me ! {J, Seen}
    end,
    [spawn_link(fun() -> Client(J) end) || J <- lists:seq(1, 4)],
    Seen = [receive {J, S} -> {J, S} end || _ <- lists:seq(1, 4)],
    gen_server:stop(P),
    told(Seen).

crashing_server() ->
    {ok, P} = gen_server:start(?MODULE, 0, []),
    Ref = monitor(process, P),
    gen_server:cast(P, crash),
    Why = receive {'DOWN', Ref, _, _, Reason} -> Reason end,
    told({Why, catch gen_server:call(P, get)}).

start_worker() -> {ok, spawn_link(?MODULE, worker, [])}.

worker() ->
    register(worker, self()),
    serve().

serve() ->
    receive
        crash -> exit(crashed);
        {ping, From} -> From ! {pong, self()}, serve()
    end.

supervised() ->
    {ok, S} = supervisor:start_link(?MODULE, supervisor),
    Pids = [crash_worker(none) || _ <- lists:seq(1, 3)],
    unlink(S),
    Ref = monitor(process, S),
    exit(S, shutdown),
    receive {'DOWN', Ref, _, _, shutdown} -> ok end,
    told(Pids).

crash_worker(_) ->
    P = wait_for(worker),
    P ! {ping, self()},
    receive {pong, P} -> ok end,
    Ref = monitor(process, P),
    P ! crash,
    receive {'DOWN', Ref, _, _, crashed} -> P end.

wait_for(Name) ->
    case whereis(Name) of
        undefined -> erlang:yield(), wait_for(Name);
        P -> P
    end.

timers() ->
    R = erlang:start_timer(4, self(), hello),
    erlang:send_after(1, self(), tick),
    erlang:send_after(2, self(), timeout),
    Left = erlang:cancel_timer(erlang:send_after(10000, self(), never)),
    A = receive tick -> tick end,
    B = receive {timeout, R, M} -> M end,
    T = receive timeout -> timeout end,
    {ok, _} = timer:send_after(3, late),
    C = receive late -> late after 1000 -> none end,
    D = receive nothing -> nothing after 2 -> out end,
    told({A, B, T, C, D, Left, erlang:monotonic_time(), R}).

%% A ticker and a receive with a time-out of the same length, with signals in between.
timeouts() ->
    Me = self(),
    P = spawn(fun() -> ticker(Me, 100) end),
    L = [receive {m, N} -> N after 1 -> out end || _ <- lists:seq(1, 100)],
    exit(P, kill),
    told(L).

ticker(_, 0) -> ok;
ticker(To, N) ->
    receive after 1 -> ok end,
    To ! {m, N},
    erlang:demonitor(monitor(process, To)),
    is_process_alive(To),
    ticker(To, N - 1).

monitors() ->
    process_flag(trap_exit, true),
    {P, R} = spawn_monitor(fun() -> exit(one) end),
    Q = spawn_link(fun() -> receive stop -> exit(two) end end),
    Q ! stop,
    K = spawn(fun() -> receive never -> ok end end),
    KR = monitor(process, K),
    exit(K, kill),
    A = receive {'DOWN', R, process, P, W} -> W end,
    B = receive {'EXIT', Q, X} -> X end,
    C = receive {'DOWN', KR, _, _, Y} -> Y end,
    R2 = monitor(process, P),
    D = receive {'DOWN', R2, _, _, Z} -> Z end,
    told({A, B, C, D, R2}).

table() ->
    T = ets:new(t, [public, ordered_set]),
    Me = self(),
    Work = fun(J) ->
        Seen = [ets:update_counter(T, k, 1, {k, 0}) || _ <- lists:seq(1, 30)],
        ets:insert(T, {J, self(), Seen}),
        Me ! done
    end,
    [spawn(fun() -> Work(J) end) || J <- lists:seq(1, 4)],
    [receive done -> ok end || _ <- lists:seq(1, 4)],
    told(ets:tab2list(T)).

selective() ->
    Me = self(),
    [spawn(fun() -> [Me ! {J, I} || I <- lists:seq(1, 200)] end) || J <- lists:seq(1, 4)],
    A = [receive {3, I} -> I end || _ <- lists:seq(1, 200)],
    B = [receive {J, I} when I rem 2 =:= 0 -> {J, I} after 5 -> out end || _ <- lists:seq(1, 310)],
    told({length(A), B}).

names() ->
    Me = self(),
    Try = fun(J) ->
        Is = (catch register(the_one, self())) =:= true,
        Me ! {J, Is},
        receive stop -> ok end
    end,
    Ps = [spawn(fun() -> Try(J) end) || J <- lists:seq(1, 4)],
    Got = [receive {J, Is} -> {J, Is} end || _ <- lists:seq(1, 4)],
    Sent = (catch the_one ! hello),
    Refs = [monitor(process, P) || P <- Ps],
    [P ! stop || P <- Ps],
    [receive {'DOWN', R, _, _, normal} -> ok end || R <- Refs],
    {'EXIT', {Why, _}} = (catch the_one ! hello),
    told({Got, Sent, whereis(the_one), Why}).

many() ->
    Me = self(),
    Ps = [spawn(fun() -> receive {go, X} -> Me ! {X, self()} end end) || _ <- lists:seq(1, 10000)],
    [P ! {go, I} || {I, P} <- lists:zip(lists:seq(1, 10000), Ps)],
    told(erlang:phash2([receive {I, P} -> {I, P} end || _ <- Ps])).

killed() ->
    Me = self(),
    P = spawn(fun() -> Me ! ready, spin(0) end),
    receive ready -> ok end,
    Ref = monitor(process, P),
    exit(P, kill),
    told(receive {'DOWN', Ref, _, _, Why} -> Why end).

spin(N) -> spin(N + 1).

%% Prints for ever: somebody has to stop it.
slow() ->
    Me = self(),
    P = spawn(fun Loop() -> receive {Me, N} -> Me ! {self(), N * N}, Loop() end end),
    slow(P, 1).

slow(P, N) ->
    P ! {self(), N},
    receive {P, Square} -> io:format("~b~n", [Square]) end,
    slow(P, N + 1).

%% Takes a while, and prints as it goes.
squares(Count) ->
    P = spawn(fun Loop() -> receive {From, N} -> From ! {self(), N * N}, Loop() end end),
    [begin
         P ! {self(), N},
         receive {P, Square} -> io:format("~b~n", [Square]) end,
         receive after 1 -> ok end
     end || N <- lists:seq(1, Count)],
    told(Count).

halts() ->
    io:format("before~n"),
    spawn(fun() -> halt(3) end),
    receive never -> ok end.

inputs() ->
    _ = rand:uniform(),
    told({os:getpid(), os:getenv("HOME"), rand:uniform(1000000), node(), erlang:system_time(),
          make_ref(), erlang:unique_integer(), os:timestamp(), filelib:is_file("story.beam"),
          file:read_file("story.txt"), erlang:phash2(crypto:strong_rand_bytes(8)),
          calendar:local_time(), erlang:system_info(schedulers), process_info(self(), heap_size)}).

%% Works for ever.
work() ->
    spawn(fun() -> ?MODULE:job(3) end),
    timer:sleep(50),
    work().

job(N) ->
    Me = self(),
    [spawn(fun() -> Me ! I * I end) || I <- lists:seq(1, N)],
    [receive X -> X end || _ <- lists:seq(1, N)].

aliases() ->
    Me = self(),
    A = alias([reply]),
    spawn(fun() -> A ! first, A ! second, Me ! done end),
    Got = receive first -> first end,
    receive done -> ok end,
    told({Got, receive second -> second after 0 -> gone end}).

%% Prints what it gets.
echo() ->
    spawn(fun Loop() -> receive Message -> told(Message), Loop() end end).

%% A server and a plain process, both with names, and clients that race.
shop() ->
    {ok, _} = gen_server:start({local, counter}, ?MODULE, 0, []),
    register(till, spawn(fun() -> till() end)),
    Me = self(),
    Buy = fun(J) ->
        [begin gen_server:call(counter, {add, J}), till ! {self(), J} end || _ <- lists:seq(1, 20)],
        Me ! done
    end,
    timer:sleep(100),
    [spawn(fun() -> Buy(J) end) || J <- lists:seq(1, 3)],
    [receive done -> ok end || _ <- lists:seq(1, 3)],
    till ! {Me, close},
    told({gen_server:call(counter, get), receive {takings, Sum} -> Sum end}).

till() -> ?MODULE:till(0).

till(Sum) ->
    receive
        {From, close} -> From ! {takings, Sum};
        {_, Coin} -> ?MODULE:till(Sum + Coin)
    after 10 -> ?MODULE:till(Sum)
    end.
