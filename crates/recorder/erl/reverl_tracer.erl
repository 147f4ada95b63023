%% What Reverl loads into a node that it records: it starts the tracer (a NIF, see `trace/5`) for
%% the processes that begin with the calls given, and for all that these spawn.
-module(reverl_tracer).
-export([start/0, start/1, finish/0, is_finished/0]).
-export([enabled/3, trace/5, open/2, function/4, listen/1, measure/1, atoms/1, follow/1, is_recorded/1, stop/0, events/0]).
-on_load(load/0).

-define(NIF, erlang:nif_error(not_loaded)).
-define(SENDER, [{[clock_service, '_', '_'], [], [{message, clock_service}]},
                 {['_', '$1', '_'], [], [{message, '$1'}]}]).
-define(VALUE, [{'_', [], [{exception_trace}, {message, false}]}]).
-define(BOTH, [{'_', [], [{exception_trace}]}]).
-define(CALL, [{'_', [], []}]).

load() ->
    Dir = filename:dirname(code:which(?MODULE)),
    erlang:load_nif(filename:join(Dir, "reverl_tracer"), 0).

enabled(_, _, _) -> ?NIF.
trace(_, _, _, _, _) -> ?NIF.
open(_, _) -> ?NIF.
function(_, _, _, _) -> ?NIF.
listen(_) -> ?NIF.
measure(_) -> ?NIF.
atoms(_) -> ?NIF.
follow(_) -> ?NIF.
is_recorded(_) -> ?NIF.
stop() -> ?NIF.
events() -> ?NIF.

%% Called before anything of the command's own runs (`-run`), or by `reverl record --node`.
start() ->
    case os:getenv("REVERL_RECORD") of
        false -> ok;
        Dir -> start(Dir)
    end.

start(Base) ->
    try
        {ok, Settings} = file:consult(filename:join(Base, "settings")),
        Dir = filename:join(Base, "node-" ++ os:getpid()),
        ok = file:make_dir(Dir),
        persistent_term:erase({?MODULE, finished}),
        open_session(),
        begin_recording(Dir, Settings)
    catch
        throw:{refused, Why} ->
            persistent_term:put({?MODULE, finished}, true),
            note(Base, Why);
        _:Reason:Trace ->
            persistent_term:put({?MODULE, finished}, true),
            note(Base, io_lib:format("the recorder could not start: ~0p at ~0p", [Reason, Trace]))
    end.

note(Base, Text) ->
    file:write_file(filename:join(Base, "refused"), [Text, $\n], [append]),
    ok.

%% Whether a recording of this node is over, so that another one can begin.
is_finished() -> persistent_term:get({?MODULE, finished}, false).

%% Nothing is recorded any more, and nobody is traced.
finish() ->
    stop(),
    persistent_term:put({?MODULE, finished}, true),
    case persistent_term:get(?MODULE, none) of
        none ->
            erlang:trace(all, false, [all]),
            erlang:trace_pattern({'_', '_', '_'}, false, [global]),
            erlang:trace_pattern({'_', '_', '_'}, false, [local]),
            erlang:trace_pattern('receive', true, []);
        Session ->
            persistent_term:erase(?MODULE),
            trace:session_destroy(Session)
    end,
    ok.

%% From OTP 27 on, tracers do not disturb each other: each has a session.
open_session() ->
    case erlang:function_exported(trace, session_create, 3) of
        true -> persistent_term:put(?MODULE, trace:session_create(?MODULE, {?MODULE, []}, []));
        false -> check_free()
    end.

trace_process(Who, Flags) ->
    case persistent_term:get(?MODULE, none) of
        none -> erlang:trace(Who, true, [{tracer, ?MODULE, []} | Flags]);
        Session -> trace:process(Session, Who, true, Flags)
    end.

trace_function(MFA, Spec) -> trace_function(MFA, Spec, [global]).

trace_function(MFA, Spec, How) ->
    case persistent_term:get(?MODULE, none) of
        none -> erlang:trace_pattern(MFA, Spec, How);
        Session -> trace:function(Session, MFA, Spec, How)
    end.

trace_messages(Spec) ->
    case persistent_term:get(?MODULE, none) of
        none -> erlang:trace_pattern('receive', Spec, []);
        Session -> trace:recv(Session, Spec, [])
    end.

