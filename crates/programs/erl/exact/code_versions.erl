%% Value: {undef,1,1,2,{module,fresh},true,false,false,{file,"fresh.beam"},true,false,undef}
%% A process stays in the version it is in until it calls by the full name; loading a third one
%% purges the oldest, which kills who is still in it.
-module(code_versions).
-export([main/0]).

code(Value) ->
    Text = ["-module(fresh).", "-export([f/0, loop/0]).",
            "f() -> " ++ integer_to_list(Value) ++ ".",
            "loop() -> receive {P, R} -> P ! {R, f()}, fresh:loop() end."],
    {ok, fresh, Code} = compile:forms([form(Line) || Line <- Text]),
    Code.

form(Line) ->
    {ok, Tokens, _} = erl_scan:string(Line),
    {ok, Form} = erl_parse:parse_form(Tokens),
    Form.

load(Code) -> code:load_binary(fresh, "fresh.beam", Code).

ask(Pid) ->
    Ref = make_ref(),
    Pid ! {self(), Ref},
    receive {Ref, Value} -> Value end.

caught(F) -> try F() catch error:Reason -> Reason end.

main() ->
    One = code(1),
    Two = code(2),
    Unknown = caught(fun() -> fresh:f() end),
    {module, fresh} = load(One),
    Pid = spawn(fresh, loop, []),
    Before = ask(Pid),
    {module, fresh} = load(Two),
    Inside = ask(Pid),
    After = ask(Pid),
    %% It waits in the second version, which becomes the old one, and is purged with the next.
    {module, fresh} = load(One),
    Ref = monitor(process, Pid),
    Third = load(Two),
    Killed = receive {'DOWN', Ref, process, Pid, Why} -> Why =:= killed end,
    Purged = code:purge(fresh),
    Again = code:purge(fresh),
    File = code:is_loaded(fresh),
    Deleted = code:delete(fresh),
    {Unknown, Before, Inside, After, Third, Killed, Purged, Again, File, Deleted,
     code:is_loaded(fresh), caught(fun() -> fresh:f() end)}.
