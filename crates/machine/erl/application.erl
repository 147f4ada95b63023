%% Applications. OTP's `application_controller` does the work; it is started when it is first
%% needed, with `kernel` and `stdlib` as applications that have no processes here. Resource files
%% come as modules (see `resource/1`), so that a run depends on nothing but its modules.
-module(application).
-export([load/1, load/2, unload/1, start/1, start/2, stop/1, ensure_loaded/1]).
-export([ensure_started/1, ensure_started/2, ensure_all_started/1, ensure_all_started/2]).
-export([start_boot/1, start_boot/2, takeover/2, permit/2, start_type/0, info/0]).
-export([which_applications/0, which_applications/1, loaded_applications/0]).
-export([get_env/1, get_env/2, get_env/3, get_all_env/0, get_all_env/1]).
-export([set_env/1, set_env/2, set_env/3, set_env/4, unset_env/2, unset_env/3]).
-export([get_key/1, get_key/2, get_all_key/0, get_all_key/1]).
-export([get_application/0, get_application/1]).
-export([init/0]).

-export_type([start_type/0]).

-type start_type() :: normal | {takeover, node()} | {failover, node()}.

-callback start(StartType :: start_type(), StartArgs :: term()) ->
    {ok, pid()} | {ok, pid(), State :: term()} | {error, Reason :: term()}.
-callback stop(State :: term()) -> term().

-define(STARTED, '$reverl applications').

%% Starting and stopping

load(Application) -> load(Application, []).

load(Name, _Distributed) when is_atom(Name) ->
    case resource(Name) of
        {ok, Resource} ->
            case load(Resource, []) of
                {error, {already_loaded, _}} -> {error, {already_loaded, Name}};
                Other -> Other
            end;
        error -> {error, {"no such file or directory", atom_to_list(Name) ++ ".app"}}
    end;
load(Resource, _Distributed) ->
    call(fun() -> application_controller:load_application(Resource) end, {error, no_otp}).

unload(Name) -> call(fun() -> application_controller:unload_application(Name) end, not_loaded(Name)).

ensure_loaded(Name) ->
    case load(Name) of
        {error, {already_loaded, Name}} -> ok;
        Other -> Other
    end.

start(Application) -> start(Application, temporary).

start(Application, Type) ->
    case load(Application) of
        ok -> start_loaded(name(Application), Type);
        {error, {already_loaded, Name}} -> start_loaded(Name, Type);
        {error, _} = Error -> Error
    end.

start_loaded(Name, Type) -> application_controller:start_application(Name, Type).

name({application, Name, _}) -> Name;
name(Name) -> Name.

ensure_started(Name) -> ensure_started(Name, temporary).

ensure_started(Name, Type) ->
    case start(Name, Type) of
        {error, {already_started, Name}} -> ok;
        Other -> Other
    end.

ensure_all_started(Names) -> ensure_all_started(Names, temporary).

ensure_all_started(Name, Type) when is_atom(Name) -> ensure_all_started([Name], Type);
ensure_all_started(Names, Type) when is_list(Names) ->
    case all_started(Names, [], Type, []) of
        {ok, Started} ->
            {ok, lists:reverse(Started)};
        {error, Why, Started} ->
            lists:foreach(fun stop/1, Started),
            {error, Why}
    end.

%% `Started` is what has been started for this call, the latest first.
all_started([], _Optional, _Type, Started) -> {ok, Started};
all_started([Name | Names], Optional, Type, Started) ->
    case one_started(Name, Optional, Type, Started) of
        {ok, Now} -> all_started(Names, Optional, Type, Now);
        Error -> Error
    end.

one_started(Name, Optional, Type, Started) ->
    case lists:member(Name, Started) orelse is_running(Name) of
        true ->
            {ok, Started};
        false ->
            case ensure_loaded(Name) of
                ok ->
                    {ok, Needed} = get_key(Name, applications),
                    {ok, MayLack} = get_key(Name, optional_applications),
                    case all_started(Needed, MayLack, Type, Started) of
                        {ok, Now} -> itself_started(Name, Type, Now);
                        Error -> Error
                    end;
                {error, {"no such file or directory", _} = Why} ->
                    case lists:member(Name, Optional) of
                        true -> {ok, Started};
                        false -> {error, {Name, Why}, Started}
                    end;
                {error, Why} ->
                    {error, {Name, Why}, Started}
            end
    end.

itself_started(Name, Type, Started) ->
    case start_loaded(Name, Type) of
        ok -> {ok, [Name | Started]};
        {error, {already_started, Name}} -> {ok, Started};
        {error, Why} -> {error, {Name, Why}, Started}
    end.

is_running(Name) -> call(fun() -> application_controller:is_running(Name) end, false).

stop(Name) ->
    call(fun() -> application_controller:stop_application(Name) end,
         {error, {not_started, Name}}).

start_boot(Application) -> start_boot(Application, temporary).
start_boot(Application, Type) -> start(Application, Type).
takeover(Name, Type) -> application_controller:takeover_application(Name, Type).
permit(Name, Flag) -> application_controller:permit_application(Name, Flag).
start_type() -> application_controller:start_type(group_leader()).
info() -> call(fun application_controller:info/0, []).

which_applications() -> which_applications(5000).
which_applications(Timeout) ->
    call(fun() -> application_controller:which_applications(Timeout) end, []).

loaded_applications() -> call(fun application_controller:loaded_applications/0, []).

%% Parameters

get_env(Key) ->
    case get_application() of
        {ok, Name} -> get_env(Name, Key);
        undefined -> undefined
    end.

