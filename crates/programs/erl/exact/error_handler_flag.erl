%% Value: {handled,nowhere,f,[1]}
-module(error_handler_flag).
-export([main/0, undefined_function/3]).

undefined_function(M, F, A) -> {handled, M, F, A}.

main() ->
    Old = process_flag(error_handler, ?MODULE),
    R = try nowhere:f(1) catch C:E -> {C, E} end,
    process_flag(error_handler, Old),
    R.
