%% Prints what calls do, a line for each, the same way in OTP and in Reverl.
-module(show).
-export([call/2, calls/1, value/2]).

calls(Calls) -> lists:foreach(fun({Name, Fun}) -> call(Name, Fun) end, Calls).

call(Name, Fun) -> print(Name, outcome(Fun)).

value(Name, Value) -> print(Name, Value).

%% Texts as numbers: what is printable is not what is tested here.
print(Name, Value) -> io:format("~w: ~w~n", [plain(Name), plain(Value)]).

outcome(Fun) ->
    try Fun()
    catch
        Class:Reason:Trace ->
            [{M, F, Args, Location} | _] = Trace,
            {Class, Reason, {M, F, Args}, [Info || {error_info, Info} <- Location]}
    end.

%% What is named differently in each run is left out.
plain(R) when is_reference(R) -> ref;
plain(P) when is_pid(P) -> pid;
plain(F) when is_function(F) -> a_fun;
plain({'$compiled_match_spec', _}) -> ref;
plain({re_pattern, Groups, Unicode, Crlf, _}) -> {re_pattern, Groups, Unicode, Crlf, code};
plain([H | T]) -> [plain(H) | plain(T)];
plain(T) when is_tuple(T) -> list_to_tuple(plain(tuple_to_list(T)));
plain(M) when is_map(M) -> maps:map(fun(_, V) -> plain(V) end, M);
plain(X) -> X.
