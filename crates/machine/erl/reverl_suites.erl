%% The cases of Common Test's suites one by one, so that each can be explored: which there are, and how
%% one of them runs with what its suite, its groups and the case itself set up.
-module(reverl_suites).
-export([cases/1, run/3]).

%% All cases of these suites: `{Suite, Case, Groups, Title}`, the outermost group first.
cases(Suites) -> [Case || Suite <- Suites, Case <- cases_of(Suite)].

cases_of(Suite) ->
    case Suite:all() of
        {skip, _} -> [];
        All -> leaves(Suite, All, groups(Suite), [])
    end.

groups(Suite) ->
    case erlang:function_exported(Suite, groups, 0) of
        true -> Suite:groups();
        false -> []
    end.

%% The groups in which a case is, the innermost first.
leaves(Suite, Items, Known, Groups) ->
    lists:append([leaf(Suite, Item, Known, Groups) || Item <- Items]).

leaf(Suite, Item, Known, Groups) ->
    case item(Item) of
        {'case', Case} -> [{Suite, Case, lists:reverse(Groups), title(Case, Groups)}];
        {group, Name} ->
            {_, Items} = found(Name, Known),
            leaves(Suite, Items, Known, [Name | Groups]);
        {group, Name, Items} -> leaves(Suite, Items, Known, [Name | Groups])
    end.

item({group, Name}) -> {group, Name};
item({group, Name, _}) -> {group, Name};
item({group, Name, _, _}) -> {group, Name};
item({testcase, Case}) -> {'case', Case};
item({testcase, Case, _}) -> {'case', Case};
item({Name, Items}) when is_list(Items) -> {group, Name, Items};
item({Name, _, Items}) -> {group, Name, Items};
item(Case) when is_atom(Case) -> {'case', Case}.

title(_, []) -> "";
title(_, Groups) -> lists:flatten(lists:join("/", [atom_to_list(G) || G <- lists:reverse(Groups)])).

%% The properties and the items of a group.
found(Name, Known) ->
    case [Group || Group <- defined(Known), element(1, Group) =:= Name] of
        [{_, Properties, Items} | _] -> {Properties, Items};
        [{_, Items} | _] -> {[], Items};
        [] -> error({unknown_group, Name})
    end.

%% All groups that are defined, also inside of others.
defined(Items) -> lists:append([defined_by(Item) || Item <- Items]).

defined_by({group, _}) -> [];
defined_by({group, _, _}) -> [];
defined_by({testcase, _, _}) -> [];
defined_by({_, Items} = Group) when is_list(Items) -> [Group | defined(Items)];
defined_by({_, _, Items} = Group) when is_list(Items) -> [Group | defined(Items)];
defined_by(_) -> [].

%% One case. As with Common Test, suite and groups are set up by processes that are gone when the case
%% begins: what they were linked to is gone too.
run(Suite, Case, Groups) ->
    Suite:module_info(),
    Priv = filename:absname("reverl_ct_priv"),
    _ = file:make_dir(Priv),
    Config = [{data_dir, data_dir(Suite)}, {priv_dir, Priv ++ "/"}],
    case apart(Suite, init_per_suite, [], Config) of
        {ok, InSuite} ->
            in_groups(Suite, Case, Groups, groups(Suite), InSuite),
            apart(Suite, end_per_suite, [], InSuite);
        Skipped -> Skipped
    end.

in_groups(Suite, Case, [], _, Config) ->
    in_case(Suite, Case, Config);
in_groups(Suite, Case, [Name | Groups], Known, Config) ->
    {Properties, _} = found(Name, Known),
    Told = [{tc_group_properties, [{name, Name} | Properties]} | Config],
    case apart(Suite, init_per_group, [Name], Told) of
        {ok, InGroup} ->
            in_groups(Suite, Case, Groups, Known, InGroup),
            apart(Suite, end_per_group, [Name], InGroup);
        Skipped -> Skipped
    end.

in_case(Suite, Case, Config) ->
    case set_up(Suite, init_per_testcase, [Case], Config) of
        {ok, InCase} ->
            reverl_tests:begins(),
            Value = Suite:Case(InCase),
            set_up(Suite, end_per_testcase, [Case], [{tc_status, ok} | InCase]),
            Value;
        Skipped -> Skipped
    end.

%% The same in a process of its own, which ends then.
apart(Suite, Function, Args, Config) ->
    Run = fun() -> exit({shutdown, {set_up, set_up(Suite, Function, Args, Config)}}) end,
    {Pid, Monitor} = spawn_monitor(Run),
    receive
        {'DOWN', Monitor, process, Pid, {shutdown, {set_up, Result}}} -> Result;
        {'DOWN', Monitor, process, Pid, Reason} -> exit({Function, Reason})
    end.

set_up(Suite, Function, Args, Config) ->
    case erlang:function_exported(Suite, Function, length(Args) + 1) of
        true -> result(Function, apply(Suite, Function, Args ++ [Config]), Config);
        false -> {ok, Config}
    end.

result(_, {skip, Reason}, _) -> {skip, Reason};
result(_, {skip_and_save, Reason, _}, _) -> {skip, Reason};
result(Function, {fail, Reason}, _) -> exit({Function, Reason});
result(_, [First | _] = Config, _) when is_tuple(First) -> {ok, Config};
result(_, _, Config) -> {ok, Config}.

%% The folder of files that belong to a suite, beside its source.
data_dir(Suite) ->
    Source = proplists:get_value(source, Suite:module_info(compile), atom_to_list(Suite) ++ ".erl"),
    filename:rootname(Source) ++ "_data/".
