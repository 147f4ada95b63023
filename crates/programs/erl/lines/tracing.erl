%% A program traces its own processes: what it is told, a line for each message, is what OTP tells.
-module(tracing).
-export([main/0, worker/0, f/1, h/1, two/2]).

main() ->
    lists:foreach(
      fun({Name, Fun}) -> io:format("-- ~w~n", [Name]), Fun() end,
      [{sends, fun sends/0}, {receives, fun receives/0}, {global_calls, fun global_calls/0},
       {local_calls, fun local_calls/0}, {returns, fun returns/0}, {exceptions, fun exceptions/0},
       {return_to, fun return_to/0}, {own_life, fun own_life/0}, {told_by_others, fun told_by_others/0},
       {spawning, fun spawning/0}, {specs, fun specs/0}, {message_specs, fun message_specs/0},
       {flags, fun flags/0}, {wrong, fun wrong/0}, {infos, fun infos/0}, {linked, fun linked/0},
       {silent, fun silent/0}, {builtins, fun builtins/0}, {tails, fun tails/0},
       {stamps, fun stamps/0}, {arity, fun arity/0}, {oneself, fun oneself/0}, {new, fun new/0},
       {timers, fun timers/0}, {delivered, fun delivered/0}, {ends, fun ends/0},
       {all_flags, fun all_flags/0}]).

%% A process that does what it is told.
worker() ->
    receive
        {do, Fun, From} -> From ! {done, catch Fun()}, worker();
        {die, Reason} -> exit(Reason);
        stop -> ok
    end.

start() -> spawn(?MODULE, worker, []).

do(P, Fun) ->
    P ! {do, Fun, self()},
    receive {done, Result} -> Result end.

trace(P, Flags) -> show(catch erlang:trace(P, true, Flags), []).

local(Name, Arity, Spec) -> erlang:trace_pattern({?MODULE, Name, Arity}, Spec, [local]).

%% All that has been told, with names for processes; nothing is traced any more.
told(Names) ->
    timer:sleep(20),
    erlang:trace_pattern({?MODULE, '_', '_'}, false, [local]),
    erlang:trace_pattern({?MODULE, '_', '_'}, false, [global]),
    [exit(P, kill) || {_, P} <- Names],
    rest(Names).

rest(Names) ->
    receive Message -> show(Message, Names), rest(Names) after 20 -> ok end.

show(Term, Names) -> io:format("~w~n", [plain(Term, [{main, self()} | Names])]).

plain(P, Names) when is_pid(P) ->
    case lists:keyfind(P, 2, Names) of
        {Name, _} -> Name;
        false -> pid
    end;
plain(R, _) when is_reference(R) -> ref;
plain(F, _) when is_function(F) -> a_fun;
plain({file, _}, _) -> file;
plain({line, _}, _) -> line;
plain([H | T], Names) -> [plain(H, Names) | plain(T, Names)];
plain(T, Names) when is_tuple(T) -> list_to_tuple(plain(tuple_to_list(T), Names));
plain(X, _) -> X.

%% Messages

sends() ->
    P = start(),
    trace(P, [send]),
    do(P, fun() -> self() ! me, receive me -> ok end end),
    D = spawn(fun() -> ok end),
    timer:sleep(10),
    do(P, fun() ->
                  D ! dead,
                  register(here, self()),
                  here ! named,
                  erlang:send(self(), x),
                  (catch nope ! x),
                  (catch erlang:send(nope, x)),
                  {here, node()} ! y,
                  {nope, node()} ! z
          end),
    told([{p, P}, {d, D}]).

receives() ->
    P = start(),
    P ! early,
    timer:sleep(10),
    trace(P, ['receive']),
    P ! one,
    P ! {two, x},
    do(P, fun() ->
                  receive one -> ok end,
                  receive {two, _} -> ok end,
                  receive nothing -> ok after 5 -> timeout end
          end),
    P ! late,
    told([{p, P}]).