get_env(Name, Key) -> ask(Name, fun() -> application_controller:get_env(Name, Key) end, undefined).

get_env(Name, Key, Default) ->
    case get_env(Name, Key) of
        {ok, Value} -> Value;
        undefined -> Default
    end.

get_all_env() ->
    case get_application() of
        {ok, Name} -> get_all_env(Name);
        undefined -> []
    end.

get_all_env(Name) -> ask(Name, fun() -> application_controller:get_all_env(Name) end, []).

set_env(Config) when is_list(Config) -> set_env(Config, []).
set_env(Config, Options) when is_list(Config), is_list(Options) ->
    case call(fun() -> application_controller:set_env(Config, Options) end, {error, no_otp}) of
        ok -> ok;
        {error, Message} -> error({badarg, Message}, [Config, Options])
    end.
set_env(Name, Key, Value) -> set_env(Name, Key, Value, []).
set_env(Name, Key, Value, Timeout) when is_integer(Timeout); Timeout =:= infinity ->
    set_env(Name, Key, Value, [{timeout, Timeout}]);
set_env(Name, Key, Value, Options) ->
    call(fun() -> application_controller:set_env(Name, Key, Value, Options) end, {error, no_otp}).

unset_env(Name, Key) -> unset_env(Name, Key, []).
unset_env(Name, Key, Timeout) when is_integer(Timeout); Timeout =:= infinity ->
    unset_env(Name, Key, [{timeout, Timeout}]);
unset_env(Name, Key, Options) ->
    call(fun() -> application_controller:unset_env(Name, Key, Options) end, ok).

get_key(Key) ->
    case get_application() of
        {ok, Name} -> get_key(Name, Key);
        undefined -> undefined
    end.

get_key(Name, Key) -> ask(Name, fun() -> application_controller:get_key(Name, Key) end, undefined).

get_all_key() ->
    case get_application() of
        {ok, Name} -> get_all_key(Name);
        undefined -> []
    end.

get_all_key(Name) -> ask(Name, fun() -> application_controller:get_all_key(Name) end, undefined).

get_application() -> of_master(group_leader()).

get_application(Pid) when is_pid(Pid) ->
    case process_info(Pid, group_leader) of
        {group_leader, Master} -> of_master(Master);
        undefined -> undefined
    end;
get_application(Module) when is_atom(Module) ->
    ask(kernel, fun() -> application_controller:get_application_module(Module) end, undefined).

of_master(Master) ->
    ask(none, fun() -> application_controller:get_application(Master) end, undefined).

%% The controller

%% Before anything was loaded, only `kernel` and `stdlib` are known.
ask(Name, Fun, Unknown) ->
    case is_started() orelse Name =:= kernel orelse Name =:= stdlib of
        true -> call(Fun, Unknown);
        false -> Unknown
    end.

%% Without OTP there is no controller.
call(Fun, WithoutOtp) ->
    case is_started() orelse boot() of
        true -> Fun();
        false -> WithoutOtp
    end.

not_loaded(Name) -> {error, {not_loaded, Name}}.

%% The controller itself asks for parameters while it starts.
is_started() ->
    persistent_term:get(?STARTED, false) orelse reverl:whereis(application_controller) =:= self().

%% Whoever comes first starts the controller; the others wait for it.
boot() ->
    case resource(kernel) of
        {ok, _} ->
            Init = spawn(?MODULE, init, []),
            try
                register(init, Init)
            catch
                error:badarg -> exit(Init, kill)
            end,
            Monitor = monitor(process, init),
            init ! {started, self(), Monitor},
            receive
                {Monitor, started} -> demonitor(Monitor, [flush]);
                {'DOWN', Monitor, process, _, Why} -> exit(Why)
            end;
        error ->
            false
    end.

%% The process in the place of the node's `init`: the controller's parent.
init() ->
    receive
        {started, From, Reply} ->
            {ok, Kernel} = resource(kernel),
            {ok, _} = application_controller:start(without_processes(Kernel)),
            ok = start_loaded(kernel, permanent),
            {ok, Stdlib} = resource(stdlib),
            ok = application_controller:load_application(without_processes(Stdlib)),
            ok = start_loaded(stdlib, permanent),
            persistent_term:put(?STARTED, true),
            From ! {Reply, started},
            started()
    end.

started() ->
    receive
        {started, From, Reply} ->
            From ! {Reply, started},
            started();
        {From, Request} when is_pid(From) ->
            From ! {init, answer(Request)},
            started();
        _ ->
            started()
    end.

%% What a node's `init` says when it is asked.
answer(script_id) -> {"Erlang/OTP", erlang:system_info(otp_release)};
answer(get_status) -> {started, started};
answer({get_argument, Flag}) -> init:get_argument(Flag);
answer(get_arguments) -> init:get_arguments();
answer(get_plain_arguments) -> init:get_plain_arguments();
answer({ensure_loaded, Module}) -> code:ensure_loaded(Module);
answer(_) -> ok.

without_processes({application, Name, Keys}) ->
    {application, Name, lists:keydelete(mod, 1, Keys)}.

%% The module is made of the application's resource file when it is called.
resource(Name) ->
    Module = list_to_atom("reverl_app:" ++ atom_to_list(Name)),
    try {Module:resource(), Module:modules()} of
        {Resource, []} ->
            {ok, Resource};
        {{application, Name, Keys}, Modules} ->
            {ok, {application, Name, lists:keystore(modules, 1, Keys, {modules, Modules})}}
    catch
        error:undef -> error
    end.
