%% A range of integers as a guard, also where OTP's own modules use it.
-module(otp29_guards).
-export([main/0]).

main() ->
    {[digit(X) || X <- [-1, 0, 5, 9, 10, 5.0, a]], string:uppercase("abc"),
     tried(fun() -> is_integer(hd([1]), a, 2) end), persistent_term:put_new(key, 1),
     tried(fun() -> persistent_term:put_new(key, 2) end)}.

-spec is(record()) -> ok.
is(_) -> ok.

digit(N) when is_integer(N, 0, 9) -> is(N);
digit(_) -> other.

tried(Fun) ->
    try Fun() catch Class:Reason -> {Class, Reason} end.
