%% The process behind standard input and output: it answers the requests of the I/O protocol.
-module(reverl_console).
-export([loop/0, outside/0, begun/2]).

%% A process that a recording has during these calls: between them and after them it does what
%% the recording says. The main one ends with its last call.
begun(Calls, Is) -> begun(Calls, Is, none).

begun([], main, {{value, Value}, _}) -> Value;
begun([], main, {{Class, Reason}, Trace}) -> erlang:raise(Class, Reason, Trace);
begun([], other, _) -> receive after infinity -> ok end;
begun([{Module, Function, Args} | Calls], Is, _) ->
    {Outcome, _} = Ended =
        try apply(Module, Function, Args) of
            Value -> {{value, Value}, []}
        catch
            Class:Reason:Trace -> {{Class, Reason}, Trace}
        end,
    reverl:returned(Outcome),
    pauses(Calls, Is, Ended).

pauses(Calls, Is, Ended) ->
    case reverl:outside() of
        {To, Message} ->
            To ! Message,
            pauses(Calls, Is, Ended);
        none ->
            begun(Calls, Is, Ended)
    end.

%% A process that a recording has only from outside: it does what the recording says, and
%% beyond that it is a console.
outside() -> outside([]).

%% Requests that were taken are answered by the recording, or at its end.
outside(Taken) ->
    case reverl:outside() of
        {To, {io_reply, ReplyAs, _} = Reply} ->
            To ! Reply,
            outside(lists:keydelete(ReplyAs, 2, Taken));
        {name, Node} ->
            reverl:set_node(Node),
            outside(Taken);
        {To, Message} ->
            To ! Message,
            outside(Taken);
        {exit, To, Reason} ->
            exit(To, Reason),
            outside(Taken);
        {use, Module, Version} ->
            reverl_versions:use(Module, Version),
            outside(Taken);
        take ->
            receive
                {io_request, From, ReplyAs, Request} ->
                    outside([{From, ReplyAs, shown(Request)} | Taken]);
                _ ->
                    outside(Taken)
            end;
        none ->
            [From ! {io_reply, ReplyAs, Result} || {From, ReplyAs, Result} <- Taken],
            loop()
    end.

shown(Request) when is_atom(Request) ->
    element(1, request(Request, []));
shown(Request) ->
    case lists:member(element(1, Request), [get_line, get_chars, get_until]) of
        true -> eof;
        false -> element(1, request(Request, []))
    end.

loop() -> loop([]).

%% `Ahead` has been read from outside, and nobody has asked for it yet.
loop(Ahead) ->
    receive
        {io_request, From, ReplyAs, Request} ->
            {Reply, Left} = request(Request, Ahead),
            From ! {io_reply, ReplyAs, Reply},
            loop(Left);
        {kernel, From, Ref, Name} ->
            kernel() ! {kernel, From, Ref, Name},
            loop(Ahead);
        _ ->
            loop(Ahead)
    end.

%% The parent of the processes of OTP's `kernel`.
kernel() ->
    case get(kernel) of
        undefined ->
            Pid = spawn(reverl_kernel, run, []),
            put(kernel, Pid),
            Pid;
        Pid ->
            Pid
    end.

request({get_line, _Encoding, Prompt}, Ahead) ->
    input(Prompt, fun line/2, Ahead);
request({get_line, Prompt}, Ahead) ->
    input(Prompt, fun line/2, Ahead);
request({get_chars, _Encoding, Prompt, N}, Ahead) ->
    input(Prompt, fun(Got, Chars) -> chars(Got, Chars, N) end, Ahead);
request({get_chars, Prompt, N}, Ahead) ->
    input(Prompt, fun(Got, Chars) -> chars(Got, Chars, N) end, Ahead);
request({get_until, _Encoding, Prompt, Module, Function, Args}, Ahead) ->
    input(Prompt, fun(Got, Chars) -> apply(Module, Function, [Got, Chars | Args]) end, Ahead);
request({get_until, Prompt, Module, Function, Args}, Ahead) ->
    request({get_until, latin1, Prompt, Module, Function, Args}, Ahead);
request({requests, Requests}, Ahead) ->
    requests(Requests, {ok, Ahead});
request(Request, Ahead) ->
    {output(Request), Ahead}.

requests([Request | Requests], {ok, Ahead}) -> requests(Requests, request(Request, Ahead));
requests(_, Result) -> Result.

output({put_chars, _Encoding, Chars}) ->
    put_chars(Chars);
output({put_chars, _Encoding, io_lib, format, [Format, Args]}) ->
    try
        put_chars(reverl:format(Format, Args))
    catch
        error:badarg -> {error, format}
    end;
output({put_chars, _Encoding, Module, Function, Args}) ->
    put_chars(apply(Module, Function, Args));
output({put_chars, Chars}) ->
    put_chars(Chars);
output({put_chars, Module, Function, Args}) ->
    put_chars(apply(Module, Function, Args));
output({get_geometry, columns}) ->
    80;
output({get_geometry, rows}) ->
    24;
output(getopts) ->
    [{binary, false}, {encoding, unicode}];
output({setopts, _Options}) ->
    ok;
output(_) ->
    {error, request}.

put_chars(Chars) ->
    case unicode:characters_to_binary(Chars) of
        Binary when is_binary(Binary) -> reverl:output(Binary);
        _ -> {error, put_chars}
    end.

prompt('') -> ok;
prompt(Prompt) when is_atom(Prompt) -> put_chars(atom_to_list(Prompt));
prompt({format, Format, Args}) -> put_chars(io_lib:format(Format, Args));
prompt(Prompt) -> put_chars(Prompt).

%% Lines are given to `Taking` until it has what it wants: the I/O protocol's `get_until`.
input(Prompt, Taking, Ahead) ->
    prompt(Prompt),
    try
        taken(Taking, [], Ahead)
    catch
        _:_ -> {{error, get_until}, []}
    end.

taken(Taking, Got, []) -> taken(Taking, Got, reverl:input_line());
taken(Taking, Got, Chars) ->
    case Taking(Got, Chars) of
        {done, Result, Rest} when is_list(Rest) -> {Result, Rest};
        {done, Result, _} -> {Result, []};
        {more, Now} -> taken(Taking, Now, [])
    end.

line([], eof) -> {done, eof, []};
line(Got, eof) -> {done, Got, []};
line(Got, Chars) ->
    case lists:splitwith(fun(C) -> C =/= $\n end, Chars) of
        {Line, [$\n | Rest]} -> {done, Got ++ Line ++ "\n", Rest};
        {Line, []} -> {more, Got ++ Line}
    end.

chars([], eof, _) -> {done, eof, []};
chars(Got, eof, _) -> {done, Got, []};
chars(Got, Chars, N) ->
    All = Got ++ Chars,
    case length(All) >= N of
        true ->
            {Taken, Rest} = lists:split(N, All),
            {done, Taken, Rest};
        false ->
            {more, All}
    end.