%% Before that a process has one tracer, and so has the node.
check_free() ->
    Traced = [P || P <- processes(), P =/= self(), is_traced(P)],
    case {Traced, erlang:trace_info(new_processes, flags)} of
        {[], {flags, []}} -> ok;
        _ -> throw({refused, "another tracer is active on this node (dbg, a profiler or a "
                             "debugger): stop it first, or record on OTP 27 or later"})
    end.

is_traced(Pid) ->
    case erlang:trace_info(Pid, flags) of
        {flags, [_ | _]} -> true;
        _ -> false
    end.

begin_recording(Dir, Settings) ->
    Get = fun(Key) -> proplists:get_value(Key, Settings) end,
    case open(Dir, limits(Get(limits))) of
        true -> ok;
        false -> throw({refused, "this node is being recorded already"});
        full -> throw({refused, ["there is no room for the recording in ", Dir]})
    end,
    Names = Get(names),
    Triggers = triggers(Get(triggers), Names),
    Late = [{M, F} || {M, F} <- Get(triggers), not is_loaded(M)],
    write_node(Dir, Triggers, Late),
    Flags = ['receive', procs, call, set_on_spawn | following(Get(prefix))],
    [input(Row) || Row <- Get(inputs)],
    [opaque(M) || M <- uninterpretable(Get(opaque))],
    [input(erlang, F, A, opaque) || {F, A} <- unknown(Get(known), Get(inputs))],
    trace_messages(?SENDER),
    [trigger(MF, Flags) || MF <- Triggers],
    Names =:= [] orelse begin_with_names(Names, Flags),
    {Get(triggers), Names} =:= {[], []} andalso begin_with_script(Dir, Flags),
    Leaders = [P || P <- lists:usort([group_leader(), whereis(user)]),
                    is_pid(P), node(P) =:= node()],
    [begin listen(P), trace_process(P, ['receive']) end || P <- Leaders],
    watch_loading(Dir, Late, Flags, {Get(triggers), Names} =:= {[], []}),
    trace_process(all, [call]),
    measure_waiting(),
    atoms(erlang:system_info(atom_count)),
    spawn(fun keep_atoms/0),
    %% In a process of this code: it must not stop a recording that comes after this one.
    Get(seconds) =:= 0 orelse spawn(fun() -> timer:sleep(Get(seconds) * 1000), stop() end),
    ok.

%% Which process begins a recording, and after how much work of its own, is known if functions were named;
%% where tests are run, any may be.
limits(Given) ->
    IsNamed = lists:last(Given) =:= 1 orelse runs_tests(),
    lists:droplast(Given) ++ [case IsNamed of true -> 1; false -> 0 end].

runs_tests() ->
    Modules = [M || {M, _} <- command_calls()],
    Words = [filename:basename(Word) || Word <- init:get_plain_arguments()],
    Modules -- [eunit, ct, ct_run, test_server] =/= Modules orelse
        Words -- ["rebar3", "mix", "ct_run"] =/= Words.

%% Who follows the order of another execution is held where it sends; that something is in a mailbox is
%% certain when its sender has gone on or was scheduled out.
following(undefined) -> [];
following(File) ->
    follow(File) orelse throw({refused, "the order of the prefix cannot be read"}),
    [spawn_opt(fun wake/0, [{scheduler, N}]) || N <- lists:seq(1, erlang:system_info(schedulers))],
    [send, running].

%% Processes that wait behind one that is held are taken over by another thread of the node, if one is
%% awake and has nothing else to do.
wake() ->
    receive after 4 -> ok end,
    is_finished() orelse wake().

%% Atoms that are new are kept from time to time, until nothing is recorded any more.
keep_atoms() ->
    receive after 100 -> ok end,
    atoms(erlang:system_info(atom_count)),
    is_finished() orelse keep_atoms().

%% What a process looks like whose time is up, as the tracer sees it: three times one waits for what does
%% not come, then does not wait for it, and says that it is ready for the next message.
measure_waiting() ->
    Me = self(),
    {Pid, Ref} = spawn_monitor(fun() -> receive next -> wait_and_look(3, Me) end end),
    measure(Pid),
    trace_process(Pid, ['receive']),
    Pid ! next,
    [receive {Pid, ready} -> Pid ! next end || _ <- [1, 2, 3]],
    receive {'DOWN', Ref, _, _, _} -> ok end.

