%% Reads, writes, lists and deletes files below the current directory; every result is printed.
-module(files).
-export([main/0]).

-define(SHOW(Call), show(??Call, fun() -> Call end)).

show(Text, Call) ->
    Result =
        try
            Call()
        catch
            Class:Why -> {Class, Why}
        end,
    io:format("~ts~n    ~0tp~n", [Text, Result]).

main() ->
    ?SHOW(file:make_dir("made")),
    ?SHOW(file:make_dir("made")),
    ?SHOW(filelib:is_dir("made")),
    whole("made/x.txt"),
    read("made/x.txt"),
    written("made/w.txt"),
    raw("made/b.bin"),
    directory("made/x.txt"),
    terms("made/t.term"),
    errors(),
    places().

whole(X) ->
    ?SHOW(file:write_file(X, "line1\nline2\nline 3")),
    ?SHOW(file:read_file(X)),
    ?SHOW(file:write_file(X, ["\nmore ", <<"bin">>, 10], [append])),
    ?SHOW(file:write_file(X, "no", [exclusive])),
    ?SHOW(file:read_file(X)).

read(X) ->
    {ok, File} = file:open(X, [read]),
    ?SHOW(io:get_line(File, "")),
    ?SHOW(file:read_line(File)),
    ?SHOW(io:fread(File, "", "~s ~d")),
    ?SHOW(file:read(File, 4)),
    ?SHOW(file:position(File, 0)),
    ?SHOW(file:read(File, 100)),
    ?SHOW(file:read(File, 1)),
    ?SHOW(io:get_line(File, "")),
    ?SHOW(file:close(File)),
    ?SHOW(io:get_line(File, "")).

written(W) ->
    {ok, File} = file:open(W, [write, {encoding, utf8}]),
    ?SHOW(io:format(File, "~p ~ts~n", [{a, 1}, [380, 243]])),
    ?SHOW(io:put_chars(File, "abc")),
    ?SHOW(file:close(File)),
    ?SHOW(file:read_file(W)).

raw(B) ->
    {ok, File} = file:open(B, [raw, binary, write, read]),
    ?SHOW(file:write(File, <<1, 2, 3, 4, 5>>)),
    ?SHOW(file:pread(File, 1, 2)),
    ?SHOW(file:pread(File, [{0, 1}, {9, 1}])),
    ?SHOW(file:pwrite(File, 7, <<9, 9>>)),
    ?SHOW(file:position(File, {bof, 2})),
    ?SHOW(file:read(File, 10)),
    ?SHOW(file:position(File, {eof, -7})),
    ?SHOW(file:truncate(File)),
    ?SHOW(file:position(File, eof)),
    ?SHOW(file:close(File)),
    ?SHOW(file:read_file(B)).

directory(X) ->
    ?SHOW(lists:sort(element(2, file:list_dir("made")))),
    ?SHOW(filelib:wildcard("made/*.txt")),
    ?SHOW(filelib:file_size(X)),
    ?SHOW(filelib:is_regular(X)),
    ?SHOW(element(3, element(2, file:read_file_info(X)))),
    ?SHOW(file:rename(X, "made/y.txt")),
    ?SHOW(file:read_file(X)),
    ?SHOW(file:copy("made/y.txt", "made/z.txt")),
    ?SHOW(file:del_dir("made")),
    ?SHOW(file:delete("made/z.txt")),
    ?SHOW(file:delete("made/z.txt")),
    ?SHOW(file:delete("made")),
    ?SHOW(lists:sort(element(2, file:list_dir("made")))).

terms(T) ->
    ?SHOW(file:write_file(T, "{a, 1}.\n[b].\n")),
    ?SHOW(file:consult(T)),
    ?SHOW(file:script(T)),
    ?SHOW(file:write_file(T, "{a, 1.\n")),
    ?SHOW(file:consult(T)).

errors() ->
    ?SHOW(file:read_file("made")),
    ?SHOW(file:open("nowhere/a", [write])),
    ?SHOW(file:open("made", [read])),
    ?SHOW(file:open("nowhere", [read])),
    ?SHOW(file:write_file("", "x")),
    ?SHOW(file:write_file("made/y.txt/z", "x")),
    ?SHOW(file:list_dir("nowhere")),
    ?SHOW(file:consult("nowhere")).

places() ->
    {ok, Here} = file:get_cwd(),
    ?SHOW(lists:member("files.erl", element(2, file:list_dir(".")))),
    ?SHOW(filelib:ensure_dir("made/p/q/r.txt")),
    ?SHOW(filelib:is_dir("made/p/q")),
    ?SHOW(file:set_cwd("made/p")),
    ?SHOW(file:read_file("../y.txt")),
    ?SHOW(file:read_file(filename:join([Here, made, "p", "..", "y.txt"]))),
    ?SHOW(file:set_cwd(Here)),
    ?SHOW(file:del_dir_r("made")),
    ?SHOW(filelib:is_dir("made")).
