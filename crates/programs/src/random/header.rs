//! What every module of made-up functions begins with: how a call is made and its outcome told,
//! functions that are named like guard BIFs, imports and macros.

/// What each random module begins with: its records, macros and helpers.
pub const HEADER: &str = r#"
-feature(maybe_expr, enable).
-export([main/0]).
-compile(nowarn_unused_function).
-compile({no_auto_import, [is_port/1, size/1, is_reference/1]}).
-import(maps, [size/1]).
-import(erlang, [is_reference/1]).
-record(r, {a = 1, b}).
-define(SWAP(A, B), {B, A}).
-define(APPLY(P, V, B), (fun(P) -> B end)(V)).
-define(TEXT(X), ??X).
-define(ONE, 1).

id(X) -> X.

%% Named like a guard BIF, and not one.
is_port(X) -> put(ticks, [port | get(ticks)]), is_integer(X) orelse is_atom(X).

t(N, X) -> put(ticks, [N | get(ticks)]), X.

call(Name, F) ->
    put(ticks, []),
    Outcome = try {value, F()} catch Class:Reason -> {Class, Reason} end,
    flush(),
    io:format("~w ~0p ~w~n", [Name, plain(Outcome), get(ticks)]).

flush() -> receive _ -> flush() after 0 -> ok end.

plain(F) when is_function(F) -> {'fun', element(2, erlang:fun_info(F, arity))};
plain([H | T]) -> [plain(H) | plain(T)];
plain(T) when is_tuple(T) -> list_to_tuple(plain(tuple_to_list(T)));
plain(M) when is_map(M) -> maps:from_list([{plain(K), plain(V)} || {K, V} <- maps:to_list(M)]);
%% OTP 25 takes -0.0 and 0.0 for one constant.
plain(X) when is_float(X), X == 0 -> 0.0;
plain(X) -> X.

"#;
