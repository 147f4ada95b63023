%% Generators that do not pass over what does not match.
-module(otp28_strict_generators).
-export([main/0]).

main() ->
    {tried(fun() -> [X || <<X:16>> <:= <<1, 2, 3>>] end),
     tried(fun() -> [X || <<X:16>> <:= <<1, 2, 3, 4>>] end),
     tried(fun() -> [X || {ok, X} <:- [{ok, 1}, no]] end),
     tried(fun() -> [{X, Y} || {ok, X} <:- [{ok, 1}, no] && Y <- [a, b]] end)}.

tried(Fun) ->
    try Fun() catch Class:Reason -> {Class, Reason} end.