wait_and_look(0, _) -> 0;
wait_and_look(N, Me) ->
    receive none -> ok after 1 -> ok end,
    receive none -> ok after 0 -> ok end,
    Me ! {self(), ready},
    receive next -> ok end,
    %% Not the last call: the next round has more on its stack.
    1 + wait_and_look(N - 1, Me).

%% What is called on the command line, what applications start with, and what runs tests, unless
%% triggers are given.
triggers([], []) ->
    Called = [MF || {M, _} = MF <- command_calls(), M =/= ?MODULE, is_own(M)],
    Runners = [MF || {M, _} = MF <- test_runners(), is_loaded(M) orelse is_beside_elixir(M)],
    lists:usort(Called ++ application_starts() ++ Runners ++ release_callbacks());
triggers(Given, _) ->
    [MF || {M, _} = MF <- Given, is_loaded(M)].

%% What begins the processes of tests. Who reports them stays outside: it may be a tool's own code.
test_runners() ->
    [{eunit_proc, start}, {test_server, run_test_case_apply}, {'Elixir.ExUnit.Runner', run}].

%% Elixir adds the directory of ExUnit to the path when tests begin, which is too late.
is_beside_elixir(M) ->
    Lib = elixir_lib(),
    Lib =/= none andalso
        element(1, code:load_abs(filename:join([Lib, "ex_unit", "ebin", M]))) =:= module.

%% The functions that `-s`, `-run`, `-eval` and Elixir's `-e` name, which is not kept by the node itself.
command_calls() ->
    case file:read_file("/proc/" ++ os:getpid() ++ "/cmdline") of
        {ok, Line} ->
            calls([unicode:characters_to_list(W) || W <- binary:split(Line, <<0>>, [global])]);
        {error, _} ->
            calls(string:lexemes(os:cmd("ps -o args= -p " ++ os:getpid()), " \n"))
    end.

calls(["-eval", Text | Rest]) -> called(Text) ++ calls(Rest);
calls(["-e", Text | Rest]) -> called_in_elixir(Text) ++ calls(Rest);
calls([Flag, M, "-" ++ _ = Next | Rest]) when Flag =:= "-s"; Flag =:= "-run" ->
    [{list_to_atom(M), start} | calls([Next | Rest])];
calls([Flag, M, F | Rest]) when Flag =:= "-s"; Flag =:= "-run" ->
    [{list_to_atom(M), case F of "" -> start; _ -> list_to_atom(F) end} | calls(Rest)];
calls([Flag, M]) when Flag =:= "-s"; Flag =:= "-run" ->
    [{list_to_atom(M), start}];
calls([_ | Rest]) -> calls(Rest);
calls([]) -> [].

called(Text) ->
    Atom = "(?|([a-z][A-Za-z0-9_@]*)|'([^'\\\\]+)')",
    [{list_to_atom(M), list_to_atom(F)} || [M, F] <- all_matches(Text, Atom ++ ":" ++ Atom ++ "\\(")].

%% `Shop.Cart.add(1)`, and `:shop.add(1)` of a module of Erlang's.
called_in_elixir(Text) ->
    Found = all_matches(Text, "(:[a-z]|[A-Z])([A-Za-z0-9_.]*)\\.([a-z_][A-Za-z0-9_]*[?!]?)"),
    [{elixir_module(First, Rest), list_to_atom(F)} || [First, Rest, F] <- Found].

elixir_module(":" ++ First, Rest) -> list_to_atom(First ++ Rest);
elixir_module(First, Rest) -> list_to_atom("Elixir." ++ First ++ Rest).

all_matches(Text, Pattern) ->
    case re:run(Text, Pattern, [global, {capture, all_but_first, list}]) of
        {match, Found} -> Found;
        nomatch -> []
    end.

is_loaded(M) ->
    element(1, code:ensure_loaded(M)) =:= module.

is_own(M) ->
    case code:ensure_loaded(M) of
        {module, M} -> is_own_path(code:which(M));
        _ -> false
    end.

is_own_path(Path) when is_list(Path) ->
    not is_of_otp(Path) andalso not is_of_elixir(Path);
is_own_path(_) ->
    false.

is_of_otp(Path) ->
    lists:any(fun(Root) -> lists:prefix(Root, Path) end, [code:root_dir(), code:lib_dir()])
        andalso not (is_release() andalso is_of_program(Path)).

is_release() -> element(1, init:script_id()) =/= "Erlang/OTP".