timers() ->
    P = start(),
    trace(P, [send, 'receive']),
    do(P, fun() ->
                  erlang:send_after(1, self(), tick),
                  receive tick -> ok end,
                  erlang:send(self(), a, [noconnect]),
                  receive a -> ok end
          end),
    told([{p, P}]).

message_specs() ->
    P = start(),
    show(erlang:trace_pattern(send, [{['_', '$1'], [{'=/=', '$1', hide}], []}], []), []),
    show(erlang:trace_pattern('receive', [{['_', '_', {'$1', '_'}], [], [{message, '$1'}]}], []), []),
    trace(P, [send, 'receive']),
    do(P, fun() -> self() ! hide, self() ! {tag, 1}, receive {tag, 1} -> ok end end),
    show({erlang:trace_info(send, match_spec), erlang:trace_info('receive', match_spec)}, []),
    erlang:trace_pattern(send, true, []),
    erlang:trace_pattern('receive', true, []),
    show({erlang:trace_info(send, match_spec), erlang:trace_info('receive', match_spec)}, []),
    told([{p, P}]).

%% Calls

f(X) -> g(X) + 1.

g(X) -> h(X) * 2.

h(0) -> 1;
h(X) -> X * ?MODULE:h(X - 1).

global_calls() ->
    P = start(),
    trace(P, [call]),
    show(erlang:trace_pattern({?MODULE, h, 1}, true), []),
    do(P, fun() -> ?MODULE:f(2) end),
    do(P, fun() -> ?MODULE:h(1) end),
    told([{p, P}]).

local_calls() ->
    P = start(),
    trace(P, [call]),
    show([local(h, 1, true), local(g, 1, true)], []),
    do(P, fun() -> f(2) end),
    do(P, fun() ->
                  apply(?MODULE, h, [0]),
                  External = fun ?MODULE:h/1,
                  External(0),
                  Local = fun h/1,
                  Local(0)
          end),
    local('_', '_', false),
    do(P, fun() -> f(2) end),
    told([{p, P}]).

returns() ->
    P = start(),
    trace(P, [call]),
    [local(Name, 1, [{'_', [], [{return_trace}]}]) || Name <- [f, g, h]],
    do(P, fun() -> f(2) end),
    told([{p, P}]).

e(1) -> error(one);
e(2) -> throw(two);
e(3) -> exit(three);
e(N) -> e1(N).

e1(4) -> e(1) + 1;
e1(N) -> try e(N - 4) catch _:_ -> caught end.

exceptions() ->
    P = start(),
    trace(P, [call]),
    local(e, 1, [{'_', [], [{exception_trace}]}]),
    local(e1, 1, [{'_', [], [{return_trace}]}]),
    [do(P, fun() -> e(N) end) || N <- [1, 2, 3, 4, 5, 6, 7]],
    Q = start(),
    trace(Q, [call, procs]),
    Q ! {do, fun() -> exit(e(5)) end, self()},
    receive {done, _} -> ok end,
    R = spawn(fun() -> receive go -> e(3) end end),
    trace(R, [call, procs]),
    R ! go,
    told([{p, P}, {q, Q}, {r, R}]).

return_to() ->
    P = start(),
    trace(P, [call, return_to]),
    local(h, 1, true),
    do(P, fun() -> f(1) end),
    local(g, 1, [{'_', [], [{return_trace}]}]),
    do(P, fun() -> f(0) end),
    told([{p, P}]).

t1(X) -> t2(X + 1).

t2(X) -> t3(X).

t3(6) -> t3(id(1)) + 1;
t3(X) -> X.

id(X) -> X.

tails() ->
    P = start(),
    trace(P, [call, return_to]),
    [local(Name, 1, [{'_', [], [{return_trace}, {message, {caller}}]}]) || Name <- [t1, t2, t3]],
    do(P, fun() -> {t1(5), ok} end),
    told([{p, P}]).

two(A, _) -> id(A).

