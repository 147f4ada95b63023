%% Streams of packed bytes, in pieces: what comes out of one goes into another.
-module(zlib_streams).
-export([main/0]).

t(F) -> io:format("~0p~n", [try F() catch C:E -> {C, E} end]).

packed(Bits, Parts) ->
    Z = zlib:open(),
    ok = zlib:deflateInit(Z, default, deflated, Bits, 8, default),
    Packed = [zlib:deflate(Z, Part, Flush) || {Part, Flush} <- Parts],
    ok = zlib:deflateEnd(Z),
    ok = zlib:close(Z),
    Packed.

unpacked(Bits, Pieces) ->
    Z = zlib:open(),
    ok = zlib:inflateInit(Z, Bits),
    Unpacked = [zlib:inflate(Z, Piece) || Piece <- Pieces],
    ok = zlib:inflateEnd(Z),
    ok = zlib:close(Z),
    iolist_to_binary(Unpacked).

pieces(<<Piece:7/binary, Rest/binary>>) -> [Piece | pieces(Rest)];
pieces(Rest) -> [Rest].

main() ->
    Text = iolist_to_binary([["line ", integer_to_list(N rem 17), $\n] || N <- lists:seq(1, 300)]),
    Parts = [{"one ", none}, {Text, sync}, {"two", full}, {Text, finish}],
    All = iolist_to_binary([Part || {Part, _} <- Parts]),
    [t(fun() ->
         Packed = packed(Bits, Parts),
         unpacked(Bits, pieces(iolist_to_binary(Packed))) =:= All
     end) || Bits <- [15, -15, 31]],
    t(fun() -> zlib:gunzip(packed(31, [{"abc", finish}])) end),
    t(fun() -> zlib:uncompress(iolist_to_binary(packed(15, [{"abc", finish}]))) end),
    t(fun() -> unpacked(15, [zlib:compress(Text)]) =:= Text end),
    t(fun() -> unpacked(15, [<<1, 2, 3, 4, 5, 6>>]) end),
    t(fun() -> unpacked(15, [binary:part(zlib:compress(Text), 0, 20)]) end),
    t(fun() -> packed(15, [{"abc", none}]) end),
    t(fun() -> zlib:close(zlib:open()) end),
    t(fun() -> Z = zlib:open(), zlib:deflate(Z, "x") end),
    t(fun() ->
        Z = zlib:open(),
        ok = zlib:inflateInit(Z, 31, reset),
        Two = zlib:inflate(Z, [zlib:gzip("one"), zlib:gzip("two")]),
        iolist_to_binary(Two)
    end),
    t(fun() ->
        Z = zlib:open(),
        ok = zlib:deflateInit(Z),
        _ = zlib:deflate(Z, "gone"),
        ok = zlib:deflateReset(Z),
        zlib:uncompress(iolist_to_binary(zlib:deflate(Z, "kept", finish)))
    end).
