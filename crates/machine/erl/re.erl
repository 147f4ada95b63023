%% Replacing and splitting with regular expressions, for machines without OTP. Compiling and
%% running are native.
-module(re).
-export([replace/3, replace/4, split/2, split/3]).

replace(Subject, Pattern, With) -> replace(Subject, Pattern, With, []).

replace(Subject, Pattern, With, Options) ->
    {Return, Rest} = return(Options, iodata),
    Global = lists:member(global, Rest),
    Unicode = is_unicode(Pattern, Rest),
    Whole = flat(Subject, Unicode),
    Parts =
        case re:run(Whole, Pattern, (Rest -- [global]) ++ [global || Global]) of
            nomatch when Return =:= iodata -> Subject;
            nomatch -> [Whole];
            {match, Found} ->
                Matches = case Global of true -> Found; false -> [Found] end,
                replaced(Whole, 0, Matches, replacement(With, Unicode))
        end,
    as(Return, Parts, Unicode).

replaced(Whole, At, [], _) -> [part(Whole, At, byte_size(Whole) - At)];
replaced(Whole, At, [[{From, Size} | _] = Match | Rest], With) when is_function(With) ->
    [_ | Groups] = [part(Whole, F, S) || {F, S} <- Match],
    New = With(part(Whole, From, Size), Groups),
    [part(Whole, At, From - At), New | replaced(Whole, From + Size, Rest, With)];
replaced(Whole, At, [[{From, Size} | _] = Match | Rest], With) ->
    New = [case Piece of
               {group, N} when N < length(Match) ->
                   {F, S} = lists:nth(N + 1, Match),
                   part(Whole, F, S);
               {group, _} -> <<>>;
               Text -> Text
           end || Piece <- With],
    [part(Whole, At, From - At), New | replaced(Whole, From + Size, Rest, With)].

part(_, -1, 0) -> <<>>;
part(Whole, From, Size) -> binary:part(Whole, From, Size).

%% & is the match, \1 and \g{1} are groups.
replacement(With, _) when is_function(With) -> With;
replacement(With, Unicode) -> pieces(flat(With, Unicode), <<>>).

pieces(<<>>, Text) -> [Text];
pieces(<<$&, Rest/binary>>, Text) -> [Text, {group, 0} | pieces(Rest, <<>>)];
pieces(<<"\\g{", Rest/binary>> = All, Text) ->
    case number(Rest, none) of
        {N, <<"}", More/binary>>} -> [Text, {group, N} | pieces(More, <<>>)];
        _ ->
            <<_, G, More/binary>> = All,
            pieces(More, <<Text/binary, G>>)
    end;
pieces(<<"\\g", Digit, Rest/binary>>, Text) when Digit >= $0, Digit =< $9 ->
    {N, More} = number(<<Digit, Rest/binary>>, none),
    [Text, {group, N} | pieces(More, <<>>)];
pieces(<<$\\, Digit, Rest/binary>>, Text) when Digit >= $0, Digit =< $9 ->
    {N, More} = number(<<Digit, Rest/binary>>, none),
    [Text, {group, N} | pieces(More, <<>>)];
pieces(<<$\\, Char, Rest/binary>>, Text) -> pieces(Rest, <<Text/binary, Char>>);
pieces(<<Char, Rest/binary>>, Text) -> pieces(Rest, <<Text/binary, Char>>).

number(<<D, Rest/binary>>, none) when D >= $0, D =< $9 -> number(Rest, D - $0);
number(<<D, Rest/binary>>, N) when is_integer(N), D >= $0, D =< $9 ->
    number(Rest, N * 10 + D - $0);
number(Rest, N) -> {N, Rest}.

split(Subject, Pattern) -> split(Subject, Pattern, []).