%% A release has OTP's applications beside the program's. These are OTP's.
is_of_program(Path) ->
    Otp = ["asn1", "common_test", "compiler", "crypto", "debugger", "dialyzer", "diameter", "edoc",
           "eldap", "erl_docgen", "erl_interface", "erts", "et", "eunit", "ftp", "inets", "jinterface",
           "kernel", "megaco", "mnesia", "observer", "odbc", "os_mon", "parsetools", "public_key",
           "reltool", "runtime_tools", "sasl", "snmp", "ssh", "ssl", "stdlib", "syntax_tools", "tftp",
           "tools", "wx", "xmerl", "elixir", "eex", "ex_unit", "iex", "logger", "mix"],
    Parts = filename:split(Path),
    Applications = [hd(string:lexemes(App, "-")) || {App, "ebin"} <- lists:zip(lists:droplast(Parts), tl(Parts))],
    Applications =/= [] andalso not lists:member(lists:last(Applications), Otp).

%% The applications of a release have started before anything of ours runs: what their processes are
%% called back for is recorded, call by call.
release_callbacks() ->
    Callbacks = [{handle_call, 3}, {handle_cast, 2}, {handle_info, 2}, {handle_continue, 2},
                 {handle_event, 4}, {handle_event, 2}, {init, 1}],
    [{M, F} || is_release(), {M, Path} <- code:all_loaded(), M =/= ?MODULE, is_own_path(Path),
               {F, _} = FA <- M:module_info(exports), lists:member(FA, Callbacks)].

%% Elixir's own applications, and what is installed for mix.
is_of_elixir(Path) ->
    string:find(Path, "/.mix/") =/= nomatch orelse
        case elixir_lib() of
            none -> false;
            Lib -> lists:prefix(Lib, Path)
        end.

%% Looking for it takes a while.
elixir_lib() ->
    case get(?FUNCTION_NAME) of
        undefined ->
            Lib = case code:which(elixir) of
                File when is_list(File) -> filename:dirname(filename:dirname(filename:dirname(File)));
                _ -> none
            end,
            put(?FUNCTION_NAME, Lib),
            Lib;
        Lib ->
            Lib
    end.

application_starts() ->
    [MF || Dir <- code:get_path(), {M, _} = MF <- application_starts(Dir), is_loaded(M)].

application_starts(Dir) ->
    [{M, start} || is_own_path(Dir),
                   File <- filelib:wildcard(filename:join(Dir, "*.app")),
                   {ok, [{application, _, Keys}]} <- [file:consult(File)],
                   {M, _} <- [proplists:get_value(mod, Keys)]].

%% Everything about the node that a replay may ask for.
write_node(Dir, Triggers, Late) ->
    Names = [{Name, whereis(Name)} || Name <- registered(), is_pid(whereis(Name))],
    Terms = [{otp, erlang:system_info(otp_release)},
             {version, erlang:system_info(version)},
             {node, node()},
             {process_limit, erlang:system_info(process_limit)},
             {port_limit, erlang:system_info(port_limit)},
             {root, code:root_dir()},
             {command, init:get_plain_arguments()},
             {triggers, Triggers},
             {late, Late},
             {leader, leader()},
             {names, Names},
             {path, [filename:absname(P) || P <- code:get_path()]},
             {modules, [loaded(M, Path) || {M, Path} <- code:all_loaded()]}],
    case file:write_file(filename:join(Dir, "node"), term_to_binary(Terms)) of
        ok -> ok;
        {error, Why} -> throw({refused, ["cannot write to ", Dir, ": ", file:format_error(Why)]})
    end.

leader() ->
    case node(group_leader()) =:= node() of
        true -> group_leader();
        false -> whereis(user)
    end.

loaded(M, Path) when is_list(Path) -> {M, filename:absname(Path)};
loaded(M, preloaded) ->
    %% A release need not have a directory of these.
    case code:lib_dir(erts) of
        {error, _} -> {M, ""};
        Dir -> {M, filename:join([Dir, "ebin", atom_to_list(M) ++ ".beam"])}
    end;
loaded(M, _) -> {M, ""}.

input({M, F, Arity, Kind}) ->
    case code:ensure_loaded(M) of
        {module, M} ->
            [input(M, F, A, Kind) || {F1, A} <- M:module_info(exports), F1 =:= F,
                                     A =:= Arity orelse Arity =:= any];
        _ ->
            ok
    end.

