%% `rebar3 reverl run`: the EUnit tests in Reverl; `--ct` takes the suites instead.
-module(rebar3_reverl_run).
-behaviour(provider).
-export([init/1, do/1, format_error/1]).

init(State) ->
    Options = [{"ct", undefined}, {"json", undefined}, {"seed", string}, {"schedule", string}],
    Provider = rebar3_reverl:provider(?MODULE, run, "Run the tests in Reverl", Options),
    {ok, rebar_state:add_provider(State, Provider)}.

do(State) ->
    Args = rebar3_reverl:arguments(State),
    Tests = case lists:member("--ct", Args) of true -> []; false -> ["--eunit"] end,
    rebar3_reverl:hand_over(["run", "."] ++ (Tests -- Args) ++ Args, State).

format_error(Reason) -> rebar3_reverl:format_error(Reason).
