%% Runs the cases of corpus modules, the same way in OTP and in Reverl, a line for each.
-module(corpus_runner).
-export([run/1, plain/2]).

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
plain(Term) -> plain(Term, fun(_) -> no end).

%% The same, where Special may say `{yes, Plain}` of a term of its own.
plain(Term, Special) ->
    case Special(Term) of
        {yes, Plain} -> Plain;
        no -> plain_parts(Term, Special)
    end.

plain_parts(F, _) when is_function(F) ->
    case erlang:fun_info(F, type) of
        {type, local} -> {'fun', element(2, erlang:fun_info(F, arity))};
        {type, external} -> F
    end;
plain_parts(P, _) when is_pid(P) -> pid;
plain_parts(R, _) when is_reference(R) -> ref;
plain_parts([H | T], S) -> [plain(H, S) | plain(T, S)];
plain_parts(T, S) when is_tuple(T) -> list_to_tuple([plain(E, S) || E <- tuple_to_list(T)]);
plain_parts(M, S) when is_map(M) ->
    maps:from_list([{plain(K, S), plain(V, S)} || {K, V} <- maps:to_list(M)]);
plain_parts(X, _) -> X.
