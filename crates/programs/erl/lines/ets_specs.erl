%% Match specifications: every function, in guards and bodies, on fitting and unfitting arguments.
-module(ets_specs).
-export([main/0]).

-define(TERMS, [1, -2, 2.5, a, true, false, "ab", [], {1, 2}, {}, <<1, 2>>, <<1:3>>, #{a => 1}]).

main() ->
    Unary = [is_atom, is_float, is_integer, is_list, is_number, is_pid, is_port, is_reference,
             is_tuple, is_map, is_binary, is_function, 'not', abs, hd, tl, length, map_size, node,
             round, trunc, float, size, bit_size, byte_size, '+', '-', 'bnot', 'and', 'or',
             'andalso', 'orelse', is_boolean, nonsense],
    Binary = [element, map_get, is_map_key, 'and', 'or', 'xor', 'andalso', 'orelse', '+', '-',
              '*', '/', 'div', 'rem', 'band', 'bor', 'bxor', 'bsl', 'bsr', '>', '>=', '<', '=<',
              '=:=', '==', '=/=', '/=', binary_part, max],
    [one({F, A}, [{F, '$1'}], {A}) || F <- Unary, A <- ?TERMS],
    [one({F, A, B}, [{F, '$1', '$2'}], {A, B}) || F <- Binary, A <- ?TERMS, B <- ?TERMS],
    [one({is_record, A}, [{is_record, '$1', N, S}], {A})
     || A <- [{r, 1}, {r}, r], N <- [r, 1], S <- [1, 2, x]],
    [one(Body, [Body], {7, {8, [9]}})
     || Body <- ['$_', '$$', '$1', '$2', '$3', {{'$2', '$1'}}, {{}}, {}, {1}, {{{self}}},
                 ['$1' | '$2'], #{'$1' => '$2', k => {'+', '$1', 1}}, {const, '$1'},
                 {const, {'+', 1, 2}}, "text", <<"bin">>, {'+', '$1', {'*', 2, '$1'}},
                 {'+', {hd, x}, 1}, {{{hd, x}, 1}}, [{hd, x}], {node}]],
    [show:call({heads, H, O}, fun() -> ets:test_ms(O, [{H, [], ['$$']}]) end)
     || H <- ['_', '$1', {'$1'}, {'$1', '$1'}, {'$2', '$1'}, {'$1', '_'}, {1, '$1'}, {'$0', x},
              {['$1' | '$2'], '_'}, {#{a => '$1'}, '_'}, {'$01', '_'}, {'$x', '_'}, [], x,
              {{'$1', {'$2'}}, '_'}, {'$1', '$100'}],
        O <- [{1}, {1, 1}, {1, 2}, {1, 1.0}, {[a, b], c}, {#{a => 5, b => 6}, c}, {{1, {2}}, x}]],
    [show:call(Spec, fun() -> ets:match_spec_run([{1, 2}, {3, 4}, x],
                                                 ets:match_spec_compile(Spec)) end)
     || Spec <- [[], x, [x], [{a, b}], [{'_', [], []}], [{'_', x, ['$_']}], [{'_', [], x}],
                 [{{'$1', 2}, [], [first]}, {{'$1', '_'}, [], [second]}, {'_', [], [rest]}],
                 [{{'$1', '$2'}, [{'>', '$1', 1}, {'<', '$2', 9}], ['$2']}],
                 [{{'$1', '$2'}, [{'>', x}], ['$2']}], [{{'$1', '_'}, ['$1'], [a]}],
                 [{{'$1', '_'}, [true, {'==', '$1', 3.0}], [a, b, '$1']}]]].

%% As a body, and as a guard.
one(Name, [Expr], Term) ->
    Vars = list_to_tuple([list_to_atom("$" ++ integer_to_list(N))
                          || N <- lists:seq(1, tuple_size(Term))]),
    show:call(Name, fun() -> ets:test_ms(Term, [{Vars, [], [Expr]}]) end),
    Guard = [{Vars, [Expr], [yes]}, {'_', [], [no]}],
    show:call(Name, fun() -> ets:test_ms(Term, Guard) end).
