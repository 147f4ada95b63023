%% OTP's own text tracer on top of tracing: what it prints and answers is the same.
-module(tracing_dbg).
-export([main/0, work/1, add/2]).

main() ->
    Me = self(),
    Worker = spawn(fun() -> loop() end),
    {ok, _} = dbg:tracer(process, {fun(Message, Sent) -> Me ! {told, plain(Message)}, Sent + 1 end, 0}),
    show(element(1, dbg:p(Worker, [c, s, r]))),
    show(plain(dbg:tpl(?MODULE, add, 2, [{'_', [], [{return_trace}]}]))),
    show(plain(dbg:tp(?MODULE, work, 1, x))),
    Worker ! {work, 2, self()},
    show(receive {sum, Sum} -> Sum end),
    show(plain(dbg:ctpl(?MODULE, add, 2))),
    Worker ! {work, 1, self()},
    show(receive {sum, Next} -> Next end),
    show(element(1, dbg:p(Worker, clear))),
    Worker ! {work, 1, self()},
    show(receive {sum, Last} -> Last end),
    told(),
    dbg:stop_clear(),
    show(erlang:trace_info(Worker, flags)),
    [show(tested(Args, Spec)) || Args <- [[], [a], [a, b]], Spec <- specs()].

specs() ->
    [[{'_', [], Body}] || Body <- [[], [true], [{return_trace}], [{exception_trace}], [{message, x}],
                                   [{message, false}], [{message, true}], [{foo}],
                                   [{return_trace}, {message, {caller}}], [{silent, true}]]]
        ++ [[{['$1'], [{'==', '$1', a}], [{message, '$1'}]}], [{['_', b], [], []}], [{x, [], []}], x].

tested(Args, Spec) ->
    try erlang:match_spec_test(Args, Spec, trace) catch Class:Reason -> {Class, Reason} end.

show(Term) -> io:format("~w~n", [Term]).

told() ->
    receive {told, Message} -> show(Message), told() after 50 -> ok end.

loop() ->
    receive {work, N, From} -> From ! {sum, ?MODULE:work(N)}, loop() end.

work(0) -> 0;
work(N) -> add(N, ?MODULE:work(N - 1)).

add(A, B) -> A + B.

plain(P) when is_pid(P) -> pid;
plain([H | T]) -> [plain(H) | plain(T)];
plain(T) when is_tuple(T) -> list_to_tuple(plain(tuple_to_list(T)));
plain(X) -> X.