specs() ->
    P = start(),
    trace(P, [call]),
    Specs = [[{['$1', '_'], [{is_atom, '$1'}], []}],
             [{'_', [], [{message, {{x, '$_'}}}]}],
             [{['$1', '$2'], [], [{message, ['$2', '$1']}]}],
             [{'_', [], [{message, false}]}],
             [{'_', [], [{message, true}]}],
             [{'_', [], [{message, {caller}}]}],
             [{['$1', '$2'], [{'==', '$2', 1}], [{message, hit}, {return_trace}]},
              {'_', [], [{message, miss}]}],
             [{'_', [], [true]}], [{'_', [], [false]}], [{'_', [], []}],
             [{'_', [], [{message, {self}}]}], [], [{['_'], [], []}], [{'$1', [], [{message, '$1'}]}],
             [{x, [], []}], [{'_', [], [{foo}]}], [{'_', [], [{message, '$1'}]}], foo, true,
             [{'_', [{'==', {self}, {self}}], [{message, {is_seq_trace}}]}],
             [{'_', [], [{disable_trace, call}]}]],
    [begin
         show(Spec, []),
         show(outcome(fun() -> local(two, 2, Spec) end), []),
         do(P, fun() -> two(a, 1), two(b, {x, y}), {two(3, [4])} end)
     end || Spec <- Specs],
    show(erlang:trace_info(P, flags), []),
    told([{p, P}]).

silent() ->
    P = start(),
    trace(P, [call, silent]),
    local(f, 1, [{'_', [], [{silent, false}]}]),
    local(g, 1, true),
    local(h, 1, [{[0], [], [{silent, true}]}, {'_', [], [{return_trace}]}]),
    do(P, fun() -> g(1), f(2), g(0) end),
    told([{p, P}]).

builtins() ->
    P = start(),
    trace(P, [call]),
    Functions = [{erlang, atom_to_list, 1}, {lists, reverse, 2}, {erlang, whereis, 1},
                 {lists, seq, 2}, {erlang, binary_to_term, 1}, {lists, keyfind, 3}],
    [show(erlang:trace_pattern(F, [{'_', [], [{return_trace}]}], [local]), []) || F <- Functions],
    do(P, fun() ->
                  X = atom_to_list(id(abc)),
                  Y = lists:reverse(X, []),
                  undefined = whereis(foo),
                  L = lists:seq(1, 3),
                  false = lists:keyfind(a, 1, [{b, L}]),
                  {last_deed(Y), catch binary_to_term(<<1>>)}
          end),
    [erlang:trace_pattern(F, false, [local]) || F <- Functions],
    told([{p, P}]).

last_deed(X) -> lists:reverse(X, [x]).

arity() ->
    P = start(),
    trace(P, [call, arity]),
    local(two, 2, [{['$1', '_'], [{'==', '$1', a}], [{return_trace}]}]),
    do(P, fun() -> two(a, 1), two(b, 1) end),
    told([{p, P}]).

oneself() ->
    Me = self(),
    T = spawn(fun() -> tell(Me) end),
    show(erlang:trace(self(), true, [call, {tracer, T}]), []),
    local(f, 1, true),
    f(1),
    erlang:trace(self(), false, [call]),
    f(1),
    told([{t, T}]).

tell(To) ->
    receive Message -> To ! {t, Message}, tell(To) end.

%% Lives of processes

own_life() ->
    P = start(),
    Q = start(),
    trace(P, [procs]),
    do(P, fun() ->
                  register(nm, self()),
                  link(Q),
                  link(Q),
                  unlink(Q),
                  unregister(nm),
                  register(nn, self()),
                  link(Q)
          end),
    exit(P, because),
    told([{p, P}, {q, Q}]).

