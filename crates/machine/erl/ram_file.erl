%% Files in memory: written files of the execution under names that nobody else has, with the
%% answers of OTP's own, which keeps them in a driver.
-module(ram_file).
-export([open/2, close/1, write/2, read/2, copy/3, pread/2, pread/3, pwrite/2, pwrite/3]).
-export([position/2, truncate/1, datasync/1, sync/1, get_size/1, get_file/1, advise/4, allocate/3]).
-export([ipread_s32bu_p32bu/3]).

-define(MODES, [read, write, binary, ram, append, exclusive]).

open(Data, Modes) ->
    try {iolist_to_binary(Data), lists:all(fun(M) -> lists:member(M, ?MODES) end, Modes)} of
        {Bytes, true} -> opened(Bytes, Modes);
        {_, false} -> {error, badarg}
    catch
        error:_ -> {error, badarg}
    end.

opened(Bytes, Modes) ->
    Path = "/reverl ram/" ++ integer_to_list(erlang:unique_integer([positive])),
    reverl:file_write(Path, whole, Bytes),
    Ref = make_ref(),
    put({prim_file, Ref}, {0, kept}),
    Has = fun(Mode) -> lists:member(Mode, Modes) end,
    {ok, {file_descriptor, ?MODULE,
          #{path => Path, ref => Ref, append => false, binary => Has(binary),
            read => Has(read) orelse not Has(write), write => Has(write)}}}.

close({file_descriptor, _, _} = File) ->
    prim_file:close(File),
    ok.

read(File, Size) -> reading(File, fun() -> prim_file:read(File, Size) end).
pread(File, At, Size) -> reading(File, fun() -> prim_file:pread(File, At, Size) end).
pread(File, Places) when is_list(Places) ->
    reading(File, fun() -> {ok, [shown_part(File, prim_file:pread(File, At, Size)) || {At, Size} <- Places]} end).

shown_part(File, Read) ->
    case shown(File, Read) of
        {ok, Data} -> Data;
        eof -> eof
    end.

reading({file_descriptor, _, #{read := true}} = File, Read) -> shown(File, Read());
reading(_, _) -> {error, ebadf}.

shown({file_descriptor, _, #{binary := false}}, {ok, Data}) when is_binary(Data) -> {ok, binary_to_list(Data)};
shown(_, Answer) -> Answer.

write(File, Data) -> writing(File, fun() -> prim_file:write(File, Data) end).
pwrite(File, At, Data) -> writing(File, fun() -> prim_file:pwrite(File, At, Data) end).
pwrite(File, Places) -> writing(File, fun() -> prim_file:pwrite(File, Places) end).
truncate(File) -> writing(File, fun() -> prim_file:truncate(File) end).

writing({file_descriptor, _, #{write := true}}, Write) -> Write();
writing(_, _) -> {error, ebadf}.

position(File, At) -> prim_file:position(File, At).

copy(From, To, infinity) -> copy(From, To, 1 bsl 31);
copy(From, To, Most) ->
    case read(From, Most) of
        {ok, Data} ->
            case write(To, Data) of
                ok -> {ok, iolist_size(Data)};
                Error -> Error
            end;
        eof -> {ok, 0};
        Error -> Error
    end.

datasync(_) -> ok.
sync(_) -> ok.
advise(_, _, _, _) -> ok.
allocate(_, _, _) -> ok.

get_file(File) ->
    {ok, Size} = get_size(File),
    case Size of
        0 -> shown(File, {ok, <<>>});
        _ -> shown(File, prim_file:pread(File, 0, Size))
    end.

get_size({file_descriptor, _, #{path := Path}}) -> {ok, byte_size(reverl:file_kept(Path))}.

ipread_s32bu_p32bu(File, At, Most) -> prim_file:ipread_s32bu_p32bu(File, At, Most).
