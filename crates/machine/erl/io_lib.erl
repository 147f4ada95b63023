%% Terms as text: the work is built in, this says what happens to wrong arguments.
-module(io_lib).
-export([format/2, format/3, fwrite/2, fwrite/3, write/1, write/2, print/1, print/4]).
-export([write_atom/1, write_string/1, write_string/2, write_char/1, write_latin1_string/1]).
-export([nl/0, format_prompt/1, chars_length/1, quote_atom/2, printable_list/1, char_list/1]).

%% Text is flat here.
format(Format, Args) ->
    try
        reverl:format(Format, Args)
    catch
        error:badarg -> error(badarg, [Format, Args])
    end.

%% Of the options there is chars_limit, which is only a wish.
format(Format, Args, Options) when is_list(Options) -> io_lib:format(Format, Args).

fwrite(Format, Args) -> format(Format, Args).
fwrite(Format, Args, Options) -> format(Format, Args, Options).

write(Term) -> write(Term, -1).

write(Term, Options) when is_list(Options) ->
    write(Term, proplists:get_value(depth, Options, -1));
write(Term, Depth) ->
    io_lib:format("~W", [Term, Depth]).

print(Term) -> io_lib:format("~p", [Term]).
print(Term, Column, Length, Depth) -> reverl:print(Term, Column, Length, Depth).

write_atom(Atom) -> error(badarg, [Atom]).
write_string(String) -> error(badarg, [String]).

write_string(String, Quote) ->
    [$" | Rest] = io_lib:write_string(String),
    [Quote | lists:droplast(Rest)] ++ [Quote].

write_latin1_string(String) -> io_lib:write_string(String).
write_char(Char) -> error(badarg, [Char]).
nl() -> "\n".

format_prompt({format, Format, Args}) -> io_lib:format(Format, Args);
format_prompt(Prompt) when is_list(Prompt) -> Prompt;
format_prompt(Prompt) when is_atom(Prompt) -> atom_to_list(Prompt);
format_prompt(Prompt) -> io_lib:format("~tp", [Prompt]).

chars_length(Chars) -> string:length(Chars).
quote_atom(Atom, _) -> hd(io_lib:write_atom(Atom)) =:= $'.
printable_list(Term) -> error(badarg, [Term]).
char_list(Term) -> error(badarg, [Term]).
