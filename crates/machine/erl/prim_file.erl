%% Files. They are read from the disk; what a program writes, makes or deletes stays in its
%% execution: undoing takes it back, other executions do not see it, and the disk is left alone.
-module(prim_file).
-export([open/2, refusal/2, close/1, read/2, read_line/1, write/2, position/2, truncate/1]).
-export([pread/2, pread/3, pwrite/2, pwrite/3, sync/1, datasync/1, advise/4, allocate/3]).
-export([read_file/1, write_file/2, copy/3, copy/5, delete/1, rename/2]).
-export([read_file_info/1, read_file_info/2, read_link_info/1, read_link_info/2]).
-export([write_file_info/2, write_file_info/3, read_link/1, read_link_all/1, altname/1]).
-export([make_link/2, make_symlink/2, list_dir/1, list_dir_all/1, make_dir/1, del_dir/1]).
-export([ipread_s32bu_p32bu/3]).
-export([get_cwd/0, get_cwd/1, set_cwd/1, is_translatable/1]).
-export([internal_name2native/1, internal_native2name/1, internal_normalize_utf8/1]).

%% How many links are followed from one to the next.
-define(MOST_LINKS, 40).

%% Open files: `{file_descriptor, prim_file, #{path, ref, append}}`. Where a file stands is in the
%% dictionary of the process that opened it, with what it read if that came from the disk.

open(Name, Modes) ->
    Path = path(Name),
    case {refusal(Name, Modes), writes(Modes)} of
        {none, true} ->
            Keeps = lists:member(read, Modes) orelse lists:member(append, Modes),
            reverl:file_write(Path, whole, bytes(Path, Keeps)),
            {ok, opened(Path, kept, lists:member(append, Modes))};
        {none, false} ->
            {ok, opened(Path, bytes(Path, true), false)};
        {Error, _} ->
            Error
    end.

%% Why a file cannot be opened, or `none`.
refusal(Name, Modes) ->
    Path = path(Name),
    case {type(Path), writes(Modes)} of
        {directory, _} -> {error, eisdir};
        {none, false} -> {error, enoent};
        {regular, _} ->
            case lists:member(exclusive, Modes) of
                true -> {error, eexist};
                false -> none
            end;
        {none, true} ->
            case type(parent(Path)) of
                directory -> none;
                regular -> {error, enotdir};
                none -> {error, enoent}
            end
    end.

writes(Modes) -> lists:any(fun(M) -> lists:member(M, [write, append, exclusive]) end, Modes).

bytes(Path, true) ->
    case content(Path) of
        {ok, Bytes} -> Bytes;
        {error, _} -> <<>>
    end;
bytes(_, false) ->
    <<>>.

