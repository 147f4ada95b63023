%% Binaries: what is not built in.
-module(binary).
-export([bin_to_list/1, bin_to_list/2, bin_to_list/3, replace/3, replace/4, encode_hex/1, encode_hex/2]).
-export([decode_hex/1]).

bin_to_list(Bin) -> binary_to_list(Bin).

bin_to_list(Bin, {Start, Len}) -> bin_to_list(Bin, Start, Len).
bin_to_list(Bin, Start, Len) -> binary_to_list(binary:part(Bin, Start, Len)).

replace(Bin, Pattern, New) -> replace(Bin, Pattern, New, []).

replace(Bin, Pattern, New, Options) ->
    {Global, Insert, Search} = options(Options, false, [], []),
    Found =
        case Global of
            true -> binary:matches(Bin, Pattern, Search);
            false -> [M || M <- [binary:match(Bin, Pattern, Search)], M =/= nomatch]
        end,
    iolist_to_binary(pieces(Bin, 0, Found, New, Insert)).

options([global | Os], _, Insert, Search) -> options(Os, true, Insert, Search);
options([{insert_replaced, I} | Os], Global, _, Search) when is_integer(I) ->
    options(Os, Global, [I], Search);
options([{insert_replaced, Is} | Os], Global, _, Search) when is_list(Is) ->
    options(Os, Global, Is, Search);
options([{scope, _} = O | Os], Global, Insert, Search) -> options(Os, Global, Insert, [O | Search]);
options([], Global, Insert, Search) -> {Global, lists:sort(Insert), Search};
options(_, _, _, _) -> error(badarg).

pieces(Bin, From, [{At, Len} | Found], New, Insert) ->
    Old = binary:part(Bin, At, Len),
    By = if is_function(New, 1) -> New(Old); true -> inserted(New, 0, Old, Insert) end,
    [binary:part(Bin, From, At - From), By | pieces(Bin, At + Len, Found, New, Insert)];
pieces(Bin, From, [], _, _) ->
    [binary:part(Bin, From, byte_size(Bin) - From)].

inserted(New, From, Old, [At | Insert]) ->
    [binary:part(New, From, At - From), Old | inserted(New, At, Old, Insert)];
inserted(New, From, _, []) ->
    [binary:part(New, From, byte_size(New) - From)].

encode_hex(Bin) -> encode_hex(Bin, uppercase).

encode_hex(Bin, Case) when is_binary(Bin) ->
    << <<(digit(N, Case))>> || <<N:4>> <= Bin >>;
encode_hex(Bin, _) ->
    error(badarg, [Bin]).

digit(N, _) when N < 10 -> $0 + N;
digit(N, uppercase) -> $A + N - 10;
digit(N, lowercase) -> $a + N - 10.

decode_hex(Bin) when byte_size(Bin) rem 2 =:= 0 ->
    << <<(value(C)):4>> || <<C>> <= Bin >>;
decode_hex(Bin) ->
    error(badarg, [Bin]).

value(C) when C >= $0, C =< $9 -> C - $0;
value(C) when C >= $A, C =< $F -> C - $A + 10;
value(C) when C >= $a, C =< $f -> C - $a + 10;
value(_) -> error(badarg).
