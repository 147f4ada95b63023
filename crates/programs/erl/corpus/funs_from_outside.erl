%% Funs that went through bytes are the funs they were.
-module(funs_from_outside).
-export([cases/0, first/1]).
-define(C(E), {?LINE, fun() -> E end}).

%% A fun that is taken for another one would most likely be taken for the first of the module.
first(X) -> {first_called_with, X}.

again(Term) -> binary_to_term(term_to_binary(Term)).
named(X) -> {named, X}.
adder(N) -> fun(X) -> X + N end.
both(N) -> {fun(X) -> X + N end, fun(X, Y) -> {X, Y, N} end}.

%% The same bytes with another module, or another index, in them.
renamed(Fun) ->
    Bytes = term_to_binary(Fun),
    binary_to_term(binary:replace(Bytes, <<"funs_from_outside">>, <<"funs_from_nowhere">>, [global])).
other_arity(Fun) ->
    <<131, 112, Size:32, 1, Rest/binary>> = term_to_binary(Fun),
    binary_to_term(<<131, 112, Size:32, 9, Rest/binary>>).
badfun(Fun) -> try Fun(1) catch error:{badfun, F} -> {badfun, is_function(F, 1)} end.

cases() -> [
    ?C((again(fun(X) -> X * 2 end))(21)),
    ?C((again(adder(5)))(6)),
    ?C((again(fun named/1))(7)),
    ?C((again(fun first/1))(7)),
    ?C((again(fun ?MODULE:first/1))(7)),
    ?C((again(fun lists:reverse/1))([1, 2])),
    ?C(begin {A, B} = again(both(3)), {A(1), B(1, 2)} end),
    ?C(lists:map(again(adder(1)), [1, 2, 3])),
    ?C(apply(again(adder(1)), [1])),
    ?C((again(again(adder(again(adder(1))))) =:= adder(1))),
    ?C(begin F = adder(1), again(F) =:= F end),
    ?C(begin F = fun named/1, again(F) == F end),
    ?C((again(adder(1)))()),
    ?C((again(adder(1)))(1, 2)),
    ?C((again(adder(1)))(a)),
    ?C(again(fun Loop(0) -> done; Loop(N) -> Loop(N - 1) end)),
    ?C((again(fun Loop(0) -> done; Loop(N) -> Loop(N - 1) end))(5)),
    ?C(erlang:fun_info(again(adder(1)), name)),
    ?C(erlang:fun_info(again(adder(1)), arity)),
    ?C(erlang:fun_info(again(adder(1)), env)),
    ?C(erlang:fun_info(again(adder(1)), type)),
    ?C(maps:map(again(fun(_, V) -> V + 1 end), #{a => 1})),
    ?C(begin
        Self = self(),
        Pid = spawn(again(fun() -> Self ! {from, self()} end)),
        receive {from, Pid} -> received end
    end),
    ?C(badfun(renamed(adder(1)))),
    ?C(badfun(x)),
    ?C(is_function(other_arity(adder(1)), 9)),
    ?C(is_function(renamed(adder(1)), 1)),
    ?C(spawn_monitor(renamed(fun() -> ok end)) =/= x)
].
