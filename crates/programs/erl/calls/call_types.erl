%% Arguments of a function by its specification: values of the types that it names. Values that
%% cannot be written to a file (funs, tables, compiled patterns) are made by the one who calls, see
%% `call_runner:value/1`.
-module(call_types).
-export([of_module/1, arguments/3]).

%% What a module says of its functions and types.
of_module(Module) ->
    case cached(Module) of
        undefined ->
            Read = read(Module),
            put({types, Module}, Read),
            Read;
        Read ->
            Read
    end.

cached(Module) -> get({types, Module}).

read(Module) ->
    File = case code:which(Module) of
        preloaded -> filename:join([code:lib_dir(erts), "ebin", atom_to_list(Module) ++ ".beam"]);
        Path -> Path
    end,
    case beam_lib:chunks(File, [abstract_code]) of
        {ok, {_, [{abstract_code, {_, Forms}}]}} ->
            #{specs => maps:from_list([Spec || Form <- Forms, Spec <- spec(Form)]),
              types => maps:from_list([Type || Form <- Forms, Type <- type(Form)])};
        _ ->
            #{specs => #{}, types => #{}}
    end.

spec({attribute, _, spec, {{_, F, A}, Clauses}}) -> [{{F, A}, Clauses}];
spec({attribute, _, spec, {{F, A}, Clauses}}) -> [{{F, A}, Clauses}];
spec(_) -> [].

type({attribute, _, Kind, {Name, Type, Variables}})
        when Kind =:= type; Kind =:= opaque; Kind =:= nominal ->
    [{{Name, length(Variables)}, {Type, [V || {var, _, V} <- Variables]}}];
type(_) ->
    [].

%% Arguments for one call; without a specification any terms.
arguments(Module, Function, Arity) ->
    #{specs := Specs} = of_module(Module),
    case Specs of
        #{{Function, Arity} := Clauses} ->
            {Types, Bound} = clause(pick(Clauses)),
            [value(T, #{module => Module, bound => Bound}, 4) || T <- Types];
        _ ->
            [call_values:any(3) || _ <- lists:seq(1, Arity)]
    end.

clause({type, _, bounded_fun, [Fun, Constraints]}) ->
    {Types, _} = clause(Fun),
    {Types, maps:from_list([{V, T} || {type, _, constraint, [_, [{var, _, V}, T]]} <- Constraints])};
clause({type, _, 'fun', [{type, _, product, Types}, _]}) ->
    {Types, #{}}.

pick(List) -> call_values:pick(List).

%% A value of a type. Deep types end in simple values.
value({ann_type, _, [_, Type]}, Env, Depth) -> value(Type, Env, Depth);
value({paren_type, _, [Type]}, Env, Depth) -> value(Type, Env, Depth);
value({var, _, Name}, #{bound := Bound} = Env, Depth) ->
    case Bound of
        #{Name := {closed, Type, Outer}} -> value(Type, Outer, Depth - 1);
        #{Name := Type} when Depth > 0 -> value(Type, Env, Depth - 1);
        _ -> call_values:any(min(Depth, 2))
    end;
value({user_type, _, Name, Arguments}, #{module := Module} = Env, Depth) ->
    named(Module, Name, Arguments, Env, Depth);
value({remote_type, _, [{atom, _, Module}, {atom, _, Name}, Arguments]}, Env, Depth) ->
    named(Module, Name, Arguments, Env, Depth);
value({type, _, union, Types}, Env, Depth) -> value(pick(Types), Env, Depth);
value({type, _, list, [Type]}, Env, Depth) -> list(0, Type, Env, Depth);
value({type, _, nonempty_list, [Type]}, Env, Depth) -> list(1, Type, Env, Depth);
value({type, _, maybe_improper_list, [Type, Tail]}, Env, Depth) ->
    case pick([proper, proper, improper]) of
        proper -> list(0, Type, Env, Depth);
        improper -> list(1, Type, Env, Depth) ++ value(Tail, Env, Depth - 1)
    end;
value({type, _, tuple, Types}, Env, Depth) when is_list(Types) ->
    list_to_tuple([value(T, Env, Depth - 1) || T <- Types]);
value({type, _, map, Fields}, Env, Depth) when is_list(Fields) ->
    maps:from_list(lists:append([field(F, Env, Depth - 1) || F <- Fields]));
value({type, _, 'fun', [{type, _, product, Types}, Returned]}, Env, Depth) ->
    {'$fun', length(Types), [value(Returned, Env, Depth - 1) || _ <- [1, 2, 3]]};
value({type, _, 'fun', [{type, _, any}, Returned]}, Env, Depth) ->
    {'$fun', pick([0, 1, 2]), [value(Returned, Env, Depth - 1) || _ <- [1, 2, 3]]};
value({type, _, range, [From, To]}, _, _) ->
    call_values:between(integer(From), integer(To));
value({type, _, record, [{atom, _, Name} | _]}, _, _) -> {Name, call_values:scalar()};
value({type, _, binary, [{integer, _, Size}, {integer, _, Unit}]}, _, _) ->
    call_values:bits(Size, Unit);
value({type, _, Name, _}, _, Depth) -> call_values:basic(Name, Depth);
value({op, _, _, _} = Number, _, _) -> integer(Number);
value({op, _, _, _, _} = Number, _, _) -> integer(Number);
value({_, _, Constant}, _, _) -> Constant.

list(Least, Type, Env, Depth) ->
    Most = case Depth > 0 of true -> pick([0, 1, 2, 3, 5, 9]); false -> 0 end,
    [value(Type, Env, Depth - 1) || _ <- lists:seq(1, max(Least, Most))].

field({type, _, map_field_exact, [K, V]}, Env, Depth) ->
    [{value(K, Env, Depth), value(V, Env, Depth)}];
field({type, _, map_field_assoc, [K, V]}, Env, Depth) ->
    [{value(K, Env, Depth), value(V, Env, Depth)} || _ <- lists:seq(1, pick([0, 1, 2, 4]))].

%% A type by its name: what is known to be made by a call is, everything else by its definition.
named(Module, Name, Arguments, Env, Depth) ->
    case call_values:made(Module, Name) of
        undefined -> defined(Module, Name, Arguments, Env, Depth);
        Call -> Call
    end.

defined(Module, Name, Arguments, Env, Depth) ->
    #{types := Types} = of_module(Module),
    Key = {Name, length(Arguments)},
    case Types of
        #{Key := {Type, Variables}} when Depth > -3 ->
            Closed = [{closed, A, Env} || A <- Arguments],
            Bound = maps:from_list(lists:zip(Variables, Closed)),
            value(Type, #{module => Module, bound => Bound}, Depth - 1);
        _ ->
            call_values:scalar()
    end.

integer({integer, _, N}) -> N;
integer({char, _, N}) -> N;
integer(Expression) -> erl_parse:normalise(simple(Expression)).

simple(Expression) ->
    {value, Value, _} = erl_eval:expr(Expression, []),
    erl_parse:abstract(Value).
