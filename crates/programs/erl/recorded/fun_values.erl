%% Funs that come back from a table, each with several values: the compiler orders these by how the
%% variables were bound. What a fun gives with another order does not match.
-module(fun_values).
-export([patterns/0, bodies/0, funs/0, texts/0, frames/0]).
-record(r, {z, y, x, w}).

patterns() ->
    check(pair({b, a}), {a, b}),
    check(nested({z, {y, x}, w}), {w, x, y, z}),
    check(two({d, c}, {b, a}), {a, b, c, d}),
    check(list([c, b | a]), {a, b, c}),
    check(record(#r{z = 1, y = 2, x = 3, w = 4}), {4, 3, 2, 1}),
    check(map(#{k => b, j => a, i => c}), {a, b, c}),
    check(bin(<<7, 8, "rest">>), {8, <<"rest">>, 7}),
    check(whole({b, a}), {a, {b, a}, b}),
    check(twice({b, a, b}), {a, b}),
    check(tagged({two, b, a}), {a, b}).

bodies() ->
    check(match({b, a}), {a, b}),
    check(mixed(p, {b, a}), {a, m, p, b}),
    check(sequence({d, c}), {l, c, d, a, b}),
    check(named(q), {z, a, q}),
    check(in_case({ok, {b, a}}), {a, b}),
    check(in_try({b, a}), {a, b}),
    check(in_receive(), {a, b}),
    [check(F, {a, p, b}) || F <- generated([{b, a}], p)],
    [check(F, {a, c, d, b}) || F <- generated_in([{b, a}], {d, c})],
    [check(F, {y, x, y}) || F <- simply([x], y)].

funs() ->
    check((deep({b, a}))(z), {a, z, b}),
    check(((deeper(a))(b))(c), {a, b, c}),
    check((parameters({b, a}))(c, d), {a, d, c, b}).

%% The text of a fun has its number and a hash of its module.
texts() ->
    Funs = [fun() -> 1 end, fun texts/0, fun Self() -> Self end, fun(X) -> fun() -> X end end],
    counted(lists:append([erlang:fun_to_list(F) || F <- Funs])).

%% A fun that is applied at once is not one to the compiler: a stack trace has the function around it.
frames() ->
    Trace = try id((fun(X) -> id(X), error(X) end)(oops)) catch error:oops:T -> T end,
    counted(atom_to_list(element(2, hd(Trace)))).

%% As many events as the sum of the characters, less the thousands.
counted(Text) ->
    put(x, [erlang:unique_integer() || _ <- lists:seq(1, lists:sum(Text) rem 1000)]).

check(F, Value) ->
    T = ets:new(t, []),
    ets:insert(T, {f, F}),
    [{f, Again}] = ets:lookup(T, f),
    Value = Again(),
    put(x, erlang:unique_integer()).

id(X) -> X.
pair({Zed, Alf}) -> fun() -> {Alf, Zed} end.
nested({Zed, {Yak, Xen}, Wim}) -> fun() -> {Wim, Xen, Yak, Zed} end.
two({Zed, Yak}, {Xen, Wim}) -> fun() -> {Wim, Xen, Yak, Zed} end.
list([Zed, Yak | Xen]) -> fun() -> {Xen, Yak, Zed} end.
record(#r{w = Alf, x = Bob, y = Cid, z = Dan}) -> fun() -> {Alf, Bob, Cid, Dan} end.
map(#{k := Zed, j := Alf, i := Bob}) -> fun() -> {Alf, Zed, Bob} end.
bin(<<Zed, Alf, Rest/binary>>) -> fun() -> {Alf, Rest, Zed} end.
whole({Zed, Alf} = Whole) -> fun() -> {Alf, Whole, Zed} end.
twice({Zed, Alf, Zed}) -> fun() -> {Alf, Zed} end.
tagged({one, _}) -> none;
tagged({two, Zed, Alf}) -> fun() -> {Alf, Zed} end.
match(P) -> {Zed, Alf} = id(P), fun() -> {Alf, Zed} end.
mixed(Param, {Zed, Alf}) -> Mid = id(m), fun() -> {Alf, Mid, Param, Zed} end.
sequence(P) ->
    {Zed, Yak} = id({b, a}),
    {Xen, Wim} = id(P),
    Let = id(l),
    fun() -> {Let, Wim, Xen, Yak, Zed} end.
named(Q) -> Zed = id(z), Alf = id(a), fun() -> {Zed, Alf, Q} end.
in_case(P) ->
    case id(P) of
        {error, _} -> none;
        {ok, {Zed, Alf}} -> fun() -> {Alf, Zed} end
    end.
in_try(P) -> try id(P) of {Zed, Alf} -> fun() -> {Alf, Zed} end catch _:_ -> none end.
in_receive() -> self() ! {m, b, a}, receive {m, Zed, Alf} -> fun() -> {Alf, Zed} end end.
generated(L, Param) -> [fun() -> {Alf, Param, Zed} end || {Zed, Alf} <- L].
generated_in(L, {Out, In}) -> [fun() -> {Alf, In, Out, Zed} end || {Zed, Alf} <- L].
simply(L, P) -> Let = id(P), [fun() -> {Let, X, P} end || X <- L].
deep({Zed, Alf}) -> fun(Mid) -> fun() -> {Alf, Mid, Zed} end end.
deeper(Aaa) -> fun(Bbb) -> fun(Ccc) -> fun() -> {Aaa, Bbb, Ccc} end end end.
parameters({Zed, Alf}) -> fun(Two, One) -> fun() -> {Alf, One, Two, Zed} end end.
