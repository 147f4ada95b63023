%% Base 64 (RFC 4648), for machines without OTP.
-module(base64).
-export([encode/1, encode_to_string/1, decode/1, decode_to_string/1]).
-export([mime_decode/1, mime_decode_to_string/1]).

encode(Data) -> encode(bytes(Data), <<>>).

encode_to_string(Data) -> binary_to_list(encode(Data)).

encode(<<A:6, B:6, C:6, D:6, Rest/binary>>, Done) ->
    encode(Rest, <<Done/binary, (digit(A)), (digit(B)), (digit(C)), (digit(D))>>);
encode(<<A:6, B:6, C:4>>, Done) ->
    <<Done/binary, (digit(A)), (digit(B)), (digit(C bsl 2)), $=>>;
encode(<<A:6, B:2>>, Done) -> <<Done/binary, (digit(A)), (digit(B bsl 4)), $=, $=>>;
encode(<<>>, Done) -> Done.

digit(N) when N < 26 -> $A + N;
digit(N) when N < 52 -> $a + N - 26;
digit(N) when N < 62 -> $0 + N - 52;
digit(62) -> $+;
digit(63) -> $/.

bytes(Data) when is_binary(Data) -> Data;
bytes(Data) when is_list(Data) -> list_to_binary(Data).

%% White space is passed over, anything else is an error.
decode(Text) -> strict(bytes(Text), <<>>).

decode_to_string(Text) -> binary_to_list(decode(Text)).

strict(<<C, Rest/binary>>, Bits) when C =:= $\s; C =:= $\t; C =:= $\n; C =:= $\r ->
    strict(Rest, Bits);
strict(<<$=, Rest/binary>>, Bits) -> padding(Rest, Bits, bit_size(Bits) rem 24);
strict(<<C, Rest/binary>>, Bits) ->
    case value(C) of
        none -> erlang:error(function_clause);
        N -> strict(Rest, <<Bits/bitstring, N:6>>)
    end;
strict(<<>>, Bits) when bit_size(Bits) rem 24 =:= 0 -> Bits;
strict(<<>>, _) -> erlang:error(missing_padding).

padding(Rest, Bits, 18) -> finished(spaceless(Rest), <<>>, Bits, 2);
padding(Rest, Bits, 12) -> finished(spaceless(Rest), <<"=">>, Bits, 4);
padding(_, _, _) -> erlang:error(function_clause).

finished(Rest, Rest, Bits, Spare) -> drop(Bits, Spare);
finished(_, _, _, _) -> erlang:error(function_clause).

drop(Bits, Spare) ->
    Size = bit_size(Bits) - Spare,
    <<Bytes:Size/bitstring, _/bitstring>> = Bits,
    Bytes.

spaceless(Text) ->
    << <<C>> || <<C>> <= Text, C =/= $\s, C =/= $\t, C =/= $\n, C =/= $\r >>.

value(C) when C >= $A, C =< $Z -> C - $A;
value(C) when C >= $a, C =< $z -> C - $a + 26;
value(C) when C >= $0, C =< $9 -> C - $0 + 52;
value($+) -> 62;
value($/) -> 63;
value(_) -> none.

%% Whatever is not a digit is skipped, and so is padding that is not at the end.
mime_decode(Text) ->
    Known = [C || <<C>> <= bytes(Text), C =:= $= orelse value(C) =/= none],
    Bits = << <<(value(C)):6>> || C <- Known, C =/= $= >>,
    case bit_size(Bits) rem 24 of
        0 -> Bits;
        Rest when Rest > 6 ->
            case lists:last(Known) of
                $= -> drop(Bits, bit_size(Bits) rem 8);
                _ -> erlang:error(missing_padding)
            end;
        _ -> erlang:error(missing_padding)
    end.

mime_decode_to_string(Text) -> binary_to_list(mime_decode(Text)).
