%% Answers, for terms Reverl made up, what OTP says about them. One run judges all.
-module(judge).
-export([run/3]).

%% In: <<Size:32, Term:Size/binary>>*. Out: for each term its answers, each <<Size:32, Answer:Size/binary>>.
run(Kind, In, Out) ->
    {ok, Bytes} = file:read_file(In),
    Terms = [binary_to_term(B) || <<N:32, B:N/binary>> <= Bytes],
    Pairs = lists:zip(Terms, tl(Terms) ++ [hd(Terms)]),
    Answers = [[<<(byte_size(A)):32, A/binary>> || A <- answers(Kind, X, Y)] || {X, Y} <- Pairs],
    ok = file:write_file(Out, Answers),
    halt(0).

answers(terms, X, Y) -> judge(X, Y);
answers(formats, {F, Args}, _) -> [format(F, Args)];
answers(records, {T, Column, Length, Depth}, _) ->
    Options = [{column, Column}, {line_length, Length}, {depth, Depth}, {encoding, unicode},
               {record_print_fun, fun fields/2}],
    [unicode:characters_to_binary(io_lib_pretty:print(T, Options))];
answers(segments, {X, Size, Skip}, _) -> [iolist_to_binary([[answer(F), "\n"] || F <- segments(X, Size, Skip)])].

format(F, Args) ->
    try unicode:characters_to_binary(io_lib:format(F, Args)) of
        B when is_binary(B) -> B;
        _ -> <<"not a text">>
    catch
        error:badarg -> <<"badarg">>
    end.

fields(r, 2) -> [first, second_field];
fields(a_rather_long_atom_for_a_tag, N) when N > 0 -> [list_to_atom("f" ++ integer_to_list(I)) || I <- lists:seq(1, N)];
fields(ok, 1) -> [value];
fields(hello_world, 3) -> [a, 'B c', the_third_of_the_fields];
fields(_, _) -> no.

%% What is built from a value, and read again Skip bits later.
segments(X, Size, Skip) ->
    Build = [fun() -> <<0:Skip, X:Size>> end, fun() -> <<0:Skip, X:Size/little>> end,
             fun() -> <<0:Skip, X:Size/float>> end, fun() -> <<0:Skip, X:Size/float-little>> end,
             fun() -> <<0:Skip, X/utf8>> end, fun() -> <<0:Skip, X/utf16>> end,
             fun() -> <<0:Skip, X/utf16-little>> end, fun() -> <<0:Skip, X/utf32>> end],
    Read = [fun(B) -> <<_:Skip, R:Size, _/bits>> = B, R end,
            fun(B) -> <<_:Skip, R:Size/signed, _/bits>> = B, R end,
            fun(B) -> <<_:Skip, R:Size/little, _/bits>> = B, R end,
            fun(B) -> <<_:Skip, R:Size/signed-little, _/bits>> = B, R end,
            fun(B) -> <<_:Skip, R:Size/float, _/bits>> = B, R end,
            fun(B) -> <<_:Skip, R:Size/float-little, _/bits>> = B, R end,
            fun(B) -> <<_:Skip, R/utf8, _/bits>> = B, R end,
            fun(B) -> <<_:Skip, R/utf16, _/bits>> = B, R end,
            fun(B) -> <<_:Skip, R/utf32, _/bits>> = B, R end],
    [fun() -> B = F(), [B | [try R(B) catch error:_ -> none end || R <- Read]] end || F <- Build].

judge(X, Y) ->
    [term_to_binary(X),
     term_to_binary(X, [{minor_version, 2}]),
     list_to_binary([integer_to_list(erlang:phash2(X)), " ",
                     integer_to_list(erlang:phash2(X, 1 bsl 32)), " ",
                     integer_to_list(erlang:phash(X, 1 bsl 32))]),
     list_to_binary([order(X, Y), bool(X =:= Y), bool(X == Y), bool(#{X => 1} < #{Y => 1})])]
        ++ [text(F, [X | A]) || {F, A} <- formats()]
        ++ [arith(X, Y)].

formats() ->
    [{"~w", []}, {"~tw", []}, {"~p", []}, {"~tp", []}, {"~0p", []}, {"~lp", []}, {"~tlp", []}]
        ++ [{"~" ++ integer_to_list(W) ++ "p", []} || W <- [1, 10, 20, 30, 40, 60, 100, 132]]
        ++ [{"~40.20p", []}, {"~60.1p", []}, {"abc\tde~p", []}, {"a\n  {result, ~tp}", []}]
        ++ [{"~W", [D]} || D <- [1, 2, 3, 5, 9]]
        ++ [{"~P", [D]} || D <- [1, 2, 3, 4, 5, 9, 20]]
        ++ [{"~30tP", [D]} || D <- [2, 4, 6, 8, 15]]
        ++ [{"~8w|", []}, {"~-12.5.xw|", []}].

text(F, Args) -> unicode:characters_to_binary(io_lib:format(F, Args)).

order(X, Y) when X < Y -> "<";
order(X, Y) when X > Y -> ">";
order(_, _) -> "=".

bool(true) -> "t";
bool(false) -> "f".

%% Every arithmetic operation on the pair, or why there is none.
arith(X, Y) ->
    Ops = [fun() -> X + Y end, fun() -> X - Y end, fun() -> X * Y end, fun() -> X / Y end,
           fun() -> X div Y end, fun() -> X rem Y end, fun() -> X band Y end, fun() -> X bor Y end,
           fun() -> X bxor Y end, fun() -> X bsl (Y rem 100) end, fun() -> X bsr (Y rem 100) end,
           fun() -> bnot X end, fun() -> -X end, fun() -> float(X) end, fun() -> trunc(X) end,
           fun() -> round(X) end, fun() -> float_to_list(X) end,
           fun() -> float_to_list(X, [{decimals, 3}]) end,
           fun() -> float_to_list(X, [{decimals, 12}, compact]) end,
           fun() -> float_to_list(X, [{scientific, 7}]) end,
           fun() -> integer_to_list(X, 36) end,
           fun() -> io_lib:format("~f ~.3f ~e ~.2e ~g ~.10g", [X, X, X, X, X, X]) end,
           fun() -> io_lib:format("~b ~.16b ~.16B ~.8x ~.36# ~+", [X, X, X, X, "0o", X, X]) end],
    case is_number(X) andalso is_number(Y) of
        true -> iolist_to_binary([[answer(F), "\n"] || F <- Ops]);
        false -> <<>>
    end.

answer(F) ->
    try F() of
        [B | _] = R when is_bitstring(B) -> io_lib:format("~w", [R]);
        R when is_list(R) -> R;
        R -> io_lib:format("~w", [R])
    catch
        error:R -> atom_to_list(R)
    end.
