%% `rebar3 reverl record`: another task of rebar3, `eunit` unless one is named, recorded on a real node.
-module(rebar3_reverl_record).
-behaviour(provider).
-export([init/1, do/1, format_error/1]).

init(State) ->
    Provider = rebar3_reverl:provider(?MODULE, record, "Record the tests on a real node", []),
    {ok, rebar_state:add_provider(State, Provider)}.

do(State) ->
    Task = case rebar3_reverl:arguments(State) of [] -> ["eunit"]; Given -> Given end,
    Rebar3 = escript:script_name(),
    rebar3_reverl:hand_over(["record", "-o", "tests.reverl", "--", Rebar3 | Task], State).

format_error(Reason) -> rebar3_reverl:format_error(Reason).