input(M, F, A, Kind) ->
    function(M, F, A, number(Kind)),
    Spec = case Kind of
        compiling -> forms(M, A);
        %% The code server loads files, which are there.
        code when M =:= erlang ->
            [{Args, [{'=/=', {self}, whereis(code_server)}], Do} || {Args, [], Do} <- ?BOTH];
        _ -> uncovered(M, F, A) ++ spec(Kind)
    end,
    trace_function({M, F, A}, Spec).

%% Calls with abstract forms, a list; of Elixir's, only those that leave no debug info, as those of
%% what stands outside of functions.
forms(elixir_erl_compiler, 3) ->
    Without = {debug_info, {'_', none}},
    [{['_', '_', [Without | '_']], [], []}, {['_', '_', ['_', Without | '_']], [], []},
     {['_', '_', [nowarn_nomatch | '_']], [], []}];
forms(compile, Arity) ->
    [{[['_' | '_'] | lists:duplicate(Arity - 1, '_')], [], []}].

%% Calls that are left out: what `cover` adds to a module is not part of the program.
uncovered(persistent_term, get, 1) -> [{[{cover, '_'}], [], [{message, false}]}];
%% Functions of the node's own ask this, such as `binary_to_integer/1`, and it is always the same.
uncovered(erlang, system_info, 1) -> [{[wordsize], [], [{message, false}]}];
uncovered(_, _, _) -> [].

number(input) -> 0;
number(opaque) -> 1;
number(last) -> 3;
number(loading) -> 4;
number(exported) -> 5;
number(hidden) -> 6;
number(loading_fun) -> 7;
number(code) -> 8;
number(compiling) -> 9;
number(naming) -> 10;
number(unnaming) -> 11.

spec(Kind) when Kind =:= input; Kind =:= exported -> ?VALUE;
spec(Kind) when Kind =:= opaque; Kind =:= code; Kind =:= hidden -> ?BOTH;
spec(_) -> ?CALL.

%% The modules named, and the command's own that have functions in C.
uninterpretable(Named) ->
    [M || M <- lists:usort(Named ++ own_nif_modules()), is_loaded(M)].

own_nif_modules() ->
    Dirs = [Dir || Dir <- code:get_path(), is_own_path(Dir), Dir =/= "."],
    Files = lists:append([filelib:wildcard(filename:join(Dir, "*.beam")) || Dir <- Dirs]),
    [M || File <- Files,
          {ok, {M, [{imports, Imports}]}} <- [beam_lib:chunks(File, [imports])],
          M =/= ?MODULE,
          lists:member({erlang, load_nif, 2}, Imports)].

%% Functions in C of module erlang that Reverl does not have.
unknown(Known, Inputs) ->
    Named = [F || {erlang, F, _, _} <- Inputs],
    [{F, A} || {F, A} <- erlang:module_info(exports),
               erlang:is_builtin(erlang, F, A),
               not lists:member({F, A}, Known),
               not lists:member(F, [hibernate, raise, nif_error | Named])].

opaque(M) ->
    Skip = [module_info, behaviour_info],
    [opaque_fun(M, F, A) || {F, A} <- M:module_info(functions), is_name_of_fun(atom_to_list(F))],
    [input(M, F, A, opaque) || {F, A} <- M:module_info(exports), not lists:member(F, Skip)].

%% The funs of such a module may be called by others, wherever they come from.
opaque_fun(M, F, A) ->
    function(M, F, A, number(opaque)),
    trace_function({M, F, A}, spec(opaque), [local]).

is_name_of_fun([$- | Rest]) -> Rest =/= [] andalso lists:last(Rest) =:= $-;
is_name_of_fun(_) -> false.

trigger({M, F}, Flags) ->
    Spec = [{'_', [], begins(Flags)}],
    [begin_with({M, F, A}, Spec) || {F1, A} <- M:module_info(exports), F1 =:= F].

begin_with({M, F, A} = MFA, Spec) ->
    function(M, F, A, 2),
    trace_function(MFA, Spec).

begins(Flags) -> [{exception_trace}, {trace, [], Flags}].

%% A script that is not a tool. Its modules are loaded later, and its main function is called at once
%% then: whatever is loaded is looked at.
begin_with_script(Dir, Flags) ->
    case lists:member({escript, start}, command_calls()) andalso init:get_plain_arguments() of
        [File | _] ->
            Tool = lists:member(filename:basename(File), ["rebar3", "ct_run", "dialyzer"]),
            Tool orelse begin_with_script(Dir, Flags, escript:extract(File, []));
        _ ->
            ok
    end.

