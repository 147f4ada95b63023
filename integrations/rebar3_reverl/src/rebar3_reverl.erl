%% The plugin: one task of rebar3 for each job of Reverl's that has a project as its subject.
-module(rebar3_reverl).
-export([init/1, provider/4, arguments/1, hand_over/2, format_error/1]).

%% What a node sets in its environment for itself alone.
-define(OWN, ["BINDIR", "ROOTDIR", "EMU", "PROGNAME"]).

init(State) ->
    Tasks = [rebar3_reverl_explore, rebar3_reverl_run, rebar3_reverl_record],
    {ok, lists:foldl(fun(Task, S) -> {ok, New} = Task:init(S), New end, State, Tasks)}.

%% A task `rebar3 reverl NAME`. rebar3 refuses options that it is not told of; those that are not named
%% here are given behind `--`.
provider(Module, Name, Description, Options) ->
    providers:create([
        {namespace, reverl},
        {name, Name},
        {module, Module},
        {bare, true},
        {deps, [{default, app_discovery}]},
        {profiles, [test]},
        {example, "rebar3 reverl " ++ atom_to_list(Name)},
        {opts, [{list_to_atom(Option), undefined, Option, Type, "see 'reverl help'"}
                || {Option, Type} <- Options]},
        {short_desc, Description},
        {desc, Description ++ ". All arguments are handed to the command 'reverl', options that are "
               "not listed here behind '--'."}
    ]).

%% What was given to the task.
arguments(State) -> lists:delete("--", rebar_state:command_args(State)).

%% Runs the command `reverl` in the directory of the project and shows what it says as it comes. The
%% task fails if the command does.
hand_over(Args, State) ->
    case command() of
        false -> {error, {?MODULE, not_found}};
        Command ->
            Options = [{args, Args}, {cd, rebar_dir:root_dir(State)}, exit_status, stderr_to_stdout,
                       binary, use_stdio, {env, [{Name, false} || Name <- ?OWN]}],
            case show(open_port({spawn_executable, Command}, Options)) of
                0 -> {ok, State};
                Code -> {error, {?MODULE, {failed, hd(Args), Code}}}
            end
    end.

%% `REVERL` names the command if it is not in the path.
command() ->
    case os:getenv("REVERL") of
        false -> os:find_executable("reverl");
        Given -> Given
    end.

show(Port) ->
    receive
        {Port, {data, Text}} -> io:put_chars(user, Text), show(Port);
        {Port, {exit_status, Code}} -> Code
    end.

format_error(not_found) ->
    "the command 'reverl' is not in the path; set REVERL to where it is";
format_error({failed, "explore", 3}) ->
    "nothing failed so far, but not everything was explored (see above for what would help)";
format_error({failed, Job, _}) ->
    io_lib:format("reverl ~ts found failures (see above)", [Job]);
format_error(Reason) ->
    io_lib:format("~tp", [Reason]).
