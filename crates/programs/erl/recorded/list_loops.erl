%% Calls of `lists` that OTP's compiler has made loops of the module itself: the frames of a stack trace have names of
%% their own, and a program that does something for each of them does it as often as the node did.
-module(list_loops).
-compile([inline_list_funcs]).
-export([values/0, frames/0, failures/0, depths/0]).

values() ->
    tell(lists:map(fun all/1, [4, 5])),
    tell({all(3), any(3), mapped(3), flat(3), filtered(5), summed(5), joined(5), left(4), right(4), each(2)}).

all(N) -> all(fun(X) -> X < 3 end, lists:seq(1, N)).
any(N) -> any(fun(X) -> X > 2 end, lists:seq(1, N)).
mapped(N) -> mapped(fun(X) -> X * 2 end, lists:seq(1, N)).
flat(N) -> flat(fun(X) -> [X, -X] end, lists:seq(1, N)).
filtered(N) -> filtered(fun(X) -> X rem 2 =:= 0 end, lists:seq(1, N)).
summed(N) -> summed(fun(X, Sum) -> X + 2 * Sum end, lists:seq(1, N)).
joined(N) -> joined(fun(X, Rest) -> [X | Rest] end, lists:seq(1, N)).
left(N) -> left(fun(X, Sum) -> {X * Sum, X + Sum} end, lists:seq(1, N)).
right(N) -> right(fun(X, Sum) -> {X * Sum, X + Sum} end, lists:seq(1, N)).
each(N) -> each(fun(X) -> self() ! X end, lists:seq(1, N)).

all(F, L) -> lists:all(F, L).
any(F, L) -> lists:any(F, L).
mapped(F, L) -> lists:map(F, L).
flat(F, L) -> lists:flatmap(F, L).
filtered(F, L) -> lists:filter(F, L).
summed(F, L) -> lists:foldl(F, 1, L).
joined(F, L) -> lists:foldr(F, [], L).
left(F, L) -> lists:mapfoldl(F, 1, L).
right(F, L) -> lists:mapfoldr(F, 1, L).
each(F, L) -> lists:foreach(F, L).

%% Where a fun raises that such a loop calls: how deep, and in what.
frames() ->
    Raise = fun(3) -> error(three); (X) -> X > 0 end,
    Fold = fun(3, _) -> error(three); (X, _) -> {X, X} end,
    L = lists:seq(1, 4),
    [tell(frames_of(Try)) || Try <- [
        fun() -> all(Raise, L) end, fun() -> {any(fun(X) -> not Raise(X) end, L)} end, fun() -> mapped(Raise, L) end,
        fun() -> {mapped(Raise, L)} end, fun() -> filtered(Raise, L) end, fun() -> flat(fun(X) -> [Raise(X)] end, L) end,
        fun() -> summed(Fold, L) end, fun() -> {joined(Fold, L)} end, fun() -> left(Fold, L) end,
        fun() -> {right(Fold, L)} end, fun() -> each(Raise, L) end]].

frames_of(Try) ->
    try Try() catch _:_:Frames -> [{M, F, A, proplists:get_value(line, Info)} || {M, F, A, Info} <- Frames, M =:= ?MODULE] end.

failures() ->
    Not = fun(_) -> maybe_not end,
    [tell(reason_of(Try)) || Try <- [
        fun() -> all(Not, [1]) end, fun() -> any(Not, [1]) end, fun() -> filtered(Not, [1]) end,
        fun() -> left(fun(X, _) -> X end, [1]) end, fun() -> right(fun(X, _) -> X end, [1]) end,
        fun() -> mapped(Not, [1 | 2]) end, fun() -> mapped(not_a_fun, []) end, fun() -> summed(Not, [1]) end]].

%% How many frames there are is a flag of the node.
depths() ->
    Deep = fun() -> deep(30) end,
    Before = erlang:system_flag(backtrace_depth, 20),
    Told = [tell(length(frames_of(Deep))), tell(raised_again(Deep))],
    erlang:system_flag(backtrace_depth, Before),
    {Told, tell(length(frames_of(Deep))), tell(raised_again(Deep))}.

deep(N) when N rem 2 =:= 0 -> {odd(N - 1)}.
odd(1) -> undefined =:= whereis(nobody) andalso error(deep);
odd(N) -> {N, deep(N - 1)}.

raised_again(Try) ->
    try try Try() catch C:R:Frames -> erlang:raise(C, R, Frames ++ Frames) end catch _:_:Again -> length(Again) end.

reason_of(Try) ->
    try Try() catch Class:{badarity, _} -> {Class, badarity}; Class:Reason -> {Class, Reason} end.

%% What is told is recorded: a name is asked for so often as it has characters.
tell(What) ->
    Text = lists:flatten(io_lib:format("~w", [What])),
    io:format("~ts~n", [Text]),
    [whereis(nobody) || _ <- Text],
    What.
