%% The functions of module erlang that are written in Erlang.
-module(erlang).
-export([demonitor/2, display/1, display_nl/0, display_string/1]).
-export([whereis/1, registered/0, processes_iterator/0, processes_next/1]).
-export([spawn/2, spawn/4, spawn_link/2, spawn_link/4, spawn_monitor/2, spawn_monitor/4]).
-export([spawn_opt/3, spawn_opt/5]).
-export([spawn_request/1, spawn_request/2, spawn_request/3, spawn_request/4, spawn_request/5]).
-export([spawn_request_abandon/1]).
-export([date/0, time/0, localtime/0, universaltime/0]).
-export([time_offset/0, time_offset/1]).
-export([statistics/1, memory/0, memory/1, system_flag/2]).
-export([process_display/2, suspend_process/1, suspend_process/2, resume_process/1]).
-export([nodes/2, exit_signal/2, exit_signal/3, get_cookie/0, get_cookie/1, set_cookie/1, set_cookie/2]).
-export([check_process_code/2, check_process_code/3, purge_module/1, delete_module/1]).
-export([load_module/2, prepare_loading/2, has_prepared_code_on_load/1, finish_loading/1]).
-export([hibernate/0, hibernate/3, open_port/2, ports/0, cancel_timer/2, read_timer/2]).
-export([monitor_node/2, monitor_node/3, disconnect_node/1, trace_delivered/1]).
-export([localtime_to_universaltime/1, garbage_collect/2]).
-export([trace/3, trace_pattern/2, trace_pattern/3, trace_info/2]).
-export([seq_trace/2, seq_trace_info/1, seq_trace_print/1, seq_trace_print/2]).
-export([system_monitor/0, system_monitor/1, system_monitor/2, system_profile/0, system_profile/2]).
-export([dt_get_tag/0, dt_get_tag_data/0, dt_put_tag/1, dt_spread_tag/1, dt_restore_tag/1]).
-export([dt_append_vm_tag_data/1, dt_prepend_vm_tag_data/1]).
-export([port_call/2, port_call/3, port_close/1, port_command/2, port_command/3, port_connect/2]).
-export([port_control/3, port_get_data/1, port_set_data/2, port_info/1, port_info/2]).
-export([alloc_info/1, alloc_sizes/1, set_cpu_topology/1, format_cpu_topology/1]).
-export([gather_gc_info_result/1, call_on_load_function/1, finish_after_on_load/2, load_nif/2]).
-export([setnode/2, setnode/3, dmonitor_node/3, dist_get_stat/1, delay_trap/2]).
-export([dist_ctrl_get_data/1, dist_ctrl_get_data_notification/1, dist_ctrl_get_opt/2]).
-export([dist_ctrl_input_handler/2, dist_ctrl_put_data/2, dist_ctrl_set_opt/3]).