opened(Path, Bytes, Appends) ->
    Ref = make_ref(),
    put({?MODULE, Ref}, {0, Bytes}),
    {file_descriptor, ?MODULE, #{path => Path, ref => Ref, append => Appends}}.

close({file_descriptor, _, #{ref := Ref}}) ->
    case erase({?MODULE, Ref}) of
        undefined -> {error, einval};
        _ -> ok
    end.

%% Where the file stands, and all that is in it.
state({file_descriptor, _, #{ref := Ref, path := Path}}) ->
    case get({?MODULE, Ref}) of
        {At, kept} ->
            {ok, Bytes} = content(Path),
            {At, Bytes};
        {At, Bytes} ->
            %% Somebody may have written since.
            case reverl:file_kept(Path) of
                Now when is_binary(Now) -> {At, Now};
                _ -> {At, Bytes}
            end
    end.

move({file_descriptor, _, #{ref := Ref}}, At) ->
    {_, Bytes} = get({?MODULE, Ref}),
    put({?MODULE, Ref}, {At, Bytes}).

is_open({file_descriptor, _, #{ref := Ref}}) -> get({?MODULE, Ref}) =/= undefined.

may_write({file_descriptor, _, #{ref := Ref}}) ->
    case get({?MODULE, Ref}) of
        {_, kept} -> ok;
        {_, _} -> {error, ebadf};
        undefined -> {error, einval}
    end.

read(File, N) ->
    case is_open(File) of
        true ->
            {At, Bytes} = state(File),
            case part(Bytes, At, N) of
                eof -> eof;
                Part ->
                    move(File, At + byte_size(Part)),
                    {ok, Part}
            end;
        false ->
            {error, einval}
    end.

part(_, _, 0) -> <<>>;
part(Bytes, At, _) when At >= byte_size(Bytes) -> eof;
part(Bytes, At, N) -> binary:part(Bytes, At, min(N, byte_size(Bytes) - At)).

%% The end of a line is one character, as OTP reads it.
read_line(File) -> if_open(File, fun() -> line(File) end).

line(File) ->
    {At, Bytes} = state(File),
    Left = max(0, byte_size(Bytes) - At),
    case binary:match(Bytes, <<"\n">>, [{scope, {byte_size(Bytes) - Left, Left}}]) of
        {End, 1} ->
            {ok, Line} = read(File, End + 1 - At),
            Size = byte_size(Line) - 2,
            case Line of
                <<Text:Size/binary, "\r\n">> -> {ok, <<Text/binary, "\n">>};
                _ -> {ok, Line}
            end;
        nomatch ->
            read(File, max(1, Left))
    end.

%% A size and a place, and then as many bytes from there.
ipread_s32bu_p32bu(File, At, MaxSize) ->
    case pread(File, At, 8) of
        {ok, <<Size:32, Place:32>>} when Size =< MaxSize ->
            case pread(File, Place, Size) of
                {ok, Bytes} -> {ok, {Size, Place, Bytes}};
                eof -> {ok, {Size, Place, eof}}
            end;
        _ ->
            eof
    end.

write(File, Data) ->
    case may_write(File) of
        ok ->
            {file_descriptor, _, #{path := Path, append := Appends}} = File,
            Bytes = iolist_to_binary(Data),
            {At, Before} = state(File),
            Place = case Appends of true -> byte_size(Before); false -> At end,
            reverl:file_write(Path, case Appends of true -> append; false -> At end, Bytes),
            move(File, Place + byte_size(Bytes)),
            ok;
        Error ->
            Error
    end.

position(File, Place) -> if_open(File, fun() -> moved(File, Place) end).

if_open(File, Do) ->
    case is_open(File) of
        true -> Do();
        false -> {error, einval}
    end.

moved(File, Place) ->
    {At, Bytes} = state(File),
    Size = byte_size(Bytes),
    To =
        case Place of
            bof -> 0;
            cur -> At;
            eof -> Size;
            {bof, Offset} -> Offset;
            {cur, Offset} -> At + Offset;
            {eof, Offset} -> Size + Offset;
            _ -> Place
        end,
    case is_integer(To) andalso To >= 0 of
        true ->
            move(File, To),
            {ok, To};
        false ->
            {error, einval}
    end.

truncate(File) ->
    case may_write(File) of
        ok ->
            {file_descriptor, _, #{path := Path}} = File,
            {At, Bytes} = state(File),
            Left = case part(Bytes, 0, At) of eof -> <<>>; Part -> Part end,
            reverl:file_write(Path, whole, <<Left/binary, 0:(8 * (At - byte_size(Left)))>>),
            ok;
        Error ->
            Error
    end.

pread(File, Parts) ->
    if_open(File, fun() -> {ok, [pread_one(File, At, N) || {At, N} <- Parts]} end).

pread_one(File, At, N) ->
    case pread(File, At, N) of
        {ok, Part} -> Part;
        eof -> eof
    end.

pread(File, At, N) ->
    if_open(File, fun() ->
        {_, Bytes} = state(File),
        case part(Bytes, At, N) of
            eof -> eof;
            Part -> {ok, Part}
        end
    end).

pwrite(File, Parts) ->
    lists:foreach(fun({At, Data}) -> ok = pwrite(File, At, Data) end, Parts).

pwrite(File, At, Data) ->
    case may_write(File) of
        ok ->
            {file_descriptor, _, #{path := Path}} = File,
            reverl:file_write(Path, At, iolist_to_binary(Data)),
            ok;
        Error ->
            Error
    end.

sync(_File) -> ok.
datasync(_File) -> ok.
advise(_File, _At, _N, _Advice) -> ok.
allocate(_File, _At, _N) -> ok.

%% Whole files

read_file(Name) -> content(path(Name)).

write_file(Name, Data) ->
    case open(Name, [write]) of
        {ok, File} ->
            ok = write(File, Data),
            close(File);
        Error ->
            Error
    end.

copy(From, To, Length) ->
    {At, Bytes} = state(From),
    Part = case part(Bytes, At, min(Length, byte_size(Bytes))) of eof -> <<>>; P -> P end,
    move(From, At + byte_size(Part)),
    case write(To, Part) of
        ok -> {ok, byte_size(Part)};
        Error -> Error
    end.

copy(From, _, To, Modes, Length) ->
    case read_file(From) of
        {ok, Bytes} ->
            Part = binary:part(Bytes, 0, min(Length, byte_size(Bytes))),
            case open(To, [write | Modes]) of
                {ok, File} ->
                    ok = write(File, Part),
                    ok = close(File),
                    {ok, byte_size(Part)};
                Error ->
                    Error
            end;
        Error ->
            Error
    end.

delete(Name) ->
    Path = path(Name),
    case link_type(Path) of
        symlink -> reverl:file_mark(Path, deleted);
        regular -> reverl:file_mark(Path, deleted);
        directory -> {error, eperm};
        none -> {error, enoent}
    end.

rename(From, To) ->
    case {read_file(From), type(path(To))} of
        {{ok, _}, directory} -> {error, eisdir};
        {{ok, Bytes}, _} ->
            case write_file(To, Bytes) of
                ok when From =/= To -> delete(From);
                Other -> Other
            end;
        {{error, eisdir}, none} -> move_directory(path(From), path(To));
        {{error, eisdir}, regular} -> {error, enotdir};
        {{error, eisdir}, directory} -> {error, eexist};
        {Error, _} -> Error
    end.

%% A directory with all that is in it. It cannot become a part of itself.
move_directory(From, To) ->
    case {lists:prefix(From ++ "/", To), type(parent(To))} of
        {true, _} -> {error, einval};
        {false, directory} ->
            reverl:file_mark(To, directory),
            lists:foreach(fun(Name) -> ok = rename(From ++ "/" ++ Name, To ++ "/" ++ Name) end, names(From)),
            reverl:file_mark(From, deleted);
        {false, regular} -> {error, enotdir};
        {false, none} -> {error, enoent}
    end.

read_file_info(Name) -> read_file_info(Name, []).

read_file_info(Name, Options) ->
    Path = path(Name),
    case {type(Path), is_list(Name) andalso lists:suffix("/", Name)} of
        {directory, _} -> {ok, info(Path, 4096, directory, 8#40755, Options)};
        {regular, true} -> {error, enotdir};
        {regular, false} ->
            {ok, Bytes} = content(Path),
            {ok, info(Path, byte_size(Bytes), regular, 8#100644, Options)};
        {none, _} -> {error, enoent}
    end.

%% What is on the disk is told as it is there. When a program itself has written something is not
%% kept: the clock of a run is not that of the disk.
info(Path, Size, Type, Mode, Options) ->
    OnDisk = reverl:file_kept(Path) =:= none andalso reverl:file_status(Path),
    case OnDisk of
        {Length, Access, [Read, Written, Changed], Is, Links, Device, Inode, User, Group} ->
            Shown = case Type of directory -> Length; _ -> Size end,
            {file_info, Shown, Type, Access, time(Read, Options), time(Written, Options),
             time(Changed, Options), Is, Links, Device, 0, Inode, User, Group};
        _ ->
            Time = time(0, Options),
            {file_info, Size, Type, read_write, Time, Time, Time, Mode, 1, 0, 0, 0, 0, 0}
    end.

time(Seconds, Options) ->
    Universal = calendar:gregorian_seconds_to_datetime(Seconds + 62167219200),
    case proplists:get_value(time, Options, local) of
        posix -> Seconds;
        universal -> Universal;
        local -> erlang:universaltime_to_localtime(Universal)
    end.

read_link_info(Name) -> read_link_info(Name, []).

read_link_info(Name, Options) ->
    case reverl:file_kept(path(Name)) of
        {link, Target} ->
            {ok, Info} = read_file_info("/", Options),
            Size = byte_size(unicode:characters_to_binary(Target)),
            {ok, setelement(2, setelement(3, setelement(8, Info, 8#120777), symlink), Size)};
        _ ->
            read_file_info(Name, Options)
    end.

write_file_info(Name, _Info) -> write_file_info(Name, _Info, []).
write_file_info(Name, _Info, _Options) ->
    case type(path(Name)) of
        none -> {error, enoent};
        _ -> ok
    end.
read_link(Name) -> read_link_all(Name).
read_link_all(Name) ->
    Path = path(Name),
    case reverl:file_kept(Path) of
        {link, Target} -> {ok, Target};
        _ ->
            case type(Path) of
                none -> {error, enoent};
                _ -> {error, einval}
            end
    end.
altname(_Name) -> {error, enotsup}.
make_link(_Old, _New) -> {error, enotsup}.

%% A link is followed where its file or directory is looked at, not as a part of a longer path.
make_symlink(Old, New) ->
    Path = path(New),
    case {link_type(Path), type(parent(Path))} of
        {none, directory} -> reverl:file_mark(Path, {link, unicode:characters_to_list(Old)});
        {none, regular} -> {error, enotdir};
        {none, none} -> {error, enoent};
        _ -> {error, eexist}
    end.

%% Directories

list_dir(Name) ->
    Path = path(Name),
    case type(Path) of
        directory -> {ok, names(Path)};
        regular -> {error, enotdir};
        none -> {error, enoent}
    end.

list_dir_all(Name) -> list_dir(Name).

make_dir(Name) ->
    Path = path(Name),
    case {type(Path), type(parent(Path))} of
        {none, directory} -> reverl:file_mark(Path, directory);
        {none, regular} -> {error, enotdir};
        {none, none} -> {error, enoent};
        _ -> {error, eexist}
    end.

del_dir(Name) ->
    case list_dir(Name) of
        {ok, []} -> reverl:file_mark(path(Name), deleted);
        {ok, _} -> {error, eexist};
        Error -> Error
    end.

get_cwd() -> {ok, cwd()}.
get_cwd(_Drive) -> {error, enotsup}.

set_cwd(Name) ->
    Path = path(Name),
    case type(Path) of
        directory ->
            reverl:file_write("", whole, unicode:characters_to_binary(Path)),
            ok;
        regular -> {error, enotdir};
        none -> {error, enoent}
    end.

%% What is kept in the execution comes before what is on the disk.
content(Path) -> content(Path, ?MOST_LINKS).

content("/", _) -> {error, eisdir};
content(_Path, 0) -> {error, eloop};
content(Path, Links) ->
    case reverl:file_kept(Path) of
        none -> reverl:read_file(Path);
        deleted -> {error, enoent};
        directory -> {error, eisdir};
        {link, Target} -> content(target(Path, Target), Links - 1);
        Bytes -> {ok, Bytes}
    end.

%% Where a link leads: from its own directory, unless it says all.
target(_Path, "/" ++ _ = Target) -> path(Target);
target(Path, Target) -> path(parent(Path) ++ "/" ++ Target).

%% What there is, be it a link.
link_type(Path) ->
    case reverl:file_kept(Path) of
        {link, _} -> symlink;
        _ -> type(Path)
    end.

type(Path) ->
    case content(Path) of
        {ok, _} -> regular;
        {error, eisdir} -> directory;
        {error, _} -> none
    end.

%% Reverl reads a directory as its names.
names(Path) ->
    case reverl:file_kept(Path) of
        {link, Target} -> names(target(Path, Target));
        Own -> names_in(Path, Own)
    end.

names_in(Path, Own) ->
    Kept = reverl:file_children(Path),
    There =
        case Own =:= none andalso reverl:read_file(directory(Path)) of
            {ok, Names} -> words(unicode:characters_to_list(Names), $\n);
            _ -> []
        end,
    Now = [Name || Name <- There, not lists:keymember(Name, 1, Kept)],
    Now ++ [Name || {Name, What} <- Kept, What =/= deleted].

directory("/") -> "/";
directory(Path) -> Path ++ "/".

parent(Path) -> filename:dirname(Path).

%% The current directory is kept under the empty name.
cwd() ->
    case reverl:file_kept("") of
        none ->
            case os:getenv("PWD") of
                false -> "/";
                Dir -> Dir
            end;
        Bytes ->
            unicode:characters_to_list(Bytes)
    end.

path(Name) ->
    Text = text(Name),
    Whole =
        case Text of
            "" -> "/.no/name";
            "/" ++ _ -> Text;
            _ -> cwd() ++ "/" ++ Text
        end,
    Parts = lists:foldl(fun part_of_path/2, [], words(Whole, $/)),
    "/" ++ lists:append(lists:join("/", lists:reverse(Parts))).

%% A name that is not UTF-8 is one of bytes.
text(Name) ->
    case unicode:characters_to_list(Name) of
        Text when is_list(Text) -> Text;
        _ when is_binary(Name) -> binary_to_list(Name)
    end.

part_of_path(".", Parts) -> Parts;
part_of_path("..", []) -> [];
part_of_path("..", [_ | Parts]) -> Parts;
part_of_path(Part, Parts) -> [Part | Parts].

is_translatable(_Name) -> true.
internal_name2native(Name) -> unicode:characters_to_binary(Name).
internal_native2name(Name) -> unicode:characters_to_list(Name).
internal_normalize_utf8(Name) -> unicode:characters_to_nfc_list(Name).

%% The parts of a text between separators, those that are not empty. Modules that a program may
%% replace are better not needed to find a file.
words(Text, Separator) ->
    case lists:splitwith(fun(C) -> C =/= Separator end, Text) of
        {[], []} -> [];
        {[], [_ | Rest]} -> words(Rest, Separator);
        {Word, []} -> [Word];
        {Word, [_ | Rest]} -> [Word | words(Rest, Separator)]
    end.
