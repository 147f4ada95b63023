%% The buffers of files that are written late or read by lines: each is a small table, because the
%% process that fills one and the process that empties it need not be the same.
-module(prim_buffer).
-export([new/0, size/1, wipe/1, read/2, read_iovec/2, write/2, skip/2, find_byte_index/2]).
-export([try_lock/1, unlock/1]).

new() ->
    Buffer = ets:new(?MODULE, [public]),
    set(Buffer, <<>>),
    Buffer.

bytes(Buffer) -> ets:lookup_element(Buffer, bytes, 2).
set(Buffer, Bytes) -> ets:insert(Buffer, {bytes, Bytes}), ok.

size(Buffer) -> byte_size(bytes(Buffer)).

wipe(Buffer) -> set(Buffer, <<>>).

read(Buffer, Size) ->
    case bytes(Buffer) of
        <<Part:Size/binary, Rest/binary>> ->
            set(Buffer, Rest),
            Part;
        _ ->
            error(badarg, [Buffer, Size])
    end.

read_iovec(Buffer, Size) -> [read(Buffer, Size)].

skip(Buffer, Size) ->
    read(Buffer, Size),
    ok.

write(Buffer, Data) -> set(Buffer, iolist_to_binary([bytes(Buffer), Data])).

find_byte_index(Buffer, Byte) ->
    case binary:match(bytes(Buffer), <<Byte>>) of
        {At, 1} -> {ok, At};
        nomatch -> not_found
    end.

try_lock(Buffer) ->
    case ets:insert_new(Buffer, {lock}) of
        true -> acquired;
        false -> busy
    end.

unlock(Buffer) ->
    ets:delete(Buffer, lock),
    ok.
