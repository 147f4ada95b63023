%% Servers of kernel, which start when they are first called.
-module(kernel_servers).
-export([main/0]).

t(F) -> io:format("~0p~n", [try F() catch C:E -> {C, E} end]).

main() ->
    logger:set_primary_config(level, none),
    t(fun() -> global:whereis_name(nobody) end),
    t(fun() -> global:register_name(me, self()) end),
    t(fun() -> global:register_name(me, self()) end),
    t(fun() -> global:whereis_name(me) =:= self() end),
    t(fun() -> global:send(me, hello) =:= self() andalso receive hello -> got end end),
    t(fun() -> gen_server:call({global, nobody}, x) end),
    t(fun global:registered_names/0),
    t(fun() -> global:unregister_name(me) end),
    t(fun() -> global:trans({lock, self()}, fun() -> inside end) end),
    t(fun() -> global:set_lock({lock, self()}) andalso global:del_lock({lock, self()}) end),
    t(fun() -> rpc:call(node(), lists, sum, [[1, 2, 3]]) end),
    t(fun() -> rpc:call(node(), erlang, error, [oops]) =:= x end),
    t(fun() -> rpc:multicall([node()], erlang, abs, [-1]) end),
    t(fun() -> rpc:yield(rpc:async_call(node(), lists, reverse, [[1, 2]])) end),
    t(fun() -> rpc:pmap({erlang, abs}, [], [-1, -2]) end),
    t(fun() -> erpc:call(node(), fun() -> 3 end) end),
    t(fun() -> [application:ensure_all_started(A) || A <- [sasl, crypto, inets, runtime_tools]] end),
    t(fun() -> lists:sort([A || {A, _, _} <- application:which_applications()]) end),
    t(fun() -> error_logger:add_report_handler(nowhere) end).
