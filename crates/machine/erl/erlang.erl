%% The functions of module erlang that are written in Erlang.
-module(erlang).
-export([demonitor/2, '!'/2, display/1, display_nl/0, display_string/1]).
-export([spawn/2, spawn/4, spawn_link/2, spawn_link/4, spawn_monitor/2, spawn_monitor/4]).
-export([spawn_opt/3, spawn_opt/5]).
-export([spawn_request/1, spawn_request/2, spawn_request/3, spawn_request/4, spawn_request/5]).
-export([spawn_request_abandon/1]).
-export([date/0, time/0, localtime/0, universaltime/0]).
-export([time_offset/0, time_offset/1]).
-export([statistics/1, memory/0, memory/1, system_flag/2]).
-export([process_display/2, suspend_process/1, suspend_process/2, resume_process/1]).
-export([nodes/2, exit_signal/2, get_cookie/1, set_cookie/1, set_cookie/2]).
-export([check_process_code/2, check_process_code/3, purge_module/1, delete_module/1]).
-export([load_module/2, prepare_loading/2, has_prepared_code_on_load/1, finish_loading/1]).
-export([hibernate/3, open_port/2, cancel_timer/2, read_timer/2]).
-export([monitor_node/2, monitor_node/3, disconnect_node/1, trace_delivered/1]).

