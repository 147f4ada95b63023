%% Value: {undefined,undefined,true,[busy_port,{long_gc,100}],badarg,undefined,[],[[],{send,false},{print,false}],{flags,[]},{traced,false},{traced,undefined},1,0,undefined,undefined}
-module(monitor_settings).
-export([main/0]).

%% What is set and asked about tracing and monitoring while nothing is traced.
main() ->
    First = erlang:system_monitor(),
    Second = erlang:system_monitor(self(), [{long_gc, 100}, busy_port]),
    {Pid, Options} = erlang:system_monitor(),
    {Pid, _} = erlang:system_monitor(undefined),
    Bad = try erlang:system_monitor(self(), [foo]) catch error:Why -> Why end,
    {First, Second, Pid =:= self(), lists:sort(Options), Bad, erlang:system_profile(),
     seq_trace:get_token(), [erlang:seq_trace_info(I) || I <- [label, send, print]],
     erlang:trace_info(self(), flags), erlang:trace_info({lists, map, 2}, traced),
     erlang:trace_info({lists, no, 7}, traced), erlang:trace(self(), false, [all]),
     erlang:trace_pattern({no_module_at_all, '_', '_'}, false, []),
     erlang:port_info(nobody), erlang:dt_get_tag()}.
