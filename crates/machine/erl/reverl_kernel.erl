%% The processes of OTP's application `kernel`. Each is started when it is first needed, from
%% OTP's own modules, by one process that is their parent.
-module(reverl_kernel).
-export([need/1, need_logger/1, run/0, config/1]).

%% Sees to it that the process of this name is there, if it is one of these.
need(Name) ->
    case is_known(Name) andalso whereis(Name) =:= undefined of
        true -> ask(Name);
        false -> ok
    end.

need_logger(logger) -> reverl:has_logger() orelse ask(logger);
need_logger(_) -> ok.

is_known(dist_ac) -> false;
is_known(Name) ->
    lists:member(Name, [logger, logger_sup, logger_proxy, kernel_safe_sup, kernel_refc, rex,
                        global_name_server, file_server_2, inet_db, erl_signal_server, reverl_net]).

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
    reverl:console() ! {kernel, self(), Ref, Name},
    receive
        {Ref, Started} -> Started
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
    global:start_link();
start(file_server_2) ->
    file_server:start_link();
start(inet_db) ->
    inet_db:start_link();
start(reverl_net) ->
    register(reverl_net, spawn_link(reverl_net, run, []));
start(erl_signal_server) ->
    gen_event:start_link({local, erl_signal_server}).