-define(INFO, [{error_info, #{module => erl_erts_errors}}]).

%% A 'DOWN' that has already arrived is taken out of the mailbox here, so that it is received
%% like any other message.
demonitor(Ref, Options) ->
    Value = reverl:demonitor(Ref, Options),
    case flushes(Options) of
        false ->
            Value;
        true ->
            receive
                {_, Ref, _, _, _} -> Value
            after 0 ->
                Value
            end
    end.

flushes([flush | _]) -> true;
flushes([_ | Options]) -> flushes(Options);
flushes([]) -> false.

'!'(To, Message) -> To ! Message.

%% A process that hibernates gives up its callers and waits for any message. It is received here,
%% which is what wakes the process, and then put back for the program to receive.
hibernate(M, F, Args) when is_atom(M), is_atom(F), length(Args) > 255 ->
    error(system_limit, [M, F, Args], ?INFO);
hibernate(M, F, Args) when is_atom(M), is_atom(F), length(Args) >= 0 ->
    reverl:forget_callers(),
    receive
        Message -> reverl:keep_message(Message)
    end,
    apply(M, F, Args);
hibernate(M, F, Args) ->
    error(badarg, [M, F, Args], ?INFO).

display(Term) ->
    reverl:output(reverl:display_text(Term)),
    true.

display_nl() ->
    reverl:output(<<"\n">>),
    true.

display_string(String) ->
    try unicode:characters_to_binary(String) of
        Text when is_binary(Text) ->
            reverl:output(Text),
            true;
        _ ->
            error(badarg, [String], ?INFO)
    catch
        error:_ -> error(badarg, [String], ?INFO)
    end.

%% There is one node: to spawn on it is to spawn, on another one to get a pid of nobody.

spawn(Node, Fun) when Node =:= node() -> spawn(Fun);
spawn(_, Fun) when is_function(Fun, 0) -> spawn(fun() -> exit(noconnection) end);
spawn(Node, Fun) -> error(badarg, [Node, Fun], ?INFO).

spawn(Node, M, F, As) when Node =:= node() -> spawn(M, F, As);
spawn(_, _, _, _) -> spawn(fun() -> exit(noconnection) end).

spawn_link(Node, Fun) when Node =:= node() -> spawn_link(Fun);
spawn_link(_, Fun) when is_function(Fun, 0) -> spawn_link(fun() -> exit(noconnection) end);
spawn_link(Node, Fun) -> error(badarg, [Node, Fun], ?INFO).

spawn_link(Node, M, F, As) when Node =:= node() -> spawn_link(M, F, As);
spawn_link(_, _, _, _) -> spawn_link(fun() -> exit(noconnection) end).

spawn_monitor(Node, Fun) when Node =:= node() -> spawn_monitor(Fun);
spawn_monitor(_, Fun) when is_function(Fun, 0) -> spawn_monitor(fun() -> exit(noconnection) end);
spawn_monitor(Node, Fun) -> error(badarg, [Node, Fun], ?INFO).

spawn_monitor(Node, M, F, As) when Node =:= node() -> spawn_monitor(M, F, As);
spawn_monitor(_, _, _, _) -> spawn_monitor(fun() -> exit(noconnection) end).

spawn_opt(Node, Fun, Options) when Node =:= node() -> spawn_opt(Fun, Options);
spawn_opt(_, _, Options) -> spawn_opt(fun() -> exit(noconnection) end, Options).

spawn_opt(Node, M, F, As, Options) when Node =:= node() -> spawn_opt(M, F, As, Options);
spawn_opt(_, _, _, _, Options) -> spawn_opt(fun() -> exit(noconnection) end, Options).

spawn_request(Fun) -> spawn_request(Fun, []).

spawn_request(Node, Fun) when is_atom(Node), is_function(Fun, 0) ->
    spawn_request(Node, Fun, []);
spawn_request(Fun, Options) when is_function(Fun, 0) ->
    requested(fun(Plain) -> spawn_opt(Fun, Plain) end, Options);
spawn_request(Fun, Options) ->
    error(badarg, [Fun, Options], ?INFO).

spawn_request(Node, Fun, Options) when is_function(Fun, 0), Node =:= node() ->
    requested(fun(Plain) -> spawn_opt(Fun, Plain) end, Options);
spawn_request(_, Fun, Options) when is_function(Fun, 0) ->
    refused(Options);
spawn_request(M, F, As) ->
    spawn_request(M, F, As, []).

spawn_request(Node, M, F, As) when is_atom(F), is_list(As) ->
    spawn_request(Node, M, F, As, []);
spawn_request(M, F, As, Options) ->
    requested(fun(Plain) -> spawn_opt(M, F, As, Plain) end, Options).

spawn_request(Node, M, F, As, Options) when Node =:= node() ->
    spawn_request(M, F, As, Options);
spawn_request(_, _, _, _, Options) ->
    refused(Options).

%% The reply is a message to oneself. With a monitor its reference is that of the request.
requested(Spawn, Options) ->
    {Tag, Reply, Plain} = request_options(Options, spawn_reply, yes, []),
    {Ref, Pid} =
        case Spawn(Plain) of
            {P, R} -> {R, P};
            P -> {make_ref(), P}
        end,
    case Reply of
        R1 when R1 =:= yes; R1 =:= success_only -> self() ! {Tag, Ref, ok, Pid};
        _ -> ok
    end,
    Ref.

refused(Options) ->
    {Tag, Reply, _} = request_options(Options, spawn_reply, yes, []),
    Ref = make_ref(),
    case Reply of
        R when R =:= yes; R =:= error_only -> self() ! {Tag, Ref, error, noconnection};
        _ -> ok
    end,
    Ref.

request_options([{reply_tag, Tag} | Options], _, Reply, Plain) ->
    request_options(Options, Tag, Reply, Plain);
request_options([{reply, Reply} | Options], Tag, _, Plain) ->
    request_options(Options, Tag, Reply, Plain);
request_options([Option | Options], Tag, Reply, Plain) ->
    request_options(Options, Tag, Reply, [Option | Plain]);
request_options([], Tag, Reply, Plain) ->
    {Tag, Reply, Plain}.

spawn_request_abandon(Ref) when is_reference(Ref) -> false;
spawn_request_abandon(Ref) -> error(badarg, [Ref], ?INFO).

%% The clock of a run is in UTC, and so is its local time.

universaltime() -> reverl:datetime(system_time(second)).
localtime() -> universaltime().
date() -> element(1, localtime()).
time() -> element(2, localtime()).

%% What the clock's start and that of monotonic time are apart.
time_offset() -> 2343686352000000000.
time_offset(Unit) -> convert_time_unit(time_offset(), native, Unit).

%% Numbers of the machine that are not the program's are zero.

statistics(Item) when Item =:= wall_clock; Item =:= runtime ->
    Passed = monotonic_time(millisecond) + 576460752000,
    {Passed, Passed};
statistics(Item) when Item =:= reductions; Item =:= exact_reductions ->
    {0, 0};
statistics(garbage_collection) ->
    {0, 0, 0};
statistics(io) ->
    {{input, 0}, {output, 0}};
statistics(Item) when Item =:= run_queue; Item =:= context_switches;
                      Item =:= total_run_queue_lengths; Item =:= total_active_tasks;
                      Item =:= total_run_queue_lengths_all; Item =:= total_active_tasks_all ->
    0;
statistics(Item) when Item =:= run_queue_lengths; Item =:= active_tasks;
                      Item =:= run_queue_lengths_all; Item =:= active_tasks_all ->
    [0];
statistics(Item) when Item =:= scheduler_wall_time; Item =:= scheduler_wall_time_all;
                      Item =:= microstate_accounting ->
    undefined;
statistics(Item) ->
    error(badarg, [Item], ?INFO).

memory() ->
    [{Type, 0} || Type <- memory_types()].

memory(Types) when is_list(Types) ->
    [{Type, memory(Type)} || Type <- Types];
memory(Type) ->
    case lists:member(Type, memory_types()) of
        true -> 0;
        false -> error(badarg, [Type], ?INFO)
    end.

memory_types() ->
    [total, processes, processes_used, system, atom, atom_used, binary, code, ets].

system_flag(backtrace_depth, Depth) when is_integer(Depth) -> 8;
system_flag(schedulers_online, N) when is_integer(N) -> 1;
system_flag(system_logger, Logger)
        when is_pid(Logger); Logger =:= logger; Logger =:= undefined ->
    Before = reverl:setting(system_logger),
    reverl:set(system_logger, Logger),
    case Before of
        undefined -> logger;
        _ -> Before
    end;
system_flag(Flag, Value) ->
    case lists:member(Flag, [fullsweep_after, min_heap_size, min_bin_vheap_size]) of
        true -> element(2, system_info(Flag));
        false -> error(badarg, [Flag, Value], ?INFO)
    end.

%% There is no other program beside this one.
open_port(Name, Settings) ->
    error(notsup, [Name, Settings],
          [{error_info, #{cause => "ports are not simulated: record the program on a node instead"}}]).



process_display(Pid, backtrace) when is_pid(Pid) -> true;
process_display(Pid, Type) -> error(badarg, [Pid, Type], ?INFO).

%% Who runs when is the schedule's choice.
suspend_process(Pid) when is_pid(Pid) -> true;
suspend_process(Pid) -> error(badarg, [Pid], ?INFO).

suspend_process(Pid, Options) when is_pid(Pid), is_list(Options) -> true;
suspend_process(Pid, Options) -> error(badarg, [Pid, Options], ?INFO).

resume_process(Pid) when is_pid(Pid) -> true;
resume_process(Pid) -> error(badarg, [Pid], ?INFO).

monitor_node(Node, Flag) -> error(notalive, [Node, Flag], ?INFO).
monitor_node(Node, Flag, Options) -> error(notalive, [Node, Flag, Options], ?INFO).
disconnect_node(Node) when is_atom(Node) -> ignored.

trace_delivered(Pid) ->
    Ref = make_ref(),
    self() ! {trace_delivered, Pid, Ref},
    Ref.

nodes(Which, _Options) -> [{Node, #{}} || Node <- nodes(Which)].

exit_signal(Pid, Reason) -> exit(Pid, Reason).

get_cookie(Node) when is_atom(Node) -> nocookie.
set_cookie(Cookie) when is_atom(Cookie) -> error(function_clause, [Cookie]).
set_cookie(Node, Cookie) when is_atom(Node), is_atom(Cookie) -> true.

check_process_code(Pid, Module) when is_pid(Pid), is_atom(Module) ->
    lists:member(Pid, reverl:code_users(Module)).

check_process_code(Pid, Module, Options) when is_pid(Pid), is_atom(Module) ->
    case lists:keyfind(async, 1, Options) of
        {async, Id} ->
            self() ! {check_process_code, Id, check_process_code(Pid, Module)},
            async;
        false ->
            check_process_code(Pid, Module)
    end.

%% What is left of a timer is told by a message of one's own if it is asked for asynchronously.
%% The arguments were checked before.
cancel_timer(Ref, Options) ->
    Left = cancel_timer(Ref),
    case last(info, Options, true) of
        true -> timer_answer(cancel_timer, Ref, Left, Options);
        false -> ok
    end.

read_timer(Ref, Options) -> timer_answer(read_timer, Ref, read_timer(Ref), Options).

timer_answer(What, Ref, Left, Options) ->
    case last(async, Options, false) of
        true -> self() ! {What, Ref, Left}, ok;
        false -> Left
    end.

last(Key, [{Key, Value} | Options], _) -> last(Key, Options, Value);
last(Key, [_ | Options], Default) -> last(Key, Options, Default);
last(_, [], Value) -> Value.

purge_module(Module) when is_atom(Module) ->
    check_old_code(Module) orelse error(badarg, [Module], ?INFO),
    code:purge(Module),
    true.

delete_module(Module) when is_atom(Module) ->
    try
        reverl:delete_code(Module)
    catch
        error:badarg -> error(badarg, [Module], ?INFO)
    end.

load_module(Module, Binary) when is_atom(Module), is_binary(Binary) ->
    case reverl:load_code(Module, Binary, "") of
        ok -> {module, Module};
        Error -> Error
    end;
load_module(Module, Binary) ->
    error(badarg, [Module, Binary], ?INFO).

%% What is prepared is only kept: loading is one step here.
prepare_loading(Module, Binary) when is_atom(Module), is_binary(Binary) ->
    {'$prepared', Module, Binary}.

has_prepared_code_on_load({'$prepared', _, _}) -> false.

finish_loading(Prepared) ->
    case [M || {'$prepared', M, _} <- Prepared, check_old_code(M)] of
        [] ->
            [load_module(M, Binary) || {'$prepared', M, Binary} <- Prepared],
            ok;
        Modules ->
            {not_purged, Modules}
    end.