-define(INFO, [{error_info, #{module => erl_erts_errors}}]).
-define(INFO(Cause), [{error_info, #{cause => Cause, module => erl_erts_errors}}]).

%% Names of OTP's `kernel`, which a program finds on every node: its processes are started when
%% somebody looks for them. Other names do not come here.
whereis(Name) ->
    reverl_kernel:need(Name),
    reverl:whereis(Name).

registered() ->
    Own = [Name || Name <- reverl:registered(), not lists:prefix("#Port<", atom_to_list(Name))],
    lists:usort(Own ++ reverl_kernel:names()).

%% All processes are found with the first step.
processes_iterator() -> {0, []}.

processes_next({Place, [Process | Processes]}) when is_integer(Place) -> {Process, {Place, Processes}};
processes_next({0, []}) -> processes_next({1, processes()});
processes_next({1, []}) -> none;
processes_next(Iterator) -> error(badarg, [Iterator], ?INFO).

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

%% Since OTP 28, which calls it for servers that have had nothing to do for a while. The callers stay.
hibernate() ->
    receive
        Message -> reverl:keep_message(Message)
    end,
    ok.

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

%% To spawn on a node that cannot be reached is to get a pid of nobody.

spawn(Node, Fun) when Node =:= node() -> spawn(Fun);
spawn(Node, Fun) when is_function(Fun, 0) -> spawn_opt(Node, Fun, []);
spawn(Node, Fun) -> error(badarg, [Node, Fun], ?INFO).

spawn(Node, M, F, As) when Node =:= node() -> spawn(M, F, As);
spawn(Node, M, F, As) -> spawn_opt(Node, M, F, As, []).

spawn_link(Node, Fun) when Node =:= node() -> spawn_link(Fun);
spawn_link(Node, Fun) when is_function(Fun, 0) -> spawn_opt(Node, Fun, [link]);
spawn_link(Node, Fun) -> error(badarg, [Node, Fun], ?INFO).

spawn_link(Node, M, F, As) when Node =:= node() -> spawn_link(M, F, As);
spawn_link(Node, M, F, As) -> spawn_opt(Node, M, F, As, [link]).

spawn_monitor(Node, Fun) when Node =:= node() -> spawn_monitor(Fun);
spawn_monitor(Node, Fun) when is_function(Fun, 0) -> spawn_opt(Node, Fun, [monitor]);
spawn_monitor(Node, Fun) -> error(badarg, [Node, Fun], ?INFO).

spawn_monitor(Node, M, F, As) when Node =:= node() -> spawn_monitor(M, F, As);
spawn_monitor(Node, M, F, As) -> spawn_opt(Node, M, F, As, [monitor]).

spawn_opt(Node, Fun, Options) when Node =:= node() -> spawn_opt(Fun, Options);
spawn_opt(Node, Fun, Options) when is_function(Fun, 0), node() =/= nonode@nohost ->
    case reverl:is_cluster() of
        true -> spawned_on(Node, Fun, Options);
        false -> spawn_opt(Node, erlang, apply, [Fun, []], Options)
    end;
spawn_opt(Node, Fun, Options) -> spawn_opt(Node, erlang, apply, [Fun, []], Options).

spawn_opt(Node, M, F, As, Options) when Node =:= node() -> spawn_opt(M, F, As, Options);
spawn_opt(_, _, _, _, Options) when node() =:= nonode@nohost ->
    spawn_opt(fun() -> exit(noconnection) end, Options);
spawn_opt(Node, M, F, As, Options) ->
    case reverl:is_cluster() of
        true -> spawned_on(Node, {M, F, As}, Options);
        false -> requested_on(Node, M, F, As, Options)
    end.

spawned_on(Node, What, Options) ->
    case reverl:spawn_on(Node, What, Options) of
        noconnection -> spawn_opt(fun() -> exit(noconnection) end, Options);
        Spawned -> Spawned
    end.

%% A node that was recorded had others beside it.
requested_on(Node, M, F, As, Options) ->
    {Ref, Monitors} = erts_internal:dist_spawn_request(Node, {M, F, As}, Options, spawn_opt),
    receive
        {spawn_reply, Ref, ok, Pid} when Monitors -> {Pid, Ref};
        {spawn_reply, Ref, ok, Pid} -> Pid;
        {spawn_reply, Ref, error, Why} -> spawn_opt(fun() -> exit(Why) end, Options)
    end.

spawn_request(Fun) -> spawn_request(Fun, []).

spawn_request(Node, Fun) when is_atom(Node), is_function(Fun, 0) ->
    spawn_request(Node, Fun, []);
spawn_request(Fun, Options) when is_function(Fun, 0) ->
    requested(fun(Plain) -> spawn_opt(Fun, Plain) end, Options);
spawn_request(Fun, Options) ->
    error(badarg, [Fun, Options], ?INFO).

spawn_request(Node, Fun, Options) when is_function(Fun, 0), Node =:= node() ->
    requested(fun(Plain) -> spawn_opt(Fun, Plain) end, Options);
spawn_request(Node, Fun, Options) when is_function(Fun, 0) ->
    spawn_request(Node, erlang, apply, [Fun, []], Options);
spawn_request(M, F, As) ->
    spawn_request(M, F, As, []).

spawn_request(Node, M, F, As) when is_atom(F), is_list(As) ->
    spawn_request(Node, M, F, As, []);
spawn_request(M, F, As, Options) ->
    requested(fun(Plain) -> spawn_opt(M, F, As, Plain) end, Options).

spawn_request(Node, M, F, As, Options) when Node =:= node() ->
    spawn_request(M, F, As, Options);
spawn_request(Node, M, F, As, Options) ->
    case reverl:is_cluster() of
        true when node() =:= nonode@nohost -> refused(Options);
        true -> requested(fun(Plain) -> reverl:spawn_on(Node, {M, F, As}, Plain) end, Options);
        false -> recorded_request(Node, M, F, As, Options)
    end.

recorded_request(Node, M, F, As, Options) ->
    erts_internal:dist_spawn_request(Node, {M, F, As}, Options, spawn_request).

%% The reply is a message to oneself. With a monitor its reference is that of the request.
requested(Spawn, Options) ->
    {Tag, Reply, Plain} = request_options(Options, spawn_reply, yes, []),
    {Ref, Pid} =
        case Spawn(Plain) of
            {P, R} -> {R, P};
            P -> {make_ref(), P}
        end,
    case Reply of
        _ when Pid =:= noconnection, Reply =/= no, Reply =/= success_only ->
            self() ! {Tag, Ref, error, noconnection};
        _ when Pid =:= noconnection -> ok;
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
time_offset(Unit) ->
    try convert_time_unit(time_offset(), native, Unit)
    catch error:badarg -> error(badarg, [Unit], ?INFO)
    end.

localtime_to_universaltime(Time) ->
    try localtime_to_universaltime(Time, undefined)
    catch error:badarg -> error(badarg, [Time], ?INFO)
    end.

%% Nothing is to be collected; who wants to be told is told.
garbage_collect(Pid, Options) when is_pid(Pid) ->
    try last(async, Options, none, fun is_gc_option/1) of
        none ->
            is_process_alive(Pid);
        Id ->
            self() ! {garbage_collect, Id, is_process_alive(Pid)},
            async
    catch
        error:_ -> error(badarg, [Pid, Options], ?INFO(bad_option))
    end;
garbage_collect(Pid, Options) ->
    error(badarg, [Pid, Options], ?INFO).

is_gc_option({type, Type}) -> Type =:= major orelse Type =:= minor;
is_gc_option({async, _}) -> true;
is_gc_option(_) -> false.

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
statistics(context_switches) ->
    {0, 0};
statistics(Item) when Item =:= run_queue; Item =:= total_run_queue_lengths; Item =:= total_active_tasks;
                      Item =:= total_run_queue_lengths_all; Item =:= total_active_tasks_all ->
    0;
statistics(Item) when Item =:= run_queue_lengths; Item =:= active_tasks;
                      Item =:= run_queue_lengths_all; Item =:= active_tasks_all ->
    [0];
statistics(Item) when Item =:= scheduler_wall_time; Item =:= scheduler_wall_time_all ->
    undefined;
statistics(microstate_accounting) ->
    Counters = #{aux => 0, check_io => 0, emulator => 0, gc => 0, other => 0, port => 0, sleep => 0},
    [#{counters => Counters, id => 1, type => Type} || Type <- [aux, scheduler]];
statistics(Item) ->
    error(badarg, [Item], ?INFO).

memory() ->
    [{Type, 0} || Type <- memory_types()].

memory(Types) when is_list(Types) ->
    case is_memory_list(Types) of
        true -> [{Type, 0} || Type <- Types];
        false -> error(badarg, [Types], ?INFO)
    end;
memory(Type) ->
    case lists:member(Type, memory_types()) of
        true -> 0;
        false -> error(badarg, [Type], ?INFO)
    end.

is_memory_list([Type | Types]) -> lists:member(Type, memory_types()) andalso is_memory_list(Types);
is_memory_list(Tail) -> Tail =:= [].

memory_types() ->
    [total, processes, processes_used, system, atom, atom_used, binary, code, ets].

system_flag(backtrace_depth, Depth) when is_integer(Depth), Depth >= 0 ->
    Before = reverl:setting(backtrace_depth),
    reverl:set(backtrace_depth, Depth),
    reverl:set_trace_depth(Depth),
    case Before of
        undefined -> 8;
        _ -> Before
    end;
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

open_port(Name, Settings) ->
    case reverl_port:open(Name, Settings) of
        {ok, Port} -> Port;
        {error, Why} -> error(Why, [Name, Settings], ?INFO)
    end.

ports() -> reverl_port:ports().



process_display(Pid, backtrace) when is_pid(Pid) -> true;
process_display(Pid, Type) -> error(badarg, [Pid, Type], ?INFO).

%% Who runs when is the schedule's choice.
suspend_process(Pid) when is_pid(Pid) -> true;
suspend_process(Pid) -> error(badarg, [Pid], ?INFO).

suspend_process(Pid, Options) when is_pid(Pid), is_list(Options) -> true;
suspend_process(Pid, Options) -> error(badarg, [Pid, Options], ?INFO).

resume_process(Pid) when is_pid(Pid) -> true;
resume_process(Pid) -> error(badarg, [Pid], ?INFO).

monitor_node(Node, Flag) when node() =:= nonode@nohost ->
    error(notalive, [Node, Flag], ?INFO);
monitor_node(Node, Flag) when is_atom(Node), is_boolean(Flag) ->
    case reverl:is_cluster() of
        true -> reverl:watch_nodes(Flag, Node, none);
        false -> error(notalive, [Node, Flag], ?INFO)
    end;
monitor_node(Node, Flag) ->
    error(badarg, [Node, Flag], ?INFO).

monitor_node(Node, Flag, Options) when is_list(Options) -> monitor_node(Node, Flag);
monitor_node(Node, Flag, Options) -> error(badarg, [Node, Flag, Options], ?INFO).

disconnect_node(Node) when is_atom(Node), node() =:= nonode@nohost -> ignored;
disconnect_node(Node) -> net_kernel:disconnect(Node).

trace_delivered(Pid) when is_pid(Pid); Pid =:= all ->
    Ref = make_ref(),
    reverl:trace_delivered(Pid, Ref),
    Ref;
trace_delivered(Pid) ->
    error(badarg, [Pid], ?INFO).

nodes(Which, Options) ->
    try
        true = is_map(Options),
        true = lists:all(fun({Key, Value}) -> is_node_item(Key) andalso is_boolean(Value) end,
                         maps:to_list(Options)),
        [{Node, maps:from_list([{Key, node_item(Key, Node)} || {Key, true} <- maps:to_list(Options)])}
         || Node <- nodes(Which)]
    catch
        error:_ -> error(badarg, [Which, Options], ?INFO)
    end.

is_node_item(Key) -> Key =:= connection_id orelse Key =:= node_type.

node_item(node_type, Node) when Node =:= node() -> this;
node_item(Key, Node) ->
    case {Key, reverl:connection(Node)} of
        {_, undefined} -> undefined;
        {connection_id, {Id, _}} -> Id;
        {node_type, {_, true}} -> hidden;
        {node_type, {_, false}} -> visible
    end.

exit_signal(To, Reason) -> exit(To, Reason, []).

exit_signal(To, Reason, Options) -> exit(To, Reason, Options).

%% Everybody on the one host has the same cookie, and who has another one is let in all the same.
get_cookie() ->
    case {is_alive(), setting(cookie)} of
        {false, _} -> nocookie;
        {true, undefined} -> reverl;
        {true, Cookie} -> Cookie
    end.

get_cookie(Node) when is_atom(Node) -> get_cookie();
get_cookie(Node) -> error(badarg, [Node], ?INFO).
set_cookie(Cookie) when is_atom(Cookie), node() =:= nonode@nohost -> error(function_clause, [Cookie]);
set_cookie(Cookie) when is_atom(Cookie) -> set_cookie(node(), Cookie).
set_cookie(Node, Cookie) when is_atom(Node), is_atom(Cookie) ->
    Node =:= node() andalso reverl:set(cookie, Cookie),
    true.

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

%% The same among options that must all be good.
last(Key, Options, Default, IsGood) ->
    true = lists:all(IsGood, Options),
    last(Key, Options, Default).

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

%% Tags for a tracer of the operating system, which is never there.

dt_get_tag() -> undefined.
dt_get_tag_data() -> undefined.

dt_put_tag(_Tag) -> undefined.

dt_spread_tag(On) when is_boolean(On) -> true;
dt_spread_tag(On) -> error(badarg, [On], ?INFO).

dt_restore_tag(true) -> true;
dt_restore_tag(Tag) -> error(badarg, [Tag], ?INFO).

dt_append_vm_tag_data(Data) -> Data.
dt_prepend_vm_tag_data(Data) -> Data.

%% Only ports to programs are ports. Each function raises its own errors.
-define(ASK_PORT(Request, Arguments),
        case reverl_port:call(Port, Request) of
            true -> true;
            _ -> error(badarg, Arguments, ?INFO)
        end).

port_call(Port, Data) -> error(badarg, [Port, Data], ?INFO).
port_call(Port, Operation, Data) -> error(badarg, [Port, Operation, Data], ?INFO).

port_close(Port) -> ?ASK_PORT(close, [Port]).

port_command(Port, Data) -> ?ASK_PORT({command, Data}, [Port, Data]).

port_command(Port, Data, Options) ->
    try lists:all(fun(O) -> O =:= force orelse O =:= nosuspend end, Options) of
        true -> ?ASK_PORT({command, Data}, [Port, Data, Options]);
        false -> error(badarg, [Port, Data, Options], ?INFO(badopt))
    catch
        error:Why when Why =/= badarg -> error(badarg, [Port, Data, Options], ?INFO(badopt))
    end.

port_connect(Port, Pid) when is_pid(Pid) -> ?ASK_PORT({connect, Pid}, [Port, Pid]);
port_connect(Port, Pid) -> error(badarg, [Port, Pid], ?INFO).

port_control(Port, Operation, Data) -> error(badarg, [Port, Operation, Data], ?INFO).

port_get_data(Port) ->
    case reverl_port:call(Port, get_data) of
        {data, {given, Data}} -> Data;
        _ -> error(badarg, [Port], ?INFO)
    end.

port_set_data(Port, Data) -> ?ASK_PORT({set_data, Data}, [Port, Data]).

port_info(Port) when is_port(Port) -> reverl_port:info(Port);
port_info(Port) when is_atom(Port) -> undefined;
port_info(Port) -> error(badarg, [Port], ?INFO).

port_info(Port, Item) when is_port(Port) ->
    case reverl_port:info(Port) of
        undefined -> undefined;
        Info -> port_item(lists:keyfind(Item, 1, Info), Item)
    end;
port_info(Port, _Item) when is_atom(Port) -> undefined;
port_info(Port, Item) -> error(badarg, [Port, Item], ?INFO(badtype)).

port_item(false, registered_name) -> [];
port_item(false, monitors) -> {monitors, []};
port_item(false, Item) -> {Item, undefined};
port_item(Found, _) -> Found.

%% What only an emulator has: allocators, processors, NIFs, connections to other nodes.

alloc_info(Allocators) when is_list(Allocators) -> [];
alloc_info(Allocators) -> error(badarg, [Allocators], ?INFO).

alloc_sizes(Allocators) when is_list(Allocators) -> [];
alloc_sizes(Allocators) -> error(badarg, [Allocators], ?INFO).

set_cpu_topology(undefined) -> undefined;
set_cpu_topology(Topology) -> error(badarg, [Topology], ?INFO).

format_cpu_topology(Topology) -> error(internal_error, [Topology]).

gather_gc_info_result(Ref) when is_reference(Ref) -> {0, 0, 0}.

call_on_load_function(Module) -> error(badarg, [Module], ?INFO).
finish_after_on_load(Module, Loaded) -> error(badarg, [Module, Loaded], ?INFO).

load_nif(Path, _Info) ->
    {error, {load_failed, lists:flatten(["Reverl loads no code of other languages: ", Path])}}.

setnode(Name, Creation) -> error(notsup, [Name, Creation]).
setnode(Name, Connection, Options) -> error(notsup, [Name, Connection, Options]).
dmonitor_node(Node, Flag, Options) -> error(notalive, [Node, Flag, Options], ?INFO).
dist_get_stat(Handle) -> error(badarg, [Handle], ?INFO).
dist_ctrl_get_data(Handle) -> error(badarg, [Handle], ?INFO).
dist_ctrl_get_data_notification(Handle) -> error(badarg, [Handle], ?INFO).
dist_ctrl_get_opt(Handle, Option) -> error(badarg, [Handle, Option], ?INFO).
dist_ctrl_input_handler(Handle, Pid) -> error(badarg, [Handle, Pid], ?INFO).
dist_ctrl_put_data(Handle, Data) -> error(badarg, [Handle, Data], ?INFO).
dist_ctrl_set_opt(Handle, Option, Value) -> error(badarg, [Handle, Option, Value], ?INFO).

delay_trap(Value, Time) ->
    receive after Time -> Value end.

%% Tracing. What traced processes tell comes from the system; here is only who and what is meant.

trace(Who, On, Options) when is_boolean(On) ->
    case trace_options(Options, [], self()) of
        badopt -> error(badarg, [Who, On, Options], ?INFO(badopt));
        {Flags, Tracer} ->
            try trace_these(Who, On, Flags, Tracer)
            catch throw:badarg -> error(badarg, [Who, On, Options], ?INFO)
            end
    end;
trace(Who, On, Options) ->
    error(badarg, [Who, On, Options], ?INFO).

trace_options([], Flags, Tracer) -> {Flags, Tracer};
trace_options([{tracer, Tracer} | Rest], Flags, _) when is_pid(Tracer); is_port(Tracer) ->
    trace_options(Rest, Flags, Tracer);
trace_options([cpu_timestamp | Rest], Flags, Tracer) -> trace_options(Rest, Flags, Tracer);
trace_options([Flag | Rest], Flags, Tracer) ->
    Known = [all, send, 'receive', call, procs, ports, return_to, silent, arity, running, exiting,
             running_procs, running_ports, scheduler_id, garbage_collection, timestamp, monotonic_timestamp,
             strict_monotonic_timestamp, set_on_spawn, set_on_first_spawn, set_on_link,
             set_on_first_link],
    case lists:member(Flag, Known) of
        true -> trace_options(Rest, [Flag | Flags], Tracer);
        false -> badopt
    end;
trace_options(_, _, _) -> badopt.

%% How many processes are meant.
trace_these(Pid, On, Flags, Tracer) when is_pid(Pid) ->
    case reverl:trace_process(Pid, On, Flags, Tracer) of
        Since when is_integer(Since) -> 1;
        _ -> throw(badarg)
    end;
trace_these(Port, _On, _Flags, _Tracer) when is_port(Port) -> throw(badarg);
trace_these(Who, On, Flags, Tracer)
        when Who =:= existing; Who =:= existing_processes; Who =:= processes; Who =:= all ->
    case Who =:= all orelse Who =:= processes of
        true -> reverl:trace_new(On, Flags, Tracer);
        false -> ok
    end,
    length([P || P <- processes(), P =/= Tracer,
                 is_integer(reverl:trace_process(P, On, Flags, Tracer))]);
trace_these(Who, On, Flags, Tracer) when Who =:= new; Who =:= new_processes ->
    reverl:trace_new(On, Flags, Tracer),
    0;
trace_these(Who, _, _, _)
        when Who =:= ports; Who =:= new_ports; Who =:= existing_ports -> 0;
trace_these(_, _, _, _) -> throw(badarg).

trace_pattern(What, Spec) ->
    try trace_set(What, Spec, [])
    catch throw:Why -> error(badarg, [What, Spec], ?INFO(Why))
    end.

trace_pattern(What, Spec, Options) ->
    try trace_set(What, Spec, Options)
    catch
        throw:notsup ->
            Cause = "calls are not counted, and there is no meta tracing in Reverl",
            error(notsup, [What, Spec, Options], [{error_info, #{cause => Cause}}]);
        throw:Why -> error(badarg, [What, Spec, Options], ?INFO(Why))
    end.

trace_set(What, Spec0, Options) ->
    IsLocal = trace_scope(Options, false),
    Spec = case Spec0 of
               restart -> throw(notsup);
               pause -> throw(notsup);
               _ -> Spec0
           end,
    reverl:is_trace_spec(Spec) orelse throw(match_spec),
    case What of
        Event when Event =:= send; Event =:= 'receive' ->
            reverl:trace_messages(Event, Spec),
            1;
        on_load -> 0;
        {M, F, A} when is_atom(M), is_atom(F), A =:= '_' orelse is_integer(A) ->
            (M =/= '_' orelse F =:= '_') andalso (F =/= '_' orelse A =:= '_') orelse throw(none),
            case M of
                '_' ->
                    reverl:trace_pattern(M, F, A, Spec, IsLocal),
                    Count = [reverl:traced_functions(Each, F, A, IsLocal) || Each <- loaded()],
                    lists:sum(Count);
                _ ->
                    case reverl:traced_functions(M, F, A, IsLocal) of
                        0 -> 0;
                        Count -> reverl:trace_pattern(M, F, A, Spec, IsLocal), Count
                    end
            end;
        _ -> throw(none)
    end.

trace_scope([], IsLocal) -> IsLocal;
trace_scope([local | Rest], _) -> trace_scope(Rest, true);
trace_scope([global | Rest], IsLocal) -> trace_scope(Rest, IsLocal);
trace_scope([Other | _], _)
        when Other =:= meta; Other =:= call_count; Other =:= call_time; Other =:= call_memory ->
    throw(notsup);
trace_scope([{meta, _} | _], _) -> throw(notsup);
trace_scope(_, _) -> throw(badopt).

trace_info(Who, Item) when is_pid(Who); Who =:= new; Who =:= new_processes ->
    case lists:member(Item, [flags, tracer]) andalso reverl:trace_of(Who) of
        false -> error(badarg, [Who, Item], ?INFO);
        dead -> undefined;
        {Flags, _} when Item =:= flags -> {flags, Flags};
        {_, Tracer} -> {tracer, Tracer}
    end;
trace_info(Event, Item)
        when Event =:= send, Item =:= match_spec; Event =:= 'receive', Item =:= match_spec ->
    {match_spec, reverl:trace_filter(Event)};
trace_info({M, F, A}, Item) when is_atom(M), is_atom(F), is_integer(A), is_atom(Item) ->
    case reverl:trace_rule(M, F, A) of
        none ->
            case function_exported(M, F, A) orelse reverl:traced_functions(M, F, A, true) > 0 of
                true -> {Item, false};
                false -> {Item, undefined}
            end;
        {IsLocal, Spec} -> {Item, trace_set_for(Item, IsLocal, Spec)}
    end;
trace_info(on_load, Item) when is_atom(Item) -> {Item, false};
trace_info(Who, Item) -> error(badarg, [Who, Item], ?INFO(badopt)).

trace_set_for(traced, true, _) -> local;
trace_set_for(traced, false, _) -> global;
trace_set_for(match_spec, _, Spec) -> Spec;
trace_set_for(meta, _, _) -> [];
trace_set_for(all, IsLocal, Spec) ->
    [{traced, trace_set_for(traced, IsLocal, Spec)}, {match_spec, Spec}, {meta, false},
     {meta_match_spec, false}, {call_time, false}, {call_count, false}];
trace_set_for(_, _, _) -> false.

seq_trace_info(Item) when Item =:= label; Item =:= serial -> [];
seq_trace_info(Item) when Item =:= send; Item =:= 'receive'; Item =:= print; Item =:= timestamp;
                          Item =:= monotonic_timestamp; Item =:= strict_monotonic_timestamp ->
    {Item, false};
seq_trace_info(Item) ->
    error(badarg, [Item], ?INFO).

seq_trace(sequential_trace_token, []) -> [];
seq_trace(Item, Value) ->
    Cause = "there is no sequential tracing in Reverl: it shows causes itself",
    error(notsup, [Item, Value], [{error_info, #{cause => Cause}}]).

%% A process without a token prints nothing.
seq_trace_print(_Message) -> false.
seq_trace_print(_Label, _Message) -> false.

%% Who is to be told of long collections and the like is remembered, and never told.

system_monitor() -> setting(system_monitor).

system_monitor(undefined) ->
    change(system_monitor, undefined);
system_monitor({Pid, Options}) ->
    system_monitor(Pid, Options);
system_monitor(Settings) ->
    error(badarg, [Settings], ?INFO).

system_monitor(Pid, []) when is_pid(Pid) ->
    change(system_monitor, undefined);
system_monitor(Pid, Options) when is_pid(Pid), is_list(Options) ->
    case lists:all(fun is_monitored/1, Options) of
        true -> change(system_monitor, {Pid, lists:sort(Options)});
        false -> error(badarg, [Pid, Options], ?INFO)
    end;
system_monitor(undefined, []) ->
    change(system_monitor, undefined);
system_monitor(Pid, Options) ->
    error(badarg, [Pid, Options], ?INFO).

is_monitored({Kind, N}) when Kind =:= long_gc; Kind =:= long_schedule; Kind =:= large_heap ->
    is_integer(N) andalso N >= 0;
is_monitored(Kind) ->
    Kind =:= busy_port orelse Kind =:= busy_dist_port.

system_profile() -> setting(system_profile).

system_profile(undefined, Options) when is_list(Options) ->
    change(system_profile, undefined);
system_profile(Pid, Options) when is_pid(Pid), is_list(Options) ->
    change(system_profile, {Pid, Options});
system_profile(Pid, Options) ->
    error(badarg, [Pid, Options], ?INFO).

setting(Name) -> reverl:setting(Name).

change(Name, Value) ->
    Before = reverl:setting(Name),
    reverl:set(Name, Value),
    Before.
