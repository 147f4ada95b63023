%% The process behind standard input and output: it answers the requests of the I/O protocol.
-module(reverl_console).
-export([loop/0, outside/0, begun/2]).

%% A process that a recording has during these calls: between them and after them it does what
%% the recording says. The main one ends with its last call.
begun(Calls, Is) -> begun(Calls, Is, none).

begun([], main, {value, Value}) -> Value;
begun([], main, {Class, Reason}) -> erlang:raise(Class, Reason, []);
begun([], other, _) -> receive after infinity -> ok end;
begun([{Module, Function, Args} | Calls], Is, _) ->
    Outcome =
        try apply(Module, Function, Args) of
            Value -> {value, Value}
        catch
            Class:Reason -> {Class, Reason}
        end,
    reverl:returned(Outcome),
    pauses(Calls, Is, Outcome).

pauses(Calls, Is, Outcome) ->
    case reverl:outside() of
        {To, Message} ->
            To ! Message,
            pauses(Calls, Is, Outcome);
        none ->
            begun(Calls, Is, Outcome)
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
        {To, Message} ->
            To ! Message,
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

shown({Kind, _, _}) when Kind =:= get_line; Kind =:= get_chars -> eof;
shown(Request) -> request(Request).

loop() ->
    receive
        {io_request, From, ReplyAs, Request} ->
            From ! {io_reply, ReplyAs, request(Request)},
            loop();
        _ ->
            loop()
    end.

request({put_chars, _Encoding, Chars}) ->
    put_chars(Chars);
request({put_chars, _Encoding, Module, Function, Args}) ->
    put_chars(apply(Module, Function, Args));
request({put_chars, Chars}) ->
    put_chars(Chars);
request({put_chars, Module, Function, Args}) ->
    put_chars(apply(Module, Function, Args));
request({requests, Requests}) ->
    requests(Requests, ok);
request({get_line, _Encoding, Prompt}) ->
    prompt(Prompt),
    reverl:input_line();
request({get_line, Prompt}) ->
    prompt(Prompt),
    reverl:input_line();
request({get_geometry, columns}) ->
    80;
request({get_geometry, rows}) ->
    24;
request(getopts) ->
    [{binary, false}, {encoding, unicode}];
request({setopts, _Options}) ->
    ok;
request(_) ->
    {error, request}.

requests([Request | Requests], ok) -> requests(Requests, request(Request));
requests(_, Result) -> Result.

put_chars(Chars) ->
    case unicode:characters_to_binary(Chars) of
        Binary when is_binary(Binary) -> reverl:output(Binary);
        _ -> {error, put_chars}
    end.

prompt('') -> ok;
prompt(Prompt) when is_atom(Prompt) -> put_chars(atom_to_list(Prompt));
prompt(Prompt) -> put_chars(Prompt).
