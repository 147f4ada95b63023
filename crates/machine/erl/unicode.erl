%% Unicode: what is not built in. Normalisation needs OTP's tables.
-module(unicode).
-export([characters_to_list/1, characters_to_binary/1, characters_to_binary/3]).
-export([encoding_to_bom/1, bom_to_encoding/1]).

characters_to_list(Data) -> unicode:characters_to_list(Data, utf8).

characters_to_binary(Data) -> unicode:characters_to_binary(Data, utf8).

%% Only what cannot be converted as a whole comes here.
characters_to_binary(Data, From, To) ->
    case unicode:characters_to_list(Data, From) of
        Chars when is_list(Chars) -> part(Chars, [], To);
        {Why, Chars, Rest} -> {Why, characters_to_binary(Chars, utf8, To), Rest}
    end.

part([C | Chars], Before, To) ->
    case To =:= latin1 andalso C > 255 of
        true -> {error, characters_to_binary(lists:reverse(Before), utf8, To), [[C] | Chars]};
        false -> part(Chars, [C | Before], To)
    end;
part([], Before, To) ->
    error(badarg, [lists:reverse(Before), To]).

encoding_to_bom(unicode) -> <<239, 187, 191>>;
encoding_to_bom(utf8) -> <<239, 187, 191>>;
encoding_to_bom(utf16) -> <<254, 255>>;
encoding_to_bom({utf16, big}) -> <<254, 255>>;
encoding_to_bom({utf16, little}) -> <<255, 254>>;
encoding_to_bom({utf32, big}) -> <<0, 0, 254, 255>>;
encoding_to_bom({utf32, little}) -> <<255, 254, 0, 0>>;
encoding_to_bom(latin1) -> <<>>.

bom_to_encoding(<<239, 187, 191, _/binary>>) -> {utf8, 3};
bom_to_encoding(<<0, 0, 254, 255, _/binary>>) -> {{utf32, big}, 4};
bom_to_encoding(<<255, 254, 0, 0, _/binary>>) -> {{utf32, little}, 4};
bom_to_encoding(<<254, 255, _/binary>>) -> {{utf16, big}, 2};
bom_to_encoding(<<255, 254, _/binary>>) -> {{utf16, little}, 2};
bom_to_encoding(Bin) when is_binary(Bin) -> {latin1, 0}.
