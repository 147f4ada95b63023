%% What is packed and unpacked whole is native; here is what is wrong with data for which that fails.
-module(zlib).
-export([compress/1, uncompress/1, zip/1, unzip/1, gzip/1, gunzip/1]).

compress(Data) -> iolist_to_binary(Data).
zip(Data) -> iolist_to_binary(Data).
gzip(Data) -> iolist_to_binary(Data).

uncompress(Data) -> refused(Data).
unzip(Data) -> refused(Data).
gunzip(Data) -> refused(Data).

refused(Data) ->
    _ = iolist_to_binary(Data),
    error(data_error).