told_by_others() ->
    P = start(),
    Q = start(),
    do(P, fun() -> process_flag(trap_exit, true) end),
    trace(P, [procs, 'receive']),
    do(Q, fun() -> link(P), unlink(P), link(P) end),
    Q ! {die, x},
    timer:sleep(10),
    do(P, fun() ->
                  receive {'EXIT', _, _} -> ok end,
                  spawn_link(fun() -> ok end),
                  receive {'EXIT', _, _} -> ok end,
                  spawn_monitor(?MODULE, f, [1]),
                  receive {'DOWN', _, _, _, _} -> ok end
          end),
    P ! stop,
    rest([{p, P}, {q, Q}]).

linked() ->
    P = start(),
    Q = start(),
    trace(P, [procs, 'receive']),
    do(Q, fun() -> link(P) end),
    exit(Q, kill),
    timer:sleep(10),
    show(is_process_alive(P), []),
    rest([{p, P}, {q, Q}]).

spawning() ->
    P = start(),
    trace(P, [procs, set_on_spawn, send]),
    do(P, fun() -> spawn(fun() -> self() ! x end), receive after 20 -> ok end end),
    P2 = start(),
    trace(P2, [procs, set_on_first_spawn]),
    do(P2, fun() ->
                   spawn(fun() -> ok end),
                   receive after 10 -> ok end,
                   spawn(fun() -> ok end),
                   receive after 10 -> ok end
           end),
    show(erlang:trace_info(P2, flags), []),
    P3 = start(),
    trace(P3, [procs, set_on_link]),
    do(P3, fun() ->
                   spawn_link(fun() -> receive after 10 -> ok end end),
                   receive after 20 -> ok end
           end),
    told([{p, P}, {p2, P2}, {p3, P3}]).

new() ->
    show(erlang:trace(new, true, [procs]), []),
    show({erlang:trace_info(new, flags), erlang:trace_info(new, tracer)}, []),
    P = spawn(fun() -> receive go -> ok end end),
    show(erlang:trace_info(P, flags), []),
    erlang:trace(new, false, [procs]),
    Q = spawn(fun() -> ok end),
    P ! go,
    timer:sleep(10),
    show(erlang:trace_info(new, flags), []),
    rest([{p, P}, {q, Q}]).

ends() ->
    P = start(),
    trace(P, [procs, call, send, 'receive']),
    local(worker, 0, [{'_', [], [{exception_trace}]}]),
    do(P, fun() -> ok end),
    P ! stop,
    timer:sleep(10),
    Q = start(),
    trace(Q, [procs]),
    Q ! {die, {bad, reason}},
    timer:sleep(10),
    told([{p, P}, {q, Q}]).

%% Who is traced by whom

flags() ->
    P = start(),
    Me = self(),
    T = spawn(fun() -> tell(Me) end),
    show(erlang:trace(P, true, [send, {tracer, T}]), []),
    %% OTP logs this too.
    Logger = erlang:system_flag(system_logger, spawn(fun() -> receive stop -> ok end end)),
    show(outcome(fun() -> erlang:trace(P, true, [call]) end), []),
    erlang:system_flag(system_logger, Logger),
    do(P, fun() -> x end),
    show(erlang:trace(P, true, [procs, {tracer, T}]), []),
    show({erlang:trace_info(P, flags), erlang:trace_info(P, tracer)}, [{t, T}]),
    erlang:trace(P, false, [send]),
    do(P, fun() -> link(T) end),
    erlang:trace(P, false, [all]),
    show({erlang:trace_info(P, flags), erlang:trace_info(P, tracer)}, []),
    trace(P, [send]),
    do(P, fun() -> unlink(T), y end),
    told([{p, P}, {t, T}]).

all_flags() ->
    P = start(),
    show(erlang:trace(P, true, [send, 'receive', call, procs, return_to, silent, arity, timestamp,
                                set_on_spawn, set_on_link, set_on_first_link, set_on_first_spawn]), []),
    show(erlang:trace_info(P, flags), []),
    erlang:trace(P, false, [all]),
    show(erlang:trace_info(P, flags), []),
    told([{p, P}]).

