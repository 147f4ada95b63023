%% Strings, for a machine without OTP: a character is a code point here, not a grapheme cluster.
-module(string).
-export([length/1, is_empty/1, to_graphemes/1, reverse/1, slice/2, slice/3, pad/2, pad/3, pad/4]).
-export([trim/1, trim/2, trim/3, chomp/1, take/2, take/3, take/4, lowercase/1, uppercase/1]).
-export([titlecase/1, casefold/1, to_integer/1, to_float/1, prefix/2, split/2, split/3]).
-export([replace/3, replace/4, find/2, find/3, lexemes/2, nth_lexeme/3, equal/2, equal/3]).
-export([equal/4, concat/2, next_codepoint/1, next_grapheme/1]).
-export([len/1, str/2, rstr/2, chr/2, rchr/2, substr/2, substr/3, tokens/2, join/2, chars/2]).
-export([chars/3, copies/2, words/1, words/2, sub_word/2, sub_word/3, strip/1, strip/2, strip/3]).
-export([left/2, left/3, right/2, right/3, centre/2, centre/3, to_upper/1, to_lower/1]).
-export([span/2, cspan/2, sub_string/2, sub_string/3]).

-define(SPACE, [$\r, $\n, $\s, $\t, $\v, $\f, 16#85, 16#200E, 16#200F, 16#2028, 16#2029]).

chars_of(S) ->
    case unicode:characters_to_list(S) of
        L when is_list(L) -> L;
        _ -> error(badarg)
    end.

%% A result is a binary if the string was.
like(S, L) when is_binary(S) -> unicode:characters_to_binary(L);
like(_, L) -> L.

length(S) -> erlang:length(chars_of(S)).
is_empty(S) -> chars_of(S) =:= [].
to_graphemes(S) -> chars_of(S).
reverse(S) -> lists:reverse(chars_of(S)).

next_codepoint(S) -> next(chars_of(S), S).
next_grapheme(S) -> next(chars_of(S), S).

next([C | L], S) -> [C | like(S, L)];
next([], _) -> [].

slice(S, Start) -> like(S, drop(Start, chars_of(S))).
slice(S, Start, infinity) -> slice(S, Start);
slice(S, Start, N) -> like(S, lists:sublist(drop(Start, chars_of(S)), N)).

drop(N, [_ | L]) when N > 0 -> drop(N - 1, L);
drop(_, L) -> L.

pad(S, N) -> pad(S, N, trailing, $\s).
pad(S, N, Where) -> pad(S, N, Where, $\s).

pad(S, N, Where, C) when is_integer(N) ->
    case max(0, N - string:length(S)) of
        More when Where =:= leading -> [lists:duplicate(More, C), S];
        More when Where =:= trailing -> [S | lists:duplicate(More, C)];
        More when Where =:= both ->
            Left = More div 2,
            [lists:duplicate(Left, C), S | lists:duplicate(More - Left, C)]
    end.

trim(S) -> trim(S, both, ?SPACE).
trim(S, Where) -> trim(S, Where, ?SPACE).
trim(S, leading, Cs) -> like(S, trim_left(chars_of(S), Cs));
trim(S, trailing, Cs) -> like(S, trim_right(chars_of(S), Cs));
trim(S, both, Cs) -> like(S, trim_right(trim_left(chars_of(S), Cs), Cs)).

trim_left(L, Cs) -> lists:dropwhile(fun(C) -> lists:member(C, Cs) end, L).
trim_right(L, Cs) -> lists:reverse(trim_left(lists:reverse(L), Cs)).

chomp(S) ->
    case lists:reverse(chars_of(S)) of
        [$\n, $\r | L] -> like(S, lists:reverse(L));
        [$\n | L] -> like(S, lists:reverse(L));
        _ -> S
    end.

take(S, Cs) -> take(S, Cs, false, leading).
take(S, Cs, Complement) -> take(S, Cs, Complement, leading).

take(S, Cs, Complement, Where) ->
    In = fun(C) -> lists:member(C, Cs) xor Complement end,
    case Where of
        leading ->
            {A, B} = lists:splitwith(In, chars_of(S)),
            {like(S, A), like(S, B)};
        trailing ->
            {A, B} = lists:splitwith(In, lists:reverse(chars_of(S))),
            {like(S, lists:reverse(B)), like(S, lists:reverse(A))}
    end.

uppercase(S) -> like(S, reverl:uppercase(chars_of(S))).
lowercase(S) -> like(S, reverl:lowercase(chars_of(S))).
casefold(S) -> lowercase(S).

titlecase(S) ->
    case chars_of(S) of
        [C | L] -> like(S, reverl:uppercase([C]) ++ L);
        [] -> S
    end.

to_integer(S) -> number(fun string:list_to_integer/1, S).
to_float(S) -> number(fun string:list_to_float/1, S).

number(Read, S) ->
    try Read(chars_of(S)) of
        {error, Why} -> {error, Why};
        {N, Rest} -> {N, like(S, Rest)}
    catch
        error:_ -> {error, badarg}
    end.

prefix(S, Prefix) ->
    case after_prefix(chars_of(S), chars_of(Prefix)) of
        nomatch -> nomatch;
        L -> like(S, L)
    end.

after_prefix(L, []) -> L;
after_prefix([C | L], [C | P]) -> after_prefix(L, P);
after_prefix(_, _) -> nomatch.

split(S, Pattern) -> split(S, Pattern, leading).

split(S, Pattern, Where) ->
    case chars_of(Pattern) of
        [] -> [S];
        P -> [like(S, L) || L <- parts(chars_of(S), P, Where)]
    end.

parts(L, P, leading) ->
    case cut(L, P, []) of
        {A, B} -> [A, B];
        nomatch -> [L]
    end;
parts(L, P, trailing) ->
    case cut(lists:reverse(L), lists:reverse(P), []) of
        {A, B} -> [lists:reverse(B), lists:reverse(A)];
        nomatch -> [L]
    end;
parts(L, P, all) ->
    case cut(L, P, []) of
        {A, B} -> [A | parts(B, P, all)];
        nomatch -> [L]
    end.

%% Before and after the first occurrence.
cut([C | L] = All, P, Before) ->
    case after_prefix(All, P) of
        nomatch -> cut(L, P, [C | Before]);
        Rest -> {lists:reverse(Before), Rest}
    end;
cut([], _, _) ->
    nomatch.

replace(S, Pattern, New) -> lists:join(New, split(S, Pattern)).
replace(S, Pattern, New, Where) -> lists:join(New, split(S, Pattern, Where)).

find(S, Pattern) -> find(S, Pattern, leading).

find(S, Pattern, Where) ->
    case chars_of(Pattern) of
        [] -> S;
        P ->
            case parts(chars_of(S), P, Where) of
                [_] -> nomatch;
                [_, Rest] -> like(S, P ++ Rest)
            end
    end.

lexemes(S, Separators) -> [like(S, L) || L <- lexemes_in(chars_of(S), flat(Separators))].

lexemes_in(L, Cs) ->
    case trim_left(L, Cs) of
        [] -> [];
        L1 ->
            {A, B} = lists:splitwith(fun(C) -> not lists:member(C, Cs) end, L1),
            [A | lexemes_in(B, Cs)]
    end.

flat(Cs) -> lists:flatten(Cs).

nth_lexeme(S, N, Separators) ->
    case lexemes(S, Separators) of
        Ls when N =< erlang:length(Ls) -> lists:nth(N, Ls);
        _ -> like(S, [])
    end.

equal(A, B) -> equal(A, B, false).
equal(A, B, true) -> lowercase(chars_of(A)) =:= lowercase(chars_of(B));
equal(A, B, false) -> chars_of(A) =:= chars_of(B).
equal(A, B, IgnoreCase, _Normal) -> equal(A, B, IgnoreCase).

%% The functions of the old interface are on lists.

len(S) -> erlang:length(S).
concat(A, B) -> A ++ B.

chr(S, C) -> index(S, fun(X) -> X =:= C end, 1).

index([X | S], F, I) ->
    case F(X) of
        true -> I;
        false -> index(S, F, I + 1)
    end;
index([], _, _) -> 0.

rchr(S, C) ->
    case chr(lists:reverse(S), C) of
        0 -> 0;
        I -> erlang:length(S) - I + 1
    end.

str(S, Sub) when is_list(Sub) -> str(S, Sub, 1).

str([_ | L] = S, Sub, I) ->
    case lists:prefix(Sub, S) of
        true -> I;
        false -> str(L, Sub, I + 1)
    end;
str([], _, _) -> 0.

rstr(S, Sub) ->
    case str(lists:reverse(S), lists:reverse(Sub)) of
        0 -> 0;
        I -> erlang:length(S) - I - erlang:length(Sub) + 2
    end.

span(S, Cs) -> erlang:length(lists:takewhile(fun(C) -> lists:member(C, Cs) end, S)).
cspan(S, Cs) -> erlang:length(lists:takewhile(fun(C) -> not lists:member(C, Cs) end, S)).

substr(S, Start) -> lists:nthtail(Start - 1, S).
substr(S, Start, N) -> lists:sublist(S, Start, N).
sub_string(S, Start) -> substr(S, Start).
sub_string(S, Start, Stop) -> substr(S, Start, Stop - Start + 1).

tokens(S, Cs) -> lexemes_in(S, Cs).
join([], Sep) when is_list(Sep) -> [];
join([S | Ss], Sep) -> S ++ lists:append([Sep ++ X || X <- Ss]).

chars(C, N) -> chars(C, N, []).
chars(C, N, Tail) -> lists:duplicate(N, C) ++ Tail.
copies(S, N) -> lists:append(lists:duplicate(N, S)).

words(S) -> words(S, $\s).
words(S, C) -> max(1, erlang:length(tokens(S, [C]))).

sub_word(S, N) -> sub_word(S, N, $\s).
sub_word(S, N, C) ->
    case tokens(S, [C]) of
        Ws when N =< erlang:length(Ws) -> lists:nth(N, Ws);
        _ -> []
    end.

strip(S) -> strip(S, both).
strip(S, Where) -> strip(S, Where, $\s).
strip(S, left, C) -> trim_left(S, [C]);
strip(S, right, C) -> trim_right(S, [C]);
strip(S, both, C) -> trim_right(trim_left(S, [C]), [C]).

left(S, N) -> left(S, N, $\s).
left(S, N, C) -> lists:sublist(S, N) ++ lists:duplicate(max(0, N - erlang:length(S)), C).
right(S, N) -> right(S, N, $\s).
right(S, N, C) -> lists:reverse(left(lists:reverse(S), N, C)).
centre(S, N) -> centre(S, N, $\s).

centre(S, N, C) ->
    case N - erlang:length(S) of
        More when More >= 0 ->
            Left = More div 2,
            lists:duplicate(Left, C) ++ S ++ lists:duplicate(More - Left, C);
        Less ->
            lists:sublist(S, -Less div 2 + 1, N)
    end.

to_upper(C) when is_integer(C) -> upper(C);
to_upper(S) -> [upper(C) || C <- S].
to_lower(C) when is_integer(C) -> lower(C);
to_lower(S) -> [lower(C) || C <- S].

%% Latin-1 only.
upper(C) when C >= $a, C =< $z -> C - 32;
upper(C) when C >= 16#E0, C =< 16#FE, C =/= 16#F7 -> C - 32;
upper(C) -> C.

lower(C) when C >= $A, C =< $Z -> C + 32;
lower(C) when C >= 16#C0, C =< 16#DE, C =/= 16#D7 -> C + 32;
lower(C) -> C.
