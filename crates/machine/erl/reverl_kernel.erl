%% The processes of OTP's application `kernel`. Each is started when it is first needed, from
%% OTP's own modules, by one process that is their parent.
-module(reverl_kernel).
-behaviour(supervisor).
-export([need/1, need/2, before/1, begun/1, need_logger/1, names/0, run/0, config/1]).
-export([init/1, child/1, idle/0, user/0]).

%% Sees to it that the process of this name is there, if it is one of these.
need(Name) ->
    begun(Name) andalso settle(Name),
    ok.

%% The same for several. Then the program begins: what it does is explored, this is not.
before(Names) ->
    lists:foreach(fun need/1, Names),
    reverl_tests:begins().

%% Whether it has begun only now.
begun(Name) ->
    Needed = is_known(Name) andalso not is_parent() andalso reverl:whereis(part_of(Name)) =:= undefined,
    Needed andalso begin begin_it(Name), introduce(Name) end,
    Needed.

%% The processes of the logger start together, and look for each other meanwhile.
part_of(Name)
  when Name =:= logger_sup; Name =:= logger_proxy; Name =:= logger_handler_watcher;
       Name =:= logger_std_h_default ->
    logger;
part_of(Name) ->
    Name.

%% The processes of applications belong to no parent of ours: whoever needs them starts them.
begin_it(Name) when Name =:= init; Name =:= application_controller ->
    application:loaded_applications();
begin_it(Name) ->
    ask(Name).

%% The same on a node of several.
need(Name, Node) when Node =:= node() -> need(Name);
need(Name, Node) ->
    Needed = is_known(Name) andalso reverl:is_cluster(),
    case Needed andalso reverl:whereis_on(Name, Node) =:= undefined of
        true -> on_node(Node, ?MODULE, begun, [Name]);
        false -> ok
    end.

on_node(Node, M, F, As) ->
    case reverl:spawn_on(Node, {M, F, As}, [monitor]) of
        noconnection ->
            ok;
        {_, Ref} ->
            receive
                {'DOWN', Ref, _, _, _} -> ok
            end
    end.

%% Servers of global names that begin while nodes are connected are told of each other: they begin
%% on all these nodes.
introduce(global_name_server) ->
    Others = case reverl:is_cluster() of
        true -> nodes();
        false -> []
    end,
    [need(global_name_server, Node) || Node <- Others],
    [global_name_server ! {nodeup, Node, #{connection_id => Id}}
     || Node <- Others, {Id, _} <- [reverl:connection(Node)]],
    ok;
introduce(_) ->
    ok.

%% As if they had known each other for long.
settle(global_name_server) -> reverl:is_cluster() andalso global:sync();
settle(_) -> ok.

need_logger(logger) -> reverl:has_logger() orelse ask(logger);
need_logger(_) -> ok.

is_known(dist_ac) -> false;
is_known(Name) -> lists:member(Name, [inet_db, net_kernel, reverl_net | reverl:kernel_names()]).

%% The names that every node has; those that are not started yet are when somebody looks for them.
names() ->
    case erlang:module_loaded(logger_sup) of
        true -> reverl:kernel_names();
        false -> []
    end.

%% Sets the parameters of applications that a configuration file has.
config(File) ->
    {ok, [Config]} = file:consult(File),
    Apps = [App || {_, _} = App <- Config],
    application:set_env(Apps, [{persistent, true}]),
    [config(filename:join(filename:dirname(File), with_extension(Other)))
     || Other <- Config, is_list(Other)],
    ok.

with_extension(File) ->
    case filename:extension(File) of
        ".config" -> File;
        _ -> File ++ ".config"
    end.

ask(Name) ->
    Ref = make_ref(),
    parent() ! {kernel, self(), Ref, Name},
    receive
        {Ref, Started} -> Started
    end.

%% The first node has its parent behind the console.
parent() ->
    case whereis(reverl_kernel) of
        undefined -> reverl:console();
        Parent -> Parent
    end.

%% The parent itself, which looks for names that it is about to give.
is_parent() -> get(?MODULE) =:= parent.

run() ->
    process_flag(trap_exit, true),
    put(?MODULE, parent),
    loop().

loop() ->
    receive
        {kernel, From, Ref, Name} ->
            From ! {Ref, started(Name)},
            loop();
        _ ->
            loop()
    end.

started(Name) ->
    try reverl:whereis(part_of(Name)) =/= undefined orelse start(part_of(Name)) of
        _ -> true
    catch
        % Without OTP there is none of them; with it some want what is not there, such as ports.
        _:_ -> reverl:whereis(Name) =/= undefined
    end.

start(logger) ->
    {ok, _} = logger_server:start_link(),
    reverl:start_logger(),
    {ok, _} = logger_sup:start_link(),
    ok = logger:internal_init_logger(),
    ok = logger:add_handlers(kernel);
start(kernel_safe_sup) ->
    supervisor:start_link({local, kernel_safe_sup}, kernel, safe);
start(rex) ->
    rpc:start_link();
start(global_name_server) ->
    {ok, _} = global:start_link(),
    reverl:is_cluster() andalso not reverl:has_global() andalso reverl:use_global();
start(file_server_2) ->
    file_server:start_link();
start(inet_db) ->
    inet_db:start_link();
start(net_kernel) ->
    register(net_kernel, spawn_link(net_kernel, serve, []));
start(reverl_net) ->
    register(reverl_net, spawn_link(reverl_net, run, []));
start(erl_signal_server) ->
    gen_event:start_link({local, erl_signal_server});
start(kernel_sup) ->
    supervisor:start_link({local, kernel_sup}, ?MODULE, [child_spec(Name) || Name <- children()]);
start(standard_error) ->
    register(standard_error, spawn_link(?MODULE, user, []));
start(Name) ->
    % What these do on a node is done without them here.
    true = erlang:module_loaded(kernel),
    register(Name, spawn_link(?MODULE, idle, [])).

%% The children of OTP's `kernel_sup`, in the order of their start.
children() ->
    [code_server, rex, global_name_server, file_server_2, erl_signal_server,
     standard_error, kernel_refc, kernel_safe_sup, logger_sup].

child_spec(Name) ->
    started(Name),
    {Type, Modules} = child_kind(Name),
    #{id => Name, start => {?MODULE, child, [Name]}, type => Type, modules => Modules}.

child_kind(code_server) -> {worker, [code]};
child_kind(rex) -> {worker, [rpc]};
child_kind(global_name_server) -> {worker, [global]};
child_kind(file_server_2) -> {worker, [file, file_server, file_io_server, prim_file]};
child_kind(erl_signal_server) -> {worker, dynamic};
child_kind(kernel_safe_sup) -> {supervisor, [kernel]};
child_kind(Name) when Name =:= standard_error; Name =:= logger_sup -> {supervisor, [Name]};
child_kind(Name) -> {worker, [Name]}.

%% A child of `kernel_sup`: it is there already.
child(Name) -> {ok, reverl:whereis(Name)}.

init(Children) -> {ok, {#{strategy => one_for_all, intensity => 0}, Children}}.

idle() -> receive after infinity -> ok end.

%% What is written to standard error is shown with all other output.
user() ->
    receive
        {io_request, _, _, _} = Request -> user ! Request;
        _ -> ok
    end,
    user().
