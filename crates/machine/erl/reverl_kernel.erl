%% The processes of OTP's application `kernel`. Each is started when it is first needed, from
%% OTP's own modules, by one process that is their parent.
-module(reverl_kernel).
-export([need/1, need/2, begun/1, need_logger/1, run/0, config/1]).

%% Sees to it that the process of this name is there, if it is one of these.
need(Name) ->
    begun(Name) andalso settle(Name),
    ok.

%% Whether it has begun only now.
begun(Name) ->
    Needed = is_known(Name) andalso whereis(Name) =:= undefined,
    Needed andalso begin ask(Name), introduce(Name) end,
    Needed.

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
is_known(Name) ->
    lists:member(Name, [logger, logger_sup, logger_proxy, kernel_safe_sup, kernel_refc, rex,
                        global_name_server, file_server_2, inet_db, erl_signal_server, net_kernel,
                        reverl_net]).

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

run() ->
    process_flag(trap_exit, true),
    loop().

loop() ->
    receive
        {kernel, From, Ref, Name} ->
            Started = whereis(Name) =/= undefined orelse started(Name),
            From ! {Ref, Started},
            loop();
        _ ->
            loop()
    end.

started(Name) ->
    try start(Name) of
        _ -> true
    catch
        error:undef -> false
    end.

start(Name) when Name =:= logger; Name =:= logger_sup; Name =:= logger_proxy ->
    {ok, _} = logger_server:start_link(),
    reverl:start_logger(),
    {ok, _} = logger_sup:start_link(),
    ok = logger:internal_init_logger(),
    ok = logger:add_handlers(kernel);
start(kernel_safe_sup) ->
    supervisor:start_link({local, kernel_safe_sup}, kernel, safe);
start(kernel_refc) ->
    kernel_refc:start_link();
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
    gen_event:start_link({local, erl_signal_server}).
