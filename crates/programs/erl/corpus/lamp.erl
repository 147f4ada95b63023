%% A state machine for the corpus: a lamp with a button.
-module(lamp).
-behaviour(gen_statem).
-export([demo/0, cases/0, init/1, callback_mode/0, off/3, on/3]).

cases() -> [].

demo() ->
    {ok, P} = gen_statem:start_link(?MODULE, [], []),
    A = gen_statem:call(P, press),
    B = gen_statem:call(P, press),
    gen_statem:cast(P, press),
    timer:sleep(100),
    C = gen_statem:call(P, count),
    D = gen_statem:call(P, wait),
    gen_statem:stop(P),
    [A, B, C, D].

callback_mode() -> [state_functions, state_enter].

init([]) -> {ok, off, 0}.

off(enter, _, _) -> keep_state_and_data;
off({call, From}, press, N) -> {next_state, on, N + 1, [{reply, From, on}, {state_timeout, 50, dark}]};
off(cast, press, N) -> {next_state, on, N + 1, [{state_timeout, 50, dark}]};
off({call, From}, count, N) -> {keep_state_and_data, [{reply, From, {off, N}}]};
off({call, _}, wait, N) -> {next_state, on, N, [postpone, {timeout, 10, t}, {next_event, internal, i}]}.

on(enter, off, _) -> keep_state_and_data;
on({call, From}, press, N) -> {next_state, off, N, [{reply, From, off}]};
on({call, From}, wait, N) -> {next_state, off, N, [{reply, From, {waited, N}}]};
on(internal, i, _) -> keep_state_and_data;
on(timeout, t, _) -> keep_state_and_data;
on(state_timeout, dark, N) -> {next_state, off, N}.
