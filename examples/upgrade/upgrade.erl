%% A counter that is upgraded while it runs. Version 1 keeps a number, version 2 a number and who added
%% last. Clients are told when they may use the new calls: if that is before the state was changed, the
%% new code is called with an old state.
-module(upgrade).
-export([main/0, main/1]).

main() -> main(early).

%% Clients are told `early`, or when the upgrade is `done`.
main(When) ->
    load(1),
    {ok, Counter} = gen_server:start_link(counter, [], []),
    1 = gen_server:call(Counter, {add, 1}),
    Self = self(),
    Client = spawn_link(fun() -> Self ! {answer, new_call(Counter)} end),
    upgrade(Counter, Client, When),
    receive {answer, {2, ada}} -> ok end.

new_call(Counter) ->
    receive upgraded -> gen_server:call(Counter, {add, ada, 1}) end.

upgrade(Counter, Client, early) ->
    load(2),
    Client ! upgraded,
    change(Counter);
upgrade(Counter, Client, done) ->
    load(2),
    change(Counter),
    Client ! upgraded.

change(Counter) ->
    sys:suspend(Counter),
    sys:change_code(Counter, counter, 1, []),
    sys:resume(Counter).

load(Version) ->
    Forms = [form(Text) || Text <- version(Version)],
    {ok, counter, Code} = compile:forms(Forms, [debug_info]),
    code:purge(counter),
    {module, counter} = code:load_binary(counter, "counter.beam", Code).

form(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Form} = erl_parse:parse_form(Tokens),
    Form.

version(1) ->
    ["-module(counter).",
     "-export([init/1, handle_call/3, handle_cast/2, code_change/3]).",
     "init([]) -> {ok, 0}.",
     "handle_call({add, N}, _From, Total) -> {reply, Total + N, Total + N}.",
     "handle_cast(_, Total) -> {noreply, Total}.",
     "code_change(_, Total, _) -> {ok, Total}."];
version(2) ->
    ["-module(counter).",
     "-export([init/1, handle_call/3, handle_cast/2, code_change/3]).",
     "init([]) -> {ok, {0, nobody}}.",
     "handle_call({add, Who, N}, _From, {Total, _}) -> {reply, {Total + N, Who}, {Total + N, Who}}.",
     "handle_cast(_, State) -> {noreply, State}.",
     "code_change(1, Total, _) -> {ok, {Total, nobody}}."].