split(Subject, Pattern, Options) ->
    {Return, Rest0} = return(Options, binary),
    {Limit, Rest1} = parts(Rest0),
    Group = lists:member(group, Rest1),
    Rest = [O || O <- Rest1, O =/= trim, O =/= group],
    Unicode = is_unicode(Pattern, Rest),
    Whole = flat(Subject, Unicode),
    %% Groups at the end count even where they are not set.
    {Compiled, Run} = compiled(Pattern, Rest),
    Groups = lists:seq(0, element(2, Compiled)),
    Pieces =
        case re:run(Whole, Compiled, [global, {capture, Groups} | Run]) of
            nomatch -> [[Whole]];
            {match, Found} when Group -> trim(Limit, pieces_of(Whole, 0, Found, Limit));
            {match, Found} ->
                Parts = lists:append(pieces_of(Whole, 0, Found, Limit)),
                [[Part] || [Part] <- trim(Limit, [[Part] || Part <- Parts])]
        end,
    Show = fun(Piece) -> as(Return, Piece, Unicode) end,
    case Group of
        true -> [lists:map(Show, Piece) || Piece <- Pieces];
        false -> lists:map(Show, lists:append(Pieces))
    end.

%% The pattern, and the options that are not part of it.
compiled({re_pattern, _, _, _, _} = Pattern, Options) -> {Pattern, Options};
compiled(Pattern, Options) ->
    Words = [unicode, anchored, caseless, dollar_endonly, dotall, extended, firstline, multiline,
             no_auto_capture, dupnames, ungreedy, bsr_anycrlf, bsr_unicode, no_start_optimize,
             ucp, never_utf],
    IsForCompile = fun({newline, _}) -> true; (Option) -> lists:member(Option, Words) end,
    {Own, Run} = lists:partition(IsForCompile, Options),
    case re:compile(Pattern, Own) of
        {ok, Compiled} -> {Compiled, Run};
        {error, _} -> erlang:error(badarg)
    end.

%% Pieces with the groups that follow them.
pieces_of(Whole, 0, _, _) when Whole =:= <<>> -> [[<<>>]];
pieces_of(Whole, At, [], _) -> [[part(Whole, At, byte_size(Whole) - At)]];
pieces_of(Whole, At, _, 1) -> [[part(Whole, At, byte_size(Whole) - At)]];
pieces_of(Whole, At, [[{From, 0} | _] | Rest], Limit)
  when From =:= At ->
    pieces_of(Whole, At, Rest, Limit);
pieces_of(Whole, At, [[{From, Size} | Groups] | Rest], Limit) ->
    Piece = [part(Whole, At, From - At) | [part(Whole, F, S) || {F, S} <- Groups]],
    [Piece | pieces_of(Whole, From + Size, Rest, less(Limit))].

less(N) when is_integer(N) -> N - 1;
less(Other) -> Other.

trim(Limit, Pieces) when Limit =/= trim -> Pieces;
trim(trim, Pieces) ->
    Empty = fun(Piece) -> lists:all(fun(P) -> P =:= <<>> end, Piece) end,
    lists:reverse(lists:dropwhile(Empty, lists:reverse(Pieces))).

parts(Options) ->
    case [V || {parts, V} <- Options] of
        [N | _] when is_integer(N), N > 0 -> {N, without(parts, Options)};
        [_ | _] -> {infinity, without(parts, Options)};
        [] ->
            case lists:member(trim, Options) of
                true -> {trim, Options};
                false -> {infinity, Options}
            end
    end.

return(Options, Default) ->
    case [V || {return, V} <- Options] of
        [V | _] -> {V, without(return, Options)};
        [] -> {Default, Options}
    end.

without(Key, Options) ->
    lists:filter(fun({K, _}) -> K =/= Key; (_) -> true end, Options).

is_unicode({re_pattern, _, Unicode, _, _}, _) -> Unicode =:= 1;
is_unicode(_, Options) -> lists:member(unicode, Options).

flat(Text, true) ->
    case unicode:characters_to_binary(Text) of
        Binary when is_binary(Binary) -> Binary;
        _ -> erlang:error(badarg)
    end;
flat(Text, false) -> iolist_to_binary(Text).

as(iodata, [First | _] = Parts, _) when is_binary(First), length(Parts) > 1 -> shared(Parts);
as(iodata, Parts, _) -> Parts;
as(binary, Parts, _) -> iolist_to_binary(Parts);
as(list, Parts, true) -> unicode:characters_to_list(iolist_to_binary(Parts));
as(list, Parts, false) -> binary_to_list(iolist_to_binary(Parts)).

%% Without empty parts; what follows the last match is the tail.
shared([<<>>]) -> [];
shared([Last]) -> Last;
shared([Before, New | Rest]) ->
    Filled = [Part || Part <- [Before, iolist_to_binary(New)], Part =/= <<>>],
    Filled ++ shared(Rest).