begin_with_script(Dir, Flags, {ok, Sections}) ->
    [keep_archive(Dir, Zip) || {archive, Zip} <- Sections],
    case [Text || {source, Text} <- Sections, is_interpreted(Text)] of
        [] ->
            function('$script', main, 1, 2),
            trace_function(on_load, [{['_'], [{'=:=', {self}, self()}], begins(Flags)}]);
        _ ->
            trigger({erl_eval, expr}, Flags)
    end;
begin_with_script(_, _, _) ->
    ok.

%% Until OTP 26 the source of a script is not compiled, unless it says so.
is_interpreted(Text) ->
    list_to_integer(erlang:system_info(otp_release)) < 27 andalso
        re:run(Text, "^-mode\\(compile\\)", [multiline]) =:= nomatch.

keep_archive(Dir, Zip) ->
    IsCode = fun(File) -> filename:extension(element(2, File)) =:= ".beam" end,
    {ok, Files} = zip:unzip(Zip, [memory, {file_filter, IsCode}]),
    [keep(Dir, integer_to_list(N), Code) || {N, {_, Code}} <- lists:enumerate(Files)].

%% Processes by their names. One of a behaviour is recorded as a whole: it learns its name before
%% anything of its own runs. Others are recorded from the next call of a function of the program's
%% modules on, or during such calls.
begin_with_names(Names, Flags) ->
    Spec = [{['_', '_', {local, Name}, '_', '_', '_'], [], begins(Flags)} || Name <- Names],
    [begin_with({M, init_it, 6}, Spec) || M <- [gen_server, gen_statem, gen_event], is_loaded(M)],
    [spawn(fun() -> watch_name(Name, Flags, []) end) || Name <- Names],
    ok.

%% Only while it is not recorded: a function that calls itself last would need ever more room.
watch_name(Name, Flags, Traced) ->
    Pid = whereis(Name),
    Set = case is_pid(Pid) andalso not is_recorded(Pid) of
        true when Traced =:= [] ->
            Spec = [{'_', [{'=:=', {self}, Pid}], begins(Flags)}],
            [begin begin_with(MFA, Spec), MFA end || MFA <- own_functions()];
        true ->
            Traced;
        false ->
            [trace_function(MFA, false) || MFA <- Traced],
            []
    end,
    timer:sleep(2),
    watch_name(Name, Flags, Set).

own_functions() ->
    [{M, F, A} || {M, Path} <- code:all_loaded(), M =/= ?MODULE, is_own_path(Path),
                  {F, A} <- M:module_info(exports), F =/= module_info].

