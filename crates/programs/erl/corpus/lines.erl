%% Failures in expressions that stand on several lines: which line does the trace name?
-module(lines).
-export([cases/0]).
-record(r, {a, b}).
-define(SUM(A, B), A
        +
        B).
-define(C(E), {?LINE, fun() ->
        E
    end}).

id(X) -> X.

cases() ->
    [?C(id(a)
        +
        1),
     ?C(1
        *
        (id(2)
         -
         id(b))),
     ?C((id(a)
         rem
         2)
        +
        1),
     {plus, fun plus/0}, {minus, fun minus/0}, {nested, fun nested/0}, {left, fun left/0},
     {append, fun append/0}, {subtract, fun subtract/0}, {compare, fun compare/0},
     {match, fun match/0}, {send, fun send/0}, {conjunction, fun conjunction/0},
     {second, fun second/0}, {map_update, fun map_update/0}, {map_exact, fun map_exact/0},
     {map_twice, fun map_twice/0}, {field, fun field/0}, {record_update, fun record_update/0},
     {remote, fun remote/0}, {computed, fun computed/0},
     {argument, fun argument/0}, {negation, fun negation/0}, {'not', fun 'not'/0},
     {subject, fun subject/0}, {generator, fun generator/0},
     {template, fun template/0}, {from_macro, fun from_macro/0}, {tuple, fun tuple/0},
     {list, fun list/0}, {in_fun, fun in_fun/0}, {in_try, fun in_try/0}, {no_if, fun no_if/0}].

plus() ->
    A = id(a),
    A
    +
    1.

minus() ->
    id(a)
    - id(1)
    - 2.

nested() ->
    A = id(a),
    1
    +
    (id(2)
     *
     A).

left() ->
    A = id(a),
    (1
     div
     A)
    +
    2.

append() ->
    A = id(a),
    A
    ++
    [1].

subtract() ->
    A = id(a),
    [1]
    --
    A.

compare() ->
    A = id(a),
    (1
     /
     A)
    >
    2.

match() ->
    A = id(a),
    b
    =
    A.

send() ->
    A = id([]),
    A
    !
    1.

conjunction() ->
    A = id([]),
    A
    andalso
    1.

second() ->
    A = id(true),
    A
    andalso
    (not
     id(1)).

map_update() ->
    A = id([]),
    A
    #{
    a => 1}.

map_exact() ->
    A = id(#{}),
    A
    #{
    a := 1}.

map_twice() ->
    A = id(#{}),
    A
    #{a => 1}
    #{b := 1}.

field() ->
    A = id({r, 1}),
    A
    #r.a.

record_update() ->
    A = id({q, 1, 2}),
    A
    #r{a
       = 1}.

remote() ->
    X = erlang
    :
    error
    (x),
    id(X).

computed() ->
    M = id(erlang),
    X = M
    :
    error
    (x),
    id(X).

argument() ->
    id(
      id(
        hd(
          id([])))),
    ok.

negation() ->
    A = id(a),
    1 +
    -
    A.

'not'() ->
    A = id(a),
    not
    A.

subject() ->
    A = id(a),
    case
        A
    of
        b -> 1
    end.

generator() ->
    A = id(a),
    [ok ||
        true <-
            A].

template() ->
    [X
     +
     1 || X <- [1,
                a]].

from_macro() ->
    A = id(a),
    ?SUM(A,
         1).

tuple() ->
    {id(a),
     id(b)
     + 1,
     c}.

list() ->
    [id(a),
     1
     + id(b)
    | c].

in_fun() ->
    F = id(fun(X) ->
            X
            +
            a
        end),
    id(F(
         1)).

in_try() ->
    try
        id(1)
        +
        id(a)
    after
        ok
    end.

no_if() ->
    A = id(a),
    if
        A
        ==
        b -> c
    end.
