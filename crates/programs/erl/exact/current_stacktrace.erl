%% Value: {[{current_stacktrace,loop,0,5}],{current_stacktrace,loop,0,5}}
-module(current_stacktrace).
-export([main/0, loop/0]).

loop() -> receive stop -> ok end.

place({M, F, A, [{file, _}, {line, Line}]}) -> {M, F, A, Line}.

main() ->
    P = spawn(?MODULE, loop, []),
    receive after 1 -> ok end,
    {_, Trace} = process_info(P, current_stacktrace),
    {_, Location} = process_info(P, current_location),
    {[place(Entry) || Entry <- Trace], place(Location)}.