%% What comes later (a test suite that is compiled first) is looked for as long as the node runs:
%% modules that recording begins with, directories with modules, and modules that a replay cannot
%% run because they lack debug info.
watch_loading(Dir, Late, Flags, IsForApplications) ->
    Known = maps:from_list([{M, true} || {M, _} <- code:all_loaded()]),
    Path = code:get_path(),
    IsForApplications andalso spawn(fun() -> watch_applications(Flags, #{}) end),
    spawn(fun() -> watch(Dir, Late, Flags, {0, Path, Known}) end),
    ok.

%% A tool that builds a project adds its directories to the path, writes what they contain, and may throw
%% away and load again what was loaded meanwhile, before it starts its applications. What each directory
%% starts with is known once there is something.
watch_applications(Flags, Known) ->
    timer:sleep(4),
    Unknown = [Dir || Dir <- code:get_path(), maps:get(Dir, Known, []) =:= []],
    Now = maps:merge(Known, maps:from_list([{Dir, application_starts(Dir)} || Dir <- Unknown])),
    [trigger(MF, Flags) || {M, F} = MF <- lists:append(maps:values(Now)),
                           is_loaded(M), not is_function_traced({M, F, 2})],
    is_finished() orelse watch_applications(Flags, Now).

is_function_traced(MFA) ->
    {traced, How} = case persistent_term:get(?MODULE, none) of
        none -> erlang:trace_info(MFA, traced);
        Session -> trace:info(Session, MFA, traced)
    end,
    How =:= global.

watch(Dir, Late, Flags, {N, Path, Known}) ->
    %% A call that recording begins with must not be missed; the rest can wait a little.
    timer:sleep(case Late of [] -> 16; _ -> 2 end),
    trace_new_processes(),
    Found = [MF || {M, _} = MF <- Late, erlang:module_loaded(M)],
    [trigger(MF, Flags) || MF <- Found],
    Look = Late =:= Found orelse N rem 8 =:= 0,
    Seen = case Look of
        true -> {N + 1, more_path(Dir, Path), more_modules(Dir, Known)};
        false -> {N + 1, Path, Known}
    end,
    watch(Dir, Late -- Found, Flags, Seen).

%% Where there is one tracer for all, a program that traced has turned this off when it was done.
trace_new_processes() ->
    case persistent_term:get(?MODULE, none) =:= none andalso
         not is_finished() andalso
         erlang:trace_info(new_processes, flags) of
        {flags, []} -> trace_process(new_processes, [call]);
        _ -> ok
    end.

%% Directories are kept although they may be taken out of the path again.
more_path(Dir, Path) ->
    case code:get_path() -- Path of
        [] ->
            Path;
        New ->
            Lines = [[filename:absname(P), $\n] || P <- New],
            File = filename:join(Dir, "path"),
            file:write_file(File, unicode:characters_to_binary(Lines), [append]),
            Path ++ New
    end.

more_modules(Dir, Known) ->
    [code:ensure_loaded(M) || M <- hooks(), not is_map_key(M, Known), is_there(M)],
    New = [{M, Path} || {M, Path} <- code:all_loaded(), not is_map_key(M, Known)],
    [case has_debug_info(M, Path) of
         false -> opaque(M);
         true -> keep_archived(Dir, M, Path)
     end || {M, Path} <- New, is_own_path(Path)],
    Covered = [C || {M, cover_compiled} <- code:all_loaded(),
                    C <- [{cover, M}], not is_map_key(C, Known)],
    Covered =:= [] orelse uncover([C || {cover, _} = C <- maps:keys(Known)] ++ Covered),
    lists:foldl(fun(K, All) -> All#{K => true} end, Known, [M || {M, _} <- New] ++ Covered).

%% A module that is in an archive, as those of a tool are, is in no directory. Others are not asked for: that a
%% file cannot be read would be logged.
keep_archived(Dir, M, Path) ->
    IsArchived = filename:extension(Path) =:= ".beam" andalso not filelib:is_dir(filename:dirname(Path)),
    case IsArchived andalso erl_prim_loader:get_file(Path) of
        {ok, Code, _} -> keep(Dir, atom_to_list(M), Code);
        _ -> ok
    end.

%% As what is there from the start.
keep(Dir, Name, Code) ->
    file:write_file(filename:join(Dir, ["made-0-", Name, ".beam"]), Code).

%% Looked for in the path only while it is not known to be there: that takes a while.
is_there(M) -> erlang:module_loaded(M) orelse lists:any(fun is_of_hooks/1, code:get_path()) andalso
                   code:which(M) =/= non_existing.

is_of_hooks(Dir) -> string:find(Dir, "cth_readable") =/= nomatch.

%% `cover` counts lines in counters of its own, by calls that it adds to a module.
uncover(Covered) ->
    Counters = [C || {_, _} = C <- [persistent_term:get(M, none) || M <- Covered]],
    Without = fun(Refs) -> [{[R, '_', '_'], [], [{message, false}]} || R <- Refs] ++ ?VALUE end,
    trace_function({counters, add, 3}, Without(Counters)),
    trace_function({erts_internal, counters_add, 3}, Without([R || {_, R} <- Counters])).

%% Modules of rebar3 that tests call, or that are called in their processes: they must be known
%% before that.
hooks() -> [cthr, cth_readable_shell, cth_readable_compact_shell, cth_readable_failonly, cth_retry].

has_debug_info(M, Path) ->
    try beam_lib:chunks(object_code(M, Path), [debug_info]) of
        {ok, {_, [{debug_info, {debug_info_v1, _, none}}]}} -> false;
        {ok, {_, [{debug_info, {debug_info_v1, _, {none, _}}}]}} -> false;
        {ok, _} -> true;
        {error, _, _} -> false
    catch
        _:_ -> true
    end.

%% A file, or what is in an archive. There is none of a module that was made at run time.
object_code(M, Path) ->
    case filename:extension(Path) =:= ".beam" andalso filelib:is_regular(Path) of
        true -> Path;
        false -> element(2, code:get_object_code(M))
    end.
