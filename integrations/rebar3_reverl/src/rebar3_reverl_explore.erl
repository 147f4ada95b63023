%% `rebar3 reverl explore`: every execution of each EUnit test; `--ct` takes the suites instead.
-module(rebar3_reverl_explore).
-behaviour(provider).
-export([init/1, do/1, format_error/1]).

init(State) ->
    Said = "Explore every execution of each test",
    Provider = rebar3_reverl:provider(?MODULE, explore, Said, options()),
    {ok, rebar_state:add_provider(State, Provider)}.

options() ->
    [{"ct", undefined}, {"first", undefined}, {"json", undefined}, {"keep-going", undefined}] ++
        [{Option, string} || Option <- ["max-seconds", "max-executions", "max-delays", "walks",
            "sampling", "depth", "seed", "delivery", "timeouts", "timeout-bound", "junit", "sarif",
            "baseline", "write-baseline", "invariant", "linearizable", "expect-exit", "fail-on",
            "ignore", "save", "workers"]].

do(State) ->
    Args = rebar3_reverl:arguments(State),
    Tests = case lists:member("--ct", Args) of true -> []; false -> ["--eunit"] end,
    rebar3_reverl:hand_over(["explore", "."] ++ (Tests -- Args) ++ Args, State).

format_error(Reason) -> rebar3_reverl:format_error(Reason).
