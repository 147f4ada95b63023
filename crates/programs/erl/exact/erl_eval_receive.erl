%% Value: {timeout,got}
-module(erl_eval_receive).
-export([main/0]).

eval(S) ->
    {ok, T, _} = erl_scan:string(S),
    {ok, E} = erl_parse:parse_exprs(T),
    try erl_eval:exprs(E, []) of {value, V, _} -> V catch C:R -> {C, R} end.

main() ->
    {eval("receive after 1 -> timeout end."),
     eval("self() ! x, receive x -> got end.")}.
