-module(calc).
-export([main/0]).

main() ->
    Env = #{x => 6, y => 2},
    Programs = [{add, {num, 1}, {mul, {var, x}, {var, y}}},
                {divide, {var, x}, {num, 0}},
                {sub, {neg, {var, y}}, {num, 3}},
                {var, z}],
    [safe(P, Env) || P <- Programs].

safe(P, Env) ->
    try {ok, eval(P, Env)}
    catch
        error:badarith -> {error, arithmetic};
        throw:{unbound, V} -> {error, {unbound, V}}
    end.

eval({num, N}, _) -> N;
eval({var, V}, Env) -> lookup(V, Env);
eval({neg, A}, Env) -> negate(eval(A, Env));
eval({Op, A, B}, Env) -> apply_op(Op, eval(A, Env), eval(B, Env)).

lookup(V, Env) ->
    case Env of
        #{V := N} -> N;
        _ -> throw({unbound, V})
    end.

negate(N) -> -N.

apply_op(add, A, B) -> A + B;
apply_op(sub, A, B) -> A - B;
apply_op(mul, A, B) -> A * B;
apply_op(divide, A, B) -> A div B.
