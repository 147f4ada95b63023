%% A module in several versions, as libraries that make mocks load it: by the process itself, by
%% another one, deleted, and from its file again.
-module(versions_at_run_time).
-export([replaced/0, mocked/0, deleted/0, servers/0, without_debug_info/0, kept_fun/0]).

-define(MOCK, mocked_at_run_time).

%% Each version is called by its full name after it was loaded.
replaced() ->
    Answers = [begin load(N), answer() end || N <- lists:seq(1, 5)],
    [{1, {answer, 1}}, {2, {answer, 2}}, {3, {answer, 3}}, {4, {answer, 4}}, {5, {answer, 5}}]
        = lists:zip(lists:seq(1, 5), Answers),
    io:format("~p~n", [Answers]).

%% The file is there, a mock takes its place, then the file comes back.
mocked() ->
    Original = code:which(eunit_striptests),
    First = length(eunit_striptests:module_info(exports)),
    ok = load(eunit_striptests, 7),
    {answer, 7} = eunit_striptests:answer(),
    code:purge(eunit_striptests),
    code:delete(eunit_striptests),
    code:purge(eunit_striptests),
    First = length(eunit_striptests:module_info(exports)),
    {'EXIT', {undef, _}} = catch eunit_striptests:answer(),
    io:format("~p ~p~n", [is_list(Original), First]).

%% Nothing is there after it was deleted, for there is no file.
deleted() ->
    ok = load(1),
    {answer, 1} = answer(),
    code:purge(?MOCK),
    true = code:delete(?MOCK),
    code:purge(?MOCK),
    {'EXIT', {undef, _}} = catch answer(),
    ok = load(2),
    {answer, 2} = answer(),
    io:format("gone and back~n").

%% One process loads, another one calls.
servers() ->
    Self = self(),
    Loader = spawn_link(fun() -> loads(Self) end),
    Answers = [begin
                   Loader ! {load, N},
                   receive {loaded, N} -> answer() end
               end || N <- [3, 1, 2, 3]],
    [{answer, 3}, {answer, 1}, {answer, 2}, {answer, 3}] = Answers,
    io:format("~p~n", [Answers]).

loads(Parent) ->
    receive
        {load, N} ->
            ok = load(N),
            Parent ! {loaded, N},
            loads(Parent)
    end.

%% What a module was compiled from stands in for debug info.
without_debug_info() ->
    Answers = [begin
                   {ok, Name, Code} = compile:forms(forms(?MOCK, N), []),
                   {module, Name} = code:load_binary(Name, "mock", Code),
                   answer()
               end || N <- [1, 2]],
    [{answer, 1}, {answer, 2}] = Answers,
    io:format("~p~n", [Answers]).

%% A fun of an old version goes on with that version.
kept_fun() ->
    ok = load(1),
    Fun = (?MOCK):fun_of(),
    ok = load(2),
    {old, 1} = Fun(),
    {old, 2} = ((?MOCK):fun_of())(),
    io:format("old and new~n").

answer() -> (?MOCK):answer().

load(N) -> load(?MOCK, N).

load(Name, N) ->
    {ok, Name, Code} = compile:forms(forms(Name, N), [debug_info]),
    code:purge(Name),
    {module, Name} = code:load_binary(Name, "mock", Code),
    ok.

forms(Name, N) ->
    Text = ["-module(" ++ atom_to_list(Name) ++ ").", "-export([answer/0, fun_of/0]).",
            lists:flatten(io_lib:format("answer() -> {answer, ~b}.", [N])),
            lists:flatten(io_lib:format("fun_of() -> fun() -> {old, ~b} end.", [N]))],
    [form(Line) || Line <- Text].

form(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Form} = erl_parse:parse_form(Tokens),
    Form.
