-module(constructs).
-export([cases/0, f/1, fact/1]).
-record(p, {name = "none", age, tags = []}).
-record(q, {p = #p{}, z}).
-define(C(E), {?LINE, fun() -> E end}).
-define(MAC(X), {mac, X, ??X}).

id(X) -> X.
f(X) when X > 0 -> pos;
f(0) -> zero.
fact(0) -> 1;
fact(N) when N > 0 -> N * fact(N - 1).
same(X, X) -> same;
same([X | _], {X, _}) -> head;
same(_, _) -> other.
own_tail([X | X]) -> same;
own_tail([{X} | X]) -> inside;
own_tail([_ | _]) -> other.
guards(X) when is_integer(X), X > 5; is_atom(X) -> a;
guards(X) when hd(X) =:= 1 orelse X =:= {} -> b;
guards(X) when tuple_size(X) == 2 andalso element(1, X) == k -> c;
guards(#{k := V}) when V -> d;
guards(X) when length(X) > 100; map_size(X) == 0 -> e;
guards(_) -> none.
bits(<<A:4, B:4, R/binary>>) -> {A, B, R};
bits(<<X:3>>) -> {three, X};
bits(<<>>) -> empty;
bits(_) -> other.
len(<<L:8, S:L/binary, R/bits>>) -> {S, R};
len(X) -> X.
utf(<<C/utf8, R/binary>>) -> [C | utf(R)];
utf(<<>>) -> [].
floats(<<F:64/float, G:32/float-little>>) -> {F, G};
floats(_) -> no.
sign(<<A/signed, B:16/little-signed, C:16/big-unsigned>>) -> {A, B, C}.
try_it(F) ->
    try F() of
        1 -> one;
        {ok, X} -> X
    catch
        throw:T -> {thrown, T};
        error:{badmatch, V} -> {bm, V};
        exit:R when R =/= no -> {exited, R}
    after
        put(after_ran, true)
    end.
nested(F) ->
    try
        try F() after put(inner, 1) end
    catch
        C:R -> {C, R, get(inner)}
    end.
mb(X) ->
    case X of
        {ok, A} when A > 1 -> big;
        {ok, A} -> A;
        [_, _ | T] -> T;
        "xyz" ++ R -> R;
        #p{name = N, age = A} -> {N, A};
        #{a := 1, b := B} -> B;
        <<"bin", R/binary>> -> R;
        1.0 -> float_one;
        1 -> one
    end.
iff(X) -> if X > 1 -> a; X == 1 -> b end.
scope(X) -> case X of 1 -> Y = a; 2 -> Y = b end, Y.
deep(0) -> throw(deep);
deep(-1) -> [];
deep(N) -> [deep(N - 1)].
trace(X) -> Y = trace2(X), {Y}.
trace2(X) -> Z = trace3(X), [Z].
trace3({a, X}) -> X + id(b);
trace3(b) -> hd(id([]));
trace3(c) -> {ok, _} = id(error);
trace3(d) -> case id(1) of 2 -> x end;
trace3(e) -> if id_guard -> 1 end;
trace3(g) -> F = id(fun(1) -> 2 end), V = F(id(3)), {V};
trace3(h) -> gen1();
trace3(i) -> gen2();
trace3(k) -> M = id(#{}), M#{a := 1};
trace3(l) -> M = id(x), M#{a => 1};
trace3(m) -> R = id(x), R#p.name;
trace3(n) -> R = id({p}), R#p{age = 1};
trace3(o) -> id(1) andalso true;
trace3(p) -> V = id(x) orelse true, V;
trace3(q) -> (id(f))(1);
trace3(r) -> F = id(fun(_) -> 1 end), F(1, 2);
trace3(s) -> no:such(id(1));
trace3(t) -> ?MODULE:nosuch(1, 2);
trace3(w) -> not id(1);
trace3(x) -> receive after id(-1) -> ok end;
trace3(y) -> list_to_atom(id(3));
trace3(z) -> lists:map(fun(X) -> X + id(a) end, [1, 2]).
gen1() -> [X || X <- id(not_list)].
gen2() -> [X || X <- [1, 2], id(maybe_filter)].
gen3() -> [X || X <- id([1 | x])].
gen4() -> [{X, Y} || X <- [1], Y <- id(z)].
trace4(X) when X == e2 -> error(my, [X]).

cases() -> [
    ?C([own_tail(id(L)) || L <- [[1, 1], [1 | 1], [[] | []], [[]], [{a} | a], [{a} | b]]]),
    ?C(f(1)), ?C(f(0)), ?C(f(-1)), ?C(fact(20)), ?C(fact(-1)), ?C(fact(25)),
    ?C(same(1, 1)), ?C(same(1, 1.0)), ?C(same([a, b], {a, c})), ?C(same([a], {b, c})),
    ?C([guards(X) || X <- [6, 5, foo, [1], {}, {k, v}, #{k => true}, #{}, "abc", 1.5]]),
    ?C([bits(X) || X <- [<<16#AB, 1>>, <<5:3>>, <<>>, <<1:7>>, a]]),
    ?C(len(<<2, "abc">>)), ?C(len(<<9, "abc">>)), ?C(len(<<1, "a", 1:3>>)), ?C(utf(<<"aåß€"/utf8>>)), ?C(utf(<<255>>)), ?C(floats(<<1.5:64/float, 2.5:32/float-little>>)), ?C(floats(<<255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0>>)), ?C(sign(<<255, 254, 255, 255, 255>>)),
    ?C(try_it(fun() -> 1 end)), ?C(try_it(fun() -> {ok, z} end)), ?C(try_it(fun() -> 2 end)), ?C(try_it(fun() -> throw(x) end)), ?C(try_it(fun() -> a = id(b) end)), ?C(try_it(fun() -> exit(no) end)), ?C(try_it(fun() -> exit(yes) end)), ?C(begin catch try_it(fun() -> error(x) end), get(after_ran) end),
    ?C(nested(fun() -> throw(a) end)), ?C(nested(fun() -> ok end)), ?C(catch throw(x)), ?C(catch exit(x)), ?C(begin {'EXIT', {x, [_ | _]}} = (catch error(x)), ok end), ?C(begin X = (catch 1), X end),
    ?C([mb(X) || X <- [{ok, 2}, {ok, 1}, [1, 2, 3], "xyzw", #p{age = 3}, #{a => 1, b => 2, c => 3}, <<"binary">>, 1.0, 1]]), ?C(mb(#{a => 2})), ?C(mb(x)),
    ?C(iff(2)), ?C(iff(1)), ?C(iff(0)), ?C(scope(1)), ?C(scope(3)), ?C(deep(5)),
    {trace_a, fun() -> trace({a, 1}) end}, {trace_e2, fun() -> trace4(e2) end}, {trace_e3, fun() -> trace4(e3) end},
    ?C(gen3()), ?C(gen4())
    ] ++ [{list_to_atom("trace_" ++ [L]), fun() -> trace(list_to_atom([L])) end} || L <- lists:seq($b, $z), not lists:member(L, "fjuv")] ++ [
    ?C([{X, Y} || X <- [1, 2, 3], Y <- [a, b], X =/= 2]), ?C([X || {X, _} <- [{1, a}, b, {2, c}]]), ?C([X || X <- lists:seq(1, 10), X rem 2 == 0, X > 4]), ?C([Y || X <- [[1, 2], [3]], Y <- X]), ?C(<< <<X, 0>> || X <- [1, 2, 3] >>), ?C([X || <<X:4>> <= <<16#ABCD:16>>]), ?C(<< <<X:2>> || <<X:4>> <= <<16#ABCD:16>>, X > 11 >>), ?C([X || <<X:8, _:8>> <= <<1, 2, 3>>]), ?C([{K, V} || {K, V} <- maps:to_list(#{a => 1, b => 2})]), ?C([begin Z = X * 2, Z end || X <- [1, 2]]),
    ?C(#p{}), ?C(#p{name = x, _ = y}), ?C((#p{age = 5})#p.age), ?C(begin P = #p{}, P#p{age = 2, tags = [a]} end), ?C(#p.age), ?C(record_info(fields, p)), ?C(record_info(size, p)), ?C((#q{})#q.p#p.name), ?C(begin Q = #q{}, Q#q{p = (Q#q.p)#p{name = deep}} end), ?C(is_record(#p{}, p)), ?C(is_record({p}, p)),
    ?C(#{a => 1, b => #{c => 2}}), ?C(begin M = #{a => 1}, M#{a := 2, b => 3} end), ?C(begin #{a := X} = #{a => 5, z => 1}, X end), ?C(begin K = id(k), #{K := V} = #{k => v}, V end), ?C(#{1 => a, 1.0 => b}), ?C(begin #{a := 1} = id(#{}) end),
    ?C(?MAC(1 + 2)), ?C(?LINE), ?C(?MODULE), ?C(?FUNCTION_NAME), ?C(?FUNCTION_ARITY), ?C(?FILE), ?C($\n), ?C("a" "b"), ?C(16#ff + 2#101), ?C(1_000_000), ?C(1.0e3), ?C('quoted atom'), ?C("\x41\x{42}\103\t"),
    ?C(begin A = 1, B = fun(X) -> X + A end, B(2) end), ?C(begin F = fun G(0) -> []; G(N) -> [N | G(N - 1)] end, F(3) end), ?C((fun f/1)(1)), ?C((fun lists:sum/1)([1, 2])), ?C(begin M = lists, F = sum, (fun M:F/1)([3]) end), ?C(begin X = 1, (fun(X1) -> X1 + X end)(5) end), ?C(begin F = fun(X) when X > 1 -> a; (_) -> b end, [F(1), F(2)] end),
    ?C(1 + 2 * 3 - 4 / 2), ?C(7 div 2), ?C(-7 div 2), ?C(-7 rem 2), ?C(7.5 - 0.5), ?C(id(1) bsl 70), ?C(id(-1) bsr 1), ?C(5 band 3 bor 8 bxor 1), ?C(bnot 5), ?C(id(1) / id(0)), ?C(id(1) div 0), ?C(id(1.0e308) * 10), ?C(true xor false), ?C(not true), ?C(1 == 1.0), ?C(1 =:= 1.0), ?C(a < "a"), ?C([1] ++ [2] ++ x), ?C([1, 2, 3] -- [2]), ?C([a | b]), ?C(1 < a andalso a < {}), ?C(id(false) andalso error(no)), ?C(id(true) orelse error(no)), ?C({a, [1 | 2], <<1:3>>}),
    ?C(<<1:16/little, 2.5/float, "abc", 5:3, 1:5>>), ?C(<<"é"/utf8>>), ?C(<<"é"/utf16>>), ?C(<<16#10FFFF/utf32-little>>), ?C(<<-1:8>>), ?C(<<(id(300)):8>>), ?C(<<1, (id(<<2, 3>>))/binary, 4>>), ?C(<<(id(<<1:3>>))/bits, 1:1>>), ?C(begin <<A:B/unit:2, _/bits>> = begin B = 4, <<255, 1>> end, A end),
    ?C(begin self() ! {a, 1}, self() ! b, receive b -> got_b end end), ?C(receive x -> 1 after 0 -> none end), ?C(begin self() ! 5, receive X when X > 10 -> big; X -> {small, X} after 10 -> t end end), ?C(begin P = self(), spawn(fun() -> P ! {self(), hi} end), receive {Q, hi} when is_pid(Q) -> ok end end), ?C(begin {_, R} = spawn_monitor(fun() -> exit(bye) end), receive {'DOWN', R, process, _, W} -> W end end), ?C(begin process_flag(trap_exit, true), P = spawn_link(fun() -> error(oops) end), receive {'EXIT', P, {E, _}} -> E end end), ?C(begin spawn_link(fun() -> exit(crash) end), receive never -> ok end end), ?C(begin R = erlang:send_after(5, self(), ping), receive ping -> is_reference(R) end end), ?C(begin T = erlang:start_timer(1, self(), m), receive {timeout, T, m} -> ok end end), ?C(begin register(me, self()), me ! x, receive x -> registered end end), ?C(begin R = make_ref(), self() ! {R, 1}, receive {R, V} -> V end end), ?C(exit(self(), kill)), ?C(begin process_flag(trap_exit, true), exit(self(), why), receive {'EXIT', P, why} -> P =:= self() end end), ?C(timer:sleep(1)), ?C(element(2, timer:tc(fun() -> x end))), ?C(element(2, timer:tc(lists, sum, [[1, 2]]))),
    ?C([{X, S, Y} || {X, {t, F}} <- id([{a, {t, [1, 2]}}, {b, {t, []}}]), [] =/= (S = id(F)), Y <- S]), ?C([{S, T, Z} || X <- id([1, 2]), (S = id(X)) > 0, Y <- id([3, 4]), (T = id(Y + S)) > 4, Z <- [S, T]]), ?C(<< <<S, Y>> || <<X>> <= id(<<1, 2>>), (S = id(X)) > 1, Y <- [S, 9] >>), ?C([{A, B, C} || A <- id([1, 2]), begin B = A * 2, true end, C <- lists:seq(A, B)])
].
