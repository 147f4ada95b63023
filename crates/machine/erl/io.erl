%% Input and output. Without a group leader of its own a program's output goes straight out;
%% every other device is spoken to in the I/O protocol.
-module(io).
-export([format/1, format/2, format/3, fwrite/1, fwrite/2, fwrite/3]).
-export([put_chars/1, put_chars/2, put_chars/3, nl/0, nl/1, write/1, write/2]).
-export([get_line/1, get_line/2, get_chars/2, get_chars/3, fread/2, fread/3]).
-export([read/1, read/2, read/3, read/4, scan_erl_exprs/1, scan_erl_exprs/2]).
-export([scan_erl_exprs/3, scan_erl_exprs/4, scan_erl_form/1, scan_erl_form/2]).
-export([scan_erl_form/3, scan_erl_form/4, parse_erl_exprs/1, parse_erl_exprs/2]).
-export([parse_erl_exprs/3, parse_erl_exprs/4, parse_erl_form/1, parse_erl_form/2]).
-export([parse_erl_form/3, parse_erl_form/4]).
-export([columns/0, columns/1, rows/0, rows/1]).
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
    try reverl:format(Format, Args)
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
    case read(Device, Prompt, 1) of
        {ok, Term, _} -> {ok, Term};
        {error, Info, _} -> {error, Info};
        {eof, _} -> eof;
        Other -> Other
    end.

read(Device, Prompt, Start) -> read(Device, Prompt, Start, []).

read(Device, Prompt, Start, Options) ->
    parsed(scan_erl_form(Device, Prompt, Start, Options), fun erl_parse:parse_term/1).

parsed({ok, Tokens, End}, Parse) ->
    case Parse(Tokens) of
        {ok, Parsed} -> {ok, Parsed, End};
        {error, Info} -> {error, Info, End}
    end;
parsed(Other, _) ->
    Other.

scan_erl_exprs(Prompt) -> scan_erl_exprs(standard_io, Prompt).
scan_erl_exprs(Device, Prompt) -> scan_erl_exprs(Device, Prompt, 1).
scan_erl_exprs(Device, Prompt, Start) -> scan_erl_exprs(Device, Prompt, Start, []).
scan_erl_exprs(Device, Prompt, Start, Options) ->
    request(Device, {get_until, unicode, Prompt, erl_scan, tokens, [Start, Options]}).

scan_erl_form(Prompt) -> scan_erl_exprs(Prompt).
scan_erl_form(Device, Prompt) -> scan_erl_exprs(Device, Prompt).
scan_erl_form(Device, Prompt, Start) -> scan_erl_exprs(Device, Prompt, Start).
scan_erl_form(Device, Prompt, Start, Options) -> scan_erl_exprs(Device, Prompt, Start, Options).

parse_erl_exprs(Prompt) -> parse_erl_exprs(standard_io, Prompt).
parse_erl_exprs(Device, Prompt) -> parse_erl_exprs(Device, Prompt, 1).
parse_erl_exprs(Device, Prompt, Start) -> parse_erl_exprs(Device, Prompt, Start, []).
parse_erl_exprs(Device, Prompt, Start, Options) ->
    parsed(scan_erl_exprs(Device, Prompt, Start, Options), fun erl_parse:parse_exprs/1).

parse_erl_form(Prompt) -> parse_erl_form(standard_io, Prompt).
parse_erl_form(Device, Prompt) -> parse_erl_form(Device, Prompt, 1).
parse_erl_form(Device, Prompt, Start) -> parse_erl_form(Device, Prompt, Start, []).
parse_erl_form(Device, Prompt, Start, Options) ->
    parsed(scan_erl_form(Device, Prompt, Start, Options), fun erl_parse:parse_form/1).

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
request(Device, _) when Device =:= self() ->
    erlang:error(calling_self);
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
