%% The logger as it is when a program begins, as it can be set, and what it prints.
-module(logging).
-export([main/0, log/2]).

%% As the macros of OTP's header are, which is only there with OTP.
-define(LOG(Level, Format, Args),
        logger:allow(Level, ?MODULE) andalso
        logger:macro_log(#{mfa => {?MODULE, main, 0}, line => ?LINE, file => ?FILE},
                         Level, Format, Args)).

%% A handler of our own: it prints what it is given.
log(#{level := Level, msg := Msg, meta := Meta}, #{id := Id}) ->
    printed(),
    io:format("~p ~p ~0p ~p~n", [Id, Level, Msg, maps:get(mfa, Meta, none)]).

%% The default handler prints in a process of its own: it has printed all it was given.
printed() -> ok = logger_std_h:filesync(default).

main() ->
    [io:format("~0p~n", [F()]) || F <- [fun() -> element(1, logger:get_handler_config(default)) end,
        fun logger:get_handler_ids/0, fun logger:get_primary_config/0,
        fun() -> logger:get_handler_config(nowhere) end,
        fun() -> {ok, #{module := M, level := L}} = logger:get_handler_config(default), {M, L} end]],
    ok = logger:set_handler_config(default, formatter,
        {logger_formatter, #{template => ["<", level, "> ", msg, "\n"]}}),
    ?LOG(info, "not shown", []),
    ?LOG(notice, "shown ~p", [1]),
    logger:warning(#{a => 1, b => "text"}),
    logger:error("a string"),
    error_logger:error_msg("old ~p", [2]),
    error_logger:info_report([{c, 3}, more]),
    ok = logger:set_primary_config(level, debug),
    ?LOG(debug, "shown now", []),
    ok = logger:set_module_level(?MODULE, error),
    ?LOG(warning, "not shown", []),
    ok = logger:unset_module_level(?MODULE),
    ok = logger:add_handler(own, ?MODULE, #{level => warning}),
    printed(),
    io:format("~0p~n", [logger:add_handler(own, ?MODULE, #{})]),
    ?LOG(error, "to both", []),
    ?LOG(notice, "to one", []),
    ok = logger:add_handler_filter(own, stop, {fun(_, _) -> stop end, none}),
    ?LOG(error, "to one again", []),
    ok = logger:remove_handler(own),
    printed(),
    io:format("~0p~n", [logger:get_handler_ids()]),
    {ok, Pid} = gen_event:start(),
    ok = gen_event:stop(Pid),
    printed(),
    ok = logger:remove_handler(default),
    ?LOG(error, "to nobody", []),
    logger:add_handler(default, logger_std_h, #{formatter => {logger_formatter, #{template => [msg, "\n"]}}}),
    ?LOG(error, "to the new one", []),
    printed(),
    io:format("~0p~n", [[logger:compare_levels(A, B) || A <- [error, info], B <- [error, info]]]).
