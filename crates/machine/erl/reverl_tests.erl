%% The test cases of EUnit one by one, so that each can be explored: which there are, and how one of
%% them runs with all that its fixtures set up for it.
-module(reverl_tests).
-export([cases/1, run/3, begins/0]).

%% All cases of these modules: `{Module, Function, Path, Title}`. The path says which of the tests of
%% a generator it is; of a test function it is `none`.
cases(Modules) -> [Case || Module <- Modules, Case <- cases_of(Module)].

cases_of(Module) ->
    Names = lists:sort([Name || {Name, 0} <- Module:module_info(exports)]),
    lists:append([of_function(Module, Name, lists:reverse(atom_to_list(Name))) || Name <- Names]).

of_function(Module, Name, "tset_" ++ _) -> [{Module, Name, none, ""}];
of_function(Module, Name, "_tset_" ++ _) ->
    try leaves(Module:Name(), []) of
        Leaves -> [{Module, Name, lists:reverse(Path), Title} || {Path, Title} <- Leaves]
    catch
        %% It fails when it is run.
        _:_ -> [{Module, Name, [], ""}]
    end;
of_function(_, _, _) -> [].

%% The tests of a set, each with the way to it, the last turn first.
leaves(Tests, Path) -> visit(Tests, Path, "", fun(_, P, Title) -> [{P, Title}] end).

visit(Tests, Path, Title, Visit) when is_list(Tests) ->
    Numbered = lists:zip(lists:seq(1, length(Tests)), Tests),
    lists:append([visit(Test, [N | Path], Title, Visit) || {N, Test} <- Numbered]);
visit(Tests, Path, Title, Visit) ->
    case kind(Tests) of
        {test, Fun} -> Visit(Fun, Path, Title);
        {titled, New, Inner} -> visit(Inner, Path, New, Visit);
        {plain, Inner} -> visit(Inner, Path, Title, Visit);
        {fixture, Setup, Cleanup, Inner} ->
            Value = Setup(),
            try
                visit(Inner(Value), Path, Title, Visit)
            after
                Cleanup(Value)
            end
    end.

%% One case. What comes before the test itself is told apart from it by a message.
run(Module, Function, none) ->
    Module:Function();
run(Module, Function, []) ->
    go(Module:Function(), []);
run(Module, Function, Path) ->
    go(Module:Function(), Path).

go(Tests, [N | Path]) when is_list(Tests) ->
    go(lists:nth(N, Tests), Path);
go([], []) ->
    ok;
go(Tests, Path) ->
    case kind(Tests) of
        {test, Fun} -> begins(), Fun();
        {titled, _, Inner} -> go(Inner, Path);
        {plain, Inner} -> go(Inner, Path);
        {fixture, Setup, Cleanup, Inner} ->
            Value = Setup(),
            try
                go(Inner(Value), Path)
            after
                Cleanup(Value)
            end
    end.

%% What comes before is the same in all executions of a test.
begins() ->
    self() ! '$reverl_test_begins',
    receive '$reverl_test_begins' -> ok end.

%% What a representation of tests means.
kind(Fun) when is_function(Fun, 0) -> {test, Fun};
kind({test, M, F}) -> {test, fun M:F/0};
kind({M, F}) when is_atom(M), is_atom(F) -> {test, fun M:F/0};
kind({generator, Fun}) when is_function(Fun, 0) -> {plain, Fun()};
kind({generator, M, F}) -> {plain, M:F()};
kind({with, Value, Funs}) -> {plain, [fun() -> Fun(Value) end || Fun <- Funs]};
kind({timeout, _, Tests}) -> {plain, Tests};
kind({inorder, Tests}) -> {plain, Tests};
kind({inparallel, Tests}) -> {plain, Tests};
kind({inparallel, _, Tests}) -> {plain, Tests};
kind({spawn, Tests}) -> {plain, Tests};
kind({setup, Setup, Tests}) when is_function(Setup, 0) ->
    fixture(Setup, fun(_) -> ok end, Tests);
kind({setup, Setup, Cleanup, Tests}) when is_function(Setup, 0) ->
    fixture(Setup, Cleanup, Tests);
kind({setup, Where, Setup, Tests}) when Where =:= spawn; Where =:= local ->
    fixture(Setup, fun(_) -> ok end, Tests);
kind({setup, Where, Setup, Cleanup, Tests}) when Where =:= spawn; Where =:= local ->
    fixture(Setup, Cleanup, Tests);
kind({foreach, Where, Setup, Cleanup, All}) when Where =:= spawn; Where =:= local ->
    {plain, [{setup, Setup, Cleanup, Tests} || Tests <- All]};
kind({foreach, Setup, Cleanup, All}) when is_function(Setup, 0) ->
    {plain, [{setup, Setup, Cleanup, Tests} || Tests <- All]};
kind({foreach, Setup, All}) ->
    {plain, [{setup, Setup, Tests} || Tests <- All]};
kind({foreachx, Setup, All}) ->
    kind({foreachx, Setup, fun(_, _) -> ok end, All});
kind({foreachx, Setup, Cleanup, All}) ->
    {plain, [{setup, fun() -> Setup(X) end, fun(Value) -> Cleanup(X, Value) end,
              fun(Value) -> Tests(X, Value) end} || {X, Tests} <- All]};
kind({Line, Tests}) when is_integer(Line) ->
    {titled, "line " ++ integer_to_list(Line), Tests};
kind({Title, Tests}) when is_list(Title); is_binary(Title) ->
    {titled, unicode:characters_to_list(Title), Tests};
kind(Other) -> error({not_a_test, Other}).

fixture(Setup, Cleanup, Tests) ->
    Inner = case is_function(Tests, 1) of
        true -> Tests;
        false -> fun(_) -> Tests end
    end,
    {fixture, Setup, Cleanup, Inner}.
