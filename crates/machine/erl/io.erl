%% Input and output. Without a group leader of its own a program's output goes straight out;
%% every other device is spoken to in the I/O protocol.
-module(io).
-export([format/1, format/2, format/3, fwrite/1, fwrite/2, fwrite/3]).
-export([put_chars/1, put_chars/2, nl/0, nl/1, write/1, write/2]).
-export([get_line/1, get_line/2]).

format(Format) -> format(Format, []).
format(Format, Args) -> put_chars(io_lib:format(Format, Args)).
format(Device, Format, Args) -> put_chars(Device, io_lib:format(Format, Args)).

fwrite(Format) -> format(Format, []).
fwrite(Format, Args) -> format(Format, Args).
fwrite(Device, Format, Args) -> format(Device, Format, Args).

nl() -> put_chars("\n").
nl(Device) -> put_chars(Device, "\n").

write(Term) -> put_chars(io_lib:write(Term)).
write(Device, Term) -> put_chars(Device, io_lib:write(Term)).

put_chars(Chars) -> put_chars(standard_io, Chars).

put_chars(Device, Chars) ->
    case unicode:characters_to_binary(Chars) of
        Binary when is_binary(Binary) ->
            case reverl:is_console(Device) of
                true -> reverl:output(Binary);
                false -> request(Device, {put_chars, unicode, Binary})
            end;
        _ ->
            error(badarg)
    end.

get_line(Prompt) -> get_line(standard_io, Prompt).
get_line(Device, Prompt) -> request(Device, {get_line, unicode, Prompt}).

request(standard_io, Request) -> request(group_leader(), Request);
request(standard_error, Request) -> request(user, Request);
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
