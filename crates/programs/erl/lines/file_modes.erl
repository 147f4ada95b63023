%% Files in all modes: what one handle writes, another reads.
-module(file_modes).
-export([main/0]).

t(F) -> io:format("~0p~n", [try F() catch C:E -> {C, E} end]).

written(Name, Modes) ->
    {ok, File} = file:open(Name, Modes),
    ok = file:write(File, "abc\r\nd"),
    ok = file:close(File),
    {ok, Bytes} = file:read_file(Name),
    Bytes.

main() ->
    Name = "file_modes.tmp",
    [t(fun() -> written(Name, [write | Modes]) end)
     || Modes <- [[], [raw], [delayed_write], [raw, delayed_write], [{delayed_write, 3, 10}],
                  [binary], [{encoding, utf8}], [append]]],
    t(fun() -> zlib:gunzip(written(Name, [write, compressed])) end),
    t(fun() ->
        {ok, File} = file:open(Name, [read, compressed, binary]),
        Read = [file:read(File, 2), file:read_line(File), file:read(File, 9), file:read(File, 1)],
        file:close(File),
        Read
    end),
    [t(fun() ->
        ok = file:write_file(Name, "abc\r\nde\n\nf"),
        {ok, File} = file:open(Name, [read | Modes]),
        Lines = [file:read_line(File) || _ <- lists:seq(1, 5)],
        file:close(File),
        Lines
     end) || Modes <- [[], [raw], [raw, binary], [read_ahead, raw], [binary, read_ahead]]],
    t(fun() ->
        ok = file:write_file(Name, ""),
        {ok, File} = file:open(Name, [read]),
        ok = file:write_file(Name, "later"),
        file:read(File, 10)
    end),
    t(fun() ->
        {ok, One} = file:open(Name, [write, raw]),
        {ok, Two} = file:open(Name, [read, raw, binary]),
        ok = file:write(One, "first"),
        First = file:read(Two, 10),
        ok = file:write(One, "second"),
        {First, file:read(Two, 10), file:pread(Two, 2, 5), file:position(Two, eof)}
    end),
    t(fun() ->
        {ok, T} = dets:open_file(file_modes, [{file, "file_modes.dets"}]),
        ok = dets:insert(T, [{N, N * N} || N <- lists:seq(1, 50)]),
        ok = dets:close(T),
        {ok, T} = dets:open_file(file_modes, [{file, "file_modes.dets"}]),
        Found = {dets:lookup(T, 7), dets:info(T, size), dets:delete(T, 7), dets:member(T, 7)},
        ok = dets:close(T),
        file:delete("file_modes.dets"),
        Found
    end),
    t(fun() ->
        {ok, L} = disk_log:open([{name, file_modes}, {file, "file_modes.log"}]),
        ok = disk_log:log_terms(L, [a, {b, 1}]),
        ok = disk_log:sync(L),
        {_, Terms} = disk_log:chunk(L, start),
        ok = disk_log:close(L),
        file:delete("file_modes.log"),
        Terms
    end),
    t(fun() ->
        ok = file:make_dir("file_modes.dir"),
        ok = file:make_dir("file_modes.dir/in"),
        ok = file:write_file("file_modes.dir/in/a", "inside"),
        ok = file:make_symlink("in/a", "file_modes.dir/link"),
        ok = file:make_symlink("in", "file_modes.dir/way"),
        ok = file:make_symlink("nowhere", "file_modes.dir/broken"),
        {ok, Info} = file:read_link_info("file_modes.dir/link"),
        Seen = {file:read_file("file_modes.dir/link"), file:read_link("file_modes.dir/link"),
                element(3, Info), file:list_dir("file_modes.dir/way"), file:read_file("file_modes.dir/broken"),
                file:make_symlink("in", "file_modes.dir/way"), file:make_symlink("in", "file_modes.no/way"),
                file:read_link("file_modes.dir/in/a"), file:read_link("file_modes.dir/no")},
        [ok = file:delete("file_modes.dir/" ++ N) || N <- ["link", "way", "broken"]],
        ok = file:rename("file_modes.dir", "file_modes.moved"),
        Moved = {file:read_file("file_modes.moved/in/a"), file:list_dir("file_modes.moved"),
                 file:list_dir("file_modes.dir"), file:rename("file_modes.moved", "file_modes.moved/in/below")},
        ok = file:delete("file_modes.moved/in/a"),
        ok = file:del_dir("file_modes.moved/in"),
        ok = file:del_dir("file_modes.moved"),
        {Seen, Moved}
    end),
    t(fun() -> {filelib:is_dir("/"), filelib:is_regular("/"), file:read_file("/")} end),
    file:delete(Name).
