%% Input and output. Without a group leader of its own a program's output goes straight out;
%% every other device is spoken to in the I/O protocol.
-module(io).
-export([format/1, format/2, format/3, fwrite/1, fwrite/2, fwrite/3]).
-export([put_chars/1, put_chars/2, put_chars/3, nl/0, nl/1, write/1, write/2]).
-export([get_line/1, get_line/2, get_chars/2, get_chars/3, read/1, read/2]).
-export([fread/2, fread/3, columns/0, columns/1, rows/0, rows/1]).
-export([getopts/0, getopts/1, setopts/1, setopts/2, request/2, requests/2]).

-define(INFO(Cause), [{error_info, #{cause => Cause, module => erl_stdlib_errors}}]).

format(Format) ->
    case text(Format, []) of
        error -> error(badarg, [Format], ?INFO({device, put_chars}));
        Text -> put_chars(Text)
    end.

format(Format, Args) ->
    case text(Format, Args) of
        error -> error(badarg, [Format, Args], ?INFO({device, put_chars}));
        Text -> put_chars(Text)
    end.

format(Device, Format, Args) ->
    case text(Format, Args) of
        error -> error(badarg, [Device, Format, Args], ?INFO({device, put_chars}));
        Text -> put_chars(Device, Text)
    end.

fwrite(Format) -> format(Format).
fwrite(Format, Args) -> format(Format, Args).
fwrite(Device, Format, Args) -> format(Device, Format, Args).

text(Format, Args) when not is_list(Args) ->
    text(Format, [Args]);
text(Format, Args) ->
    try io_lib:format(Format, Args)
    catch error:_ -> error
    end.

nl() -> put_chars("\n").
nl(Device) -> put_chars(Device, "\n").

write(Term) -> put_chars(io_lib:write(Term)).
write(Device, Term) -> put_chars(Device, io_lib:write(Term)).

put_chars(Chars) -> put_chars(standard_io, Chars).

put_chars(Device, Chars) -> put_chars(Device, unicode, Chars).

put_chars(Device, Encoding, Chars) ->
    try unicode:characters_to_binary(Chars, Encoding) of
        Binary when is_binary(Binary) ->
            case reverl:is_console(Device) of
                true -> reverl:output(Binary);
                false -> answered(request(Device, {put_chars, unicode, Binary}), Device, Chars)
            end;
        _ ->
            error(no_translation, [Device, Chars], ?INFO({io, put_chars}))
    catch
        error:badarg -> error(badarg, [Device, Chars], ?INFO({io, put_chars}))
    end.

answered({error, terminated}, Device, Chars) ->
    error(terminated, [Device, Chars], ?INFO({io, terminated}));
answered({error, Why}, Device, Chars) ->
    error(Why, [Device, Chars], ?INFO({io, Why}));
answered(Reply, _, _) ->
    Reply.

get_line(Prompt) -> get_line(standard_io, Prompt).
get_line(Device, Prompt) -> request(Device, {get_line, unicode, Prompt}).

get_chars(Prompt, N) -> get_chars(standard_io, Prompt, N).
get_chars(Device, Prompt, N) -> request(Device, {get_chars, unicode, Prompt, N}).

read(Prompt) -> read(standard_io, Prompt).

read(Device, Prompt) ->
    case request(Device, {get_until, unicode, Prompt, erl_scan, tokens, [1]}) of
        {ok, Tokens, _} -> erl_parse:parse_term(Tokens);
        {error, Info, _} -> {error, Info};
        {eof, _} -> eof;
        Other -> Other
    end.

fread(Prompt, Format) -> fread(standard_io, Prompt, Format).

fread(Device, Prompt, Format) ->
    request(Device, {get_until, unicode, Prompt, io_lib, fread, [Format]}).

columns() -> columns(standard_io).
columns(Device) -> size_of(request(Device, {get_geometry, columns})).
rows() -> rows(standard_io).
rows(Device) -> size_of(request(Device, {get_geometry, rows})).

size_of(N) when is_integer(N) -> {ok, N};
size_of(_) -> {error, enotsup}.

getopts() -> getopts(standard_io).
getopts(Device) -> request(Device, getopts).
setopts(Options) -> setopts(standard_io, Options).
setopts(Device, Options) -> request(Device, {setopts, Options}).

requests(Device, Requests) -> request(Device, {requests, Requests}).

request(standard_io, Request) -> request(group_leader(), Request);
request(standard_error, Request) -> request(user, Request);
request(user, Request) ->
    case whereis(user) of
        undefined -> request(group_leader(), Request);
        Pid -> request(Pid, Request)
    end;
request(Device, Request) ->
    Ref = monitor(process, Device),
    Device ! {io_request, self(), Ref, Request},
    receive
        {io_reply, Ref, Reply} ->
            demonitor(Ref, [flush]),
            Reply;
        {'DOWN', Ref, _, _, _} ->
            {error, terminated}
    end.
