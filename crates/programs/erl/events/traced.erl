%% Processes that trace each other while they work: what is told depends on when it is asked for.
-module(traced).
-export([main/0, worker/1, work/2, tell/1]).

main() ->
    Tracer = spawn(?MODULE, tell, [self()]),
    [A, B] = [spawn(?MODULE, worker, [N]) || N <- [1, 2]],
    Racer = spawn(fun() ->
                          erlang:trace(A, true, [call, procs, return_to, {tracer, Tracer}]),
                          erlang:trace_pattern({?MODULE, work, 2}, [{'_', [], [{exception_trace}]}],
                                               [local])
                  end),
    erlang:trace(B, true, [send, 'receive', procs, set_on_spawn, {tracer, Tracer}]),
    A ! {do, 2, self()},
    B ! unknown,
    B ! {do, 3, self()},
    B ! {link, A},
    Sums = [receive {done, Sum} -> Sum end || _ <- [A, B]],
    erlang:trace_pattern({?MODULE, work, 2}, false, [local]),
    A ! {do, 1, self()},
    Last = receive {done, One} -> One end,
    erlang:trace_info(B, flags),
    erlang:trace(B, false, ['receive']),
    B ! stop,
    Ref = erlang:trace_delivered(A),
    receive {trace_delivered, A, Ref} -> ok after 100 -> late end,
    unlink(Racer),
    receive after 50 -> ok end,
    Tracer ! {how_many, self()},
    receive {told, Told} -> {lists:sort(Sums), Last, Told > 0} end.

worker(N) ->
    receive
        {do, M, From} ->
            From ! {done, catch work(N, M)},
            worker(N);
        {link, To} ->
            link(To),
            spawn(fun() -> To ! hello end),
            worker(N);
        stop -> exit(over)
    end.

work(_, 0) -> 0;
work(N, M) -> N + work(N, M - 1).

tell(To) -> tell(To, 0).

tell(To, Told) ->
    receive
        {how_many, From} -> From ! {told, Told};
        Trace when element(1, Trace) =:= trace -> tell(To, Told + 1)
    end.
