%% Runs the cases of corpus modules, the same way in OTP and in Reverl, a line for each.
-module(corpus_runner).
-export([run/1]).

run(Modules) ->
    lists:foreach(fun(M) -> lists:foreach(fun(C) -> one(M, C) end, M:cases()) end, Modules).

%% Each case has a process of its own: mailbox, dictionary and flags are fresh.
one(Module, {Name, Case}) ->
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() -> Self ! {result, self(), outcome(Case)} end),
    receive
        {result, Pid, Result} ->
            receive {'DOWN', Ref, process, Pid, _} -> ok end,
            print(Module, Name, Result);
        {'DOWN', Ref, process, Pid, Reason} -> print(Module, Name, {died, Reason})
    after 5000 ->
        exit(Pid, kill),
        demonitor(Ref, [flush]),
        print(Module, Name, no_answer)
    end.

print(Module, Name, Result) ->
    io:format("~ts ~w ~0tp~n", [Module, Name, plain(Result)]).

outcome(Case) ->
    try {value, Case()}
    catch
        Class:Reason:Trace ->
            Own = lists:takewhile(fun(Entry) -> element(1, Entry) =/= ?MODULE end, Trace),
            {Class, Reason, Own}
    end.

%% What is named differently in each run is left out.
plain(F) when is_function(F) ->
    case erlang:fun_info(F, type) of
        {type, local} -> {'fun', element(2, erlang:fun_info(F, arity))};
        {type, external} -> F
    end;
plain(P) when is_pid(P) -> pid;
plain(R) when is_reference(R) -> ref;
plain([H | T]) -> [plain(H) | plain(T)];
plain(T) when is_tuple(T) -> list_to_tuple(plain(tuple_to_list(T)));
plain(M) when is_map(M) -> maps:from_list([{plain(K), plain(V)} || {K, V} <- maps:to_list(M)]);
plain(X) -> X.
