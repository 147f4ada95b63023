%% Workloads for scripts/bench-record: each prints its name, CPU and wall time in microseconds,
%% and how many messages it passed.
-module(workload).
-export([ping_pong/0, gen_server_call/0, work/0, spawn_many/0, mnesia/0, httpd/0, compile/0]).
-export([init/1, handle_call/3, handle_cast/2]).
-behaviour(gen_server).

measured(Name, Messages, Fun) ->
    erlang:garbage_collect(),
    {Cpu0, _} = statistics(runtime),
    T0 = erlang:monotonic_time(microsecond),
    Fun(),
    T1 = erlang:monotonic_time(microsecond),
    {Cpu1, _} = statistics(runtime),
    io:format("~s ~b ~b ~b~n", [Name, (Cpu1 - Cpu0) * 1000, T1 - T0, Messages]).

ping_pong() ->
    N = 200000,
    measured("ping_pong", 2 * N, fun() ->
        Me = self(),
        P = spawn_link(fun() -> pong(Me) end),
        ping(P, N)
    end).

ping(P, 0) -> P ! stop;
ping(P, N) -> P ! ping, receive pong -> ping(P, N - 1) end.

pong(To) -> receive ping -> To ! pong, pong(To); stop -> ok end.

gen_server_call() ->
    N = 100000,
    measured("gen_server_call", 2 * N, fun() ->
        {ok, P} = gen_server:start_link(?MODULE, [], []),
        [gen_server:call(P, I) || I <- lists:seq(1, N)],
        gen_server:stop(P)
    end).

init(_) -> {ok, 0}.
handle_call(I, _, S) -> {reply, I, S + I}.
handle_cast(_, S) -> {noreply, S}.

%% About 18 microseconds of work for each message.
work() ->
    N = 20000,
    measured("work", 2 * N, fun() ->
        Me = self(),
        P = spawn_link(fun() -> worker(Me) end),
        [begin P ! {work, 600}, receive {done, _} -> ok end end || _ <- lists:seq(1, N)],
        P ! stop
    end).

worker(To) ->
    receive
        {work, N} -> To ! {done, lists:sum([X * X || X <- lists:seq(1, N)])}, worker(To);
        stop -> ok
    end.

spawn_many() ->
    N = 50000,
    measured("spawn_many", N, fun() ->
        Me = self(),
        [spawn(fun() -> Me ! done end) || _ <- lists:seq(1, N)],
        [receive done -> ok end || _ <- lists:seq(1, N)]
    end).

mnesia() ->
    application:set_env(mnesia, dir, "mnesia.tmp"),
    ok = mnesia:start(),
    {atomic, ok} = mnesia:create_table(t, [{ram_copies, [node()]}]),
    N = 2000,
    measured("mnesia", N * 5, fun() ->
        Me = self(),
        [spawn_link(fun() -> mnesia_client(I, N), Me ! done end) || I <- lists:seq(1, 5)],
        [receive done -> ok end || _ <- lists:seq(1, 5)]
    end).

mnesia_client(I, N) ->
    [mnesia:transaction(fun() ->
         mnesia:write({t, {I, K rem 100}, K}),
         mnesia:read(t, {I, (K + 7) rem 100})
     end) || K <- lists:seq(1, N)].

httpd() ->
    application:ensure_all_started(inets),
    ok = file:write_file("index.html", "hello"),
    {ok, H} = inets:start(httpd, [{port, 0}, {server_name, "x"}, {server_root, "."},
                                  {document_root, "."}, {bind_address, {127, 0, 0, 1}}]),
    [{port, Port}] = httpd:info(H, [port]),
    Url = "http://127.0.0.1:" ++ integer_to_list(Port) ++ "/index.html",
    N = 200,
    measured("httpd", N * 3, fun() ->
        Me = self(),
        [spawn_link(fun() ->
             [{ok, _} = httpc:request(get, {Url, []}, [], []) || _ <- lists:seq(1, N)],
             Me ! done
         end) || _ <- lists:seq(1, 3)],
        [receive done -> ok end || _ <- lists:seq(1, 3)]
    end).

compile() ->
    Dir = code:lib_dir(stdlib) ++ "/src/",
    measured("compile", 3, fun() ->
        [{ok, _, _} = compile:file(Dir ++ F, [binary]) || F <- ["lists", "queue", "dict"]]
    end).
