%% Calls the exported functions of modules with many arguments, and prints a line for each call: its
%% value, or class, reason and frames of its exception. OTP makes the calls and keeps them in a file; Reverl
%% carries out the same ones.
-module(call_runner).
-export([make/4, carry_out/1, value/1]).

%% Makes `Count` calls of each function from a seed. Those that take long or much memory on OTP
%% are not kept.
make(File, Modules, Seed, Count) ->
    Known = [M || M <- Modules, code:which(M) =/= non_existing],
    Calls = [C || M <- Known, {F, A} <- lists:sort(exported(M)), not call_hints:left_out(M, F, A),
                  I <- lists:seq(1, if A =:= 0 -> 1; true -> Count end), C <- [made(M, F, A, {Seed, I})]],
    Kept = [Call || Call <- Calls, not call_hints:skipped(Call), ends_soon(Call)],
    ok = file:write_file(File, term_to_binary(Kept)),
    print(Kept).

carry_out(File) ->
    {ok, Calls} = file:read_file(File),
    print(binary_to_term(Calls)).

exported(erlang) -> erlang:module_info(exports);
exported(M) -> M:module_info(exports).

%% A call depends on its function and number alone, so that others can come and go.
made(M, F, A, {Seed, I}) ->
    rand:seed(exsss, erlang:phash2({Seed, M, F, A, I}, 1 bsl 32)),
    put(without_identity, call_hints:without_identity(M, F)),
    Arguments = hinted(M, F, call_types:arguments(M, F, A)),
    {M, F, case A > 0 andalso I rem 3 =:= 0 andalso not call_hints:unspoilt(M, F) of
               true -> call_values:spoilt(Arguments);
               false -> Arguments
           end}.

hinted(M, F, Arguments) ->
    Unspoilt = call_hints:unspoilt(M, F),
    [case call_hints:argument(M, F, N) of
         undefined -> Argument;
         Hints ->
             case rand:uniform(4) of
                 1 when not Unspoilt -> Argument;
                 _ -> call_values:pick(Hints)
             end
     end || {N, Argument} <- lists:zip(lists:seq(1, length(Arguments)), Arguments)].

ends_soon(Call) ->
    Limits = [{max_heap_size, #{size => 2000000, kill => true, error_logger => false}}, monitor],
    {Pid, Ref} = spawn_opt(fun() -> outcome(Call), exit(fine) end, Limits),
    receive
        {'DOWN', Ref, _, _, killed} -> false;
        {'DOWN', Ref, _, _, _} -> true
    after 50 ->
        exit(Pid, kill),
        receive {'DOWN', Ref, _, _, _} -> false end
    end.

print(Calls) -> print(Calls, 1).

print([{M, F, Arguments} = Call | Calls], N) ->
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() -> Self ! {result, self(), line(Call)} end),
    Result = receive
        {result, Pid, Line} -> receive {'DOWN', Ref, _, _, _} -> Line end;
        {'DOWN', Ref, _, _, Reason} -> io_lib:format("died ~0tp", [plain(Reason)])
    after 5000 ->
        exit(Pid, kill),
        demonitor(Ref, [flush]),
        "waits"
    end,
    io:put_chars([io_lib:format("~w ~w:~tw", [N, M, F]), shown(Arguments), " => ", Result, $\n]),
    print(Calls, N + 1);
print([], _) ->
    ok.

%% Long texts are told by their beginning and a sum.
line(Call) ->
    Text = unicode:characters_to_binary(shown(plain(outcome(Call)))),
    case string:length(Text) > 1500 of
        true -> [string:slice(Text, 0, 1500), io_lib:format("... ~w", [erlang:crc32(Text)])];
        false -> Text
    end.

%% From OTP 26 on the order of a map is that of the numbers of its atoms, which nothing depends on.
shown(Term) ->
    case erlang:system_info(otp_release) >= "26" of
        true -> io_lib:format("~0tkp", [Term]);
        false -> io_lib:format("~0tp", [Term])
    end.

outcome({M, F, Arguments}) ->
    try [value(A) || A <- Arguments] of
        Values -> outcome(M, F, Values)
    catch
        Class:Reason -> {no_arguments, Class, Reason}
    end.

outcome(M, F, Values) ->
    try apply(M, F, Values) of
        Value ->
            case call_hints:shape_only(M, F) of
                true -> {value, shape(Value)};
                false -> {value, Value}
            end
    catch
        Class:Reason:Trace ->
            Own = lists:takewhile(fun(Entry) -> element(1, Entry) =/= ?MODULE end, Trace),
            case call_hints:without_frames(M, F) of
                true -> {Class, Reason};
                false -> {Class, Reason, Own}
            end
    end.

%% Makes what cannot be written to a file.
value({'$fun', 0, [V | _]}) -> fun() -> V end;
value({'$fun', 1, Vs}) -> fun(A) -> chosen([A], Vs) end;
value({'$fun', 2, Vs}) -> fun(A, B) -> chosen([A, B], Vs) end;
value({'$fun', 3, Vs}) -> fun(A, B, C) -> chosen([A, B, C], Vs) end;
value({'$fun', 4, Vs}) -> fun(A, B, C, D) -> chosen([A, B, C, D], Vs) end;
value({'$fun', _, Vs}) -> fun(A, B, C, D, E) -> chosen([A, B, C, D, E], Vs) end;
value({'$pid'}) -> self();
value({'$ref'}) -> make_ref();
value({'$table', Type, Objects}) ->
    Table = ets:new(table, [Type, public]),
    ets:insert(Table, Objects),
    Table;
value({'$second', Tuple}) -> element(2, value(Tuple));
value({'$call', M, F, Arguments}) -> apply(M, F, [value(A) || A <- Arguments]);
value([H | T]) -> [value(H) | value(T)];
value(T) when is_tuple(T) -> list_to_tuple([value(E) || E <- tuple_to_list(T)]);
value(M) when is_map(M) -> maps:from_list([{value(K), value(V)} || {K, V} <- maps:to_list(M)]);
value(X) -> X.

%% One of the values, always the same one for the same arguments.
chosen(Arguments, Vs) -> value(lists:nth(erlang:phash2(plain(Arguments), length(Vs)) + 1, Vs)).

%% What is named differently in each run is left out.
plain(Term) -> corpus_runner:plain(Term, fun special/1).

special(P) when is_port(P) -> {yes, port};
special({re_pattern, Groups, Unicode, _, _}) -> {yes, {re_pattern, Groups, Unicode}};
special({Search, _}) when Search =:= ac; Search =:= bm -> {yes, {Search, pattern}};
special({'$compiled_match_spec', _}) -> {yes, ref};
special({'$hash', _, _}) -> {yes, ref};
%% Where this module was compiled is in its stack traces.
special({file, [_ | _] = File}) ->
    case lists:suffix("call_runner.erl", File) of
        true -> {yes, {file, "call_runner.erl"}};
        false -> no
    end;
special(_) -> no.

shape(X) when is_integer(X) -> integer;
shape(X) when is_float(X) -> float;
shape(X) when is_binary(X) -> binary;
shape(X) when is_bitstring(X) -> bitstring;
shape([H | _]) -> [shape(H)];
shape(T) when is_tuple(T) -> list_to_tuple([shape(E) || E <- tuple_to_list(T)]);
shape(X) -> X.
