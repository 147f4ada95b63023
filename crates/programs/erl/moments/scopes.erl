%% Variables that are bound in one place and not in the next.
-module(scopes).
-export([main/0]).
-record(point, {x = 0, y}).

main() ->
    Start = self(),
    chosen(7),
    chosen(none),
    circuits(true),
    turns([1, 2, 3], [a, b]),
    guarded(#point{x = 1, y = Start}),
    guarded({other, [Start]}),
    protected(1),
    protected(0),
    {deep, deep(3)}.

chosen(N) ->
    case N of
        none -> Text = "none", Size = 0;
        Any -> Text = "some", Size = Any
    end,
    {Text, Size}.

circuits(Flag) ->
    Both = Flag andalso (Inner = is_atom(Flag)),
    One = Flag orelse (Other = false),
    [Both, One].

turns(Numbers, Letters) ->
    Pairs = [{N, L} || N <- Numbers, N rem 2 =:= 1, L <- Letters, {L} =/= {c}],
    Bytes = << <<N>> || N <- Numbers, is_small(N) >>,
    {Pairs, Bytes, [X || {X, _} <- Pairs]}.

is_small(N) -> N < 3.

guarded(P) when is_record(P, point), {P#point.x} =:= {1} -> {point, P};
guarded({_, L}) when [self()] =:= L -> list;
guarded(Other) -> Other.

protected(Divisor) ->
    try
        Half = 10 div Divisor,
        {ok, Half}
    of
        {ok, Value} -> Doubled = Value * 2, {Value, Doubled}
    catch
        error:Reason -> Kept = Reason, {failed, Kept}
    after
        Last = Divisor,
        put(last, Last)
    end.

deep(0) -> 0;
deep(N) -> Below = deep(N - 1), Below + N.