stamps() ->
    P = start(),
    [begin
         trace(P, [send, Kind]),
         do(P, fun() -> ok end),
         erlang:trace(P, false, [all]),
         receive
             Message ->
                 Stamp = element(tuple_size(Message), Message),
                 Form = if is_integer(Stamp) -> integer; is_tuple(Stamp) -> tuple_size(Stamp) end,
                 show({element(1, Message), tuple_size(Message), Form}, [])
         end
     end || Kind <- [timestamp, monotonic_timestamp, strict_monotonic_timestamp]],
    told([{p, P}]).

delivered() ->
    P = start(),
    trace(P, [send]),
    do(P, fun() -> x end),
    Ref = erlang:trace_delivered(P),
    receive {trace_delivered, P, Ref} -> show(delivered, []) end,
    AllRef = erlang:trace_delivered(all),
    receive {trace_delivered, all, AllRef} -> show(delivered, []) end,
    told([{p, P}]).

wrong() ->
    P = start(),
    D = spawn(fun() -> ok end),
    timer:sleep(10),
    Calls = [fun() -> erlang:trace(D, true, [send]) end,
             fun() -> erlang:trace(P, yes, [send]) end,
             fun() -> erlang:trace(P, true, [foo]) end,
             fun() -> erlang:trace(P, true, send) end,
             fun() -> erlang:trace(foo, true, [send]) end,
             fun() -> erlang:trace(P, true, [send, {tracer, self()}]) end,
             fun() -> erlang:trace(P, false, [foo]) end,
             fun() -> erlang:trace_pattern({?MODULE, f, 1}, foo, [local]) end,
             fun() -> erlang:trace_pattern({?MODULE, f, 1}, true, [foo]) end,
             fun() -> erlang:trace_pattern({?MODULE}, true, [local]) end,
             fun() -> erlang:trace_pattern({?MODULE, '_', 1}, true, [local]) end,
             fun() -> erlang:trace_pattern({?MODULE, nope, 1}, true, [local]) end,
             fun() -> erlang:trace_pattern({nomodule, nope, 1}, true, [local]) end,
             fun() -> erlang:trace_pattern({'_', nope, 1}, true, [local]) end,
             fun() -> erlang:trace_pattern({'_', '_', foo}, true, [local]) end,
             fun() -> erlang:trace_pattern(foo, true) end,
             fun() -> erlang:trace_info(P, foo) end,
             fun() -> erlang:trace_info(D, flags) end,
             fun() -> erlang:trace_info(foo, flags) end,
             fun() -> erlang:trace_info({?MODULE, nope, 1}, traced) end,
             fun() -> erlang:trace_delivered(foo) end,
             fun() -> erlang:trace(P, true, []) end,
             fun() -> erlang:trace_info(P, flags) end,
             fun() -> erlang:trace_pattern({?MODULE, worker, 0}, true, []) end,
             fun() -> erlang:trace_pattern({?MODULE, worker, 0}, false, [global]) end],
    [show(outcome(Call), [{p, P}]) || Call <- Calls],
    told([{p, P}]).

infos() ->
    local(f, 1, [{'_', [], [{return_trace}]}]),
    erlang:trace_pattern({?MODULE, h, 1}, true, []),
    Items = [traced, match_spec, meta, meta_match_spec, call_count, call_time, all],
    Functions = [{?MODULE, f, 1}, {?MODULE, h, 1}, {?MODULE, two, 2}, {?MODULE, nope, 0},
                 {erlang, whereis, 1}, on_load],
    [show({Function, erlang:trace_info(Function, Item)}, []) || Function <- Functions, Item <- Items],
    [show({Who, erlang:trace_info(Who, Item)}, [])
     || Who <- [new, new_processes], Item <- [flags, tracer]],
    told([]).

outcome(Fun) ->
    try Fun()
    catch
        Class:Reason:Trace ->
            [{M, F, _, Location} | _] = Trace,
            {Class, Reason, {M, F}, [Info || {error_info, Info} <- Location]}
    end.
