%% The tests of ExUnit one by one, so that each can be explored: which there are, and how one of them
%% runs with what its module sets up for it.
-module(reverl_exunit).
-export([cases/1, run/3]).

%% All tests of these modules: `{Module, Test, Applications, Title}`.
cases({Modules, Applications}) ->
    [{Module, Name, Applications, ""} || Module <- Modules, #{name := Name} <- tests(Module)].

tests(Module) ->
    #{tests := Tests} = Module:'__ex_unit__'(),
    Line = fun(#{tags := Tags}) -> maps:get(line, Tags, 0) end,
    lists:sort(fun(A, B) -> Line(A) =< Line(B) end, Tests).

%% One test, after these applications were started. What a test would undo in the end it does not undo:
%% nothing comes after it.
run(Module, Name, Applications) ->
    lists:foreach(fun(A) -> {ok, _} = application:ensure_all_started(A) end, [ex_unit | Applications]),
    'Elixir.ExUnit.OnExitHandler':register(self()),
    [#{tags := Tags}] = [Test || #{name := Is} = Test <- tests(Module), Is =:= Name],
    Context = Tags#{module => Module, 'case' => Module, test => Name, test_pid => self()},
    InModule = Module:'__ex_unit__'(setup_all, Context),
    InTest = Module:'__ex_unit__'(setup, InModule),
    reverl_tests:begins(),
    Module:Name(InTest).
