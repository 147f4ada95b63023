%% In the place of OTP's functions in C. What fails is told with the file and line of the C source, as
%% the functions of OTP that call these expect it. A stream is in the dictionary of its process.
-module(crypto).

-define(BAD(Id, File, Line, Argument, Text),
        {Id, #{c_file_name => File, c_file_line_num => Line, c_function_arg_num => Argument}, Text}).

on_load() -> ok.

info_lib() -> [{<<"Reverl">>, 0, <<"Reverl">>}].
info_nif() ->
    #{compile_type => normal, cryptolib_version_compiled => "Reverl",
      cryptolib_version_linked => "Reverl", fips_provider_available => false, link_type => static}.
info_fips() -> not_supported.
enable_fips_mode_nif(_) -> false.

hash_algorithms() ->
    [blake2s, blake2b, sha3_512, sha3_384, sha3_256, sha3_224, sha512, sha384, sha256, sha224, sha,
     ripemd160, md5, md4].
pubkey_algorithms() -> [dh].
cipher_algorithms() -> [Name || {Name, _} <- ciphers()].
mac_algorithms() -> [cmac, hmac, poly1305].
curve_algorithms() -> [].
rsa_opts_algorithms() -> [].

%% Hashes. A context is what has come so far.

hash_info(Type) when is_atom(Type) ->
    case lists:keyfind(Type, 1, hashes()) of
        {_, Size, Block, Number} -> #{size => Size, block_size => Block, type => Number};
        false -> error(badarg, [Type])
    end;
hash_info(Type) ->
    error(badarg, [Type]).

%% Sizes, and OpenSSL's numbers.
hashes() ->
    [{md4, 16, 64, 257}, {md5, 16, 64, 4}, {ripemd160, 20, 64, 117}, {sha, 20, 64, 64},
     {sha224, 28, 64, 675}, {sha256, 32, 64, 672}, {sha384, 48, 128, 673}, {sha512, 64, 128, 674},
     {sha3_224, 28, 144, 1096}, {sha3_256, 32, 136, 1097}, {sha3_384, 48, 104, 1098},
     {sha3_512, 64, 72, 1099}, {blake2b, 64, 128, 1056}, {blake2s, 32, 64, 1057}].

hash_nif(Type, Data) ->
    case is_atom(Type) andalso reverl:digest(Type, Data) of
        Digest when is_binary(Digest) -> Digest;
        _ -> error(?BAD(badarg, "hash.c", 108, 0, "Bad digest type"), [Type, Data])
    end.

hash_init_nif(Type) ->
    case lists:keymember(Type, 1, hashes()) of
        true -> {'$hash', Type, []};
        false -> error(?BAD(badarg, "hash.c", 142, 0, "Bad digest type"), [Type])
    end.

hash_update_nif({'$hash', Type, Data}, More) -> {'$hash', Type, [Data | More]};
hash_update_nif(State, More) -> error(?BAD(badarg, "hash.c", 171, 0, "Bad state"), [State, More]).

hash_final_nif({'$hash', Type, Data}) -> reverl:digest(Type, Data);
hash_final_nif(State) -> error(?BAD(badarg, "hash.c", 205, 0, "Bad state"), [State]).

hash_equals_nif(A, B) when is_binary(A), is_binary(B), byte_size(A) =:= byte_size(B) -> A =:= B;
hash_equals_nif(A, B) -> error(badarg, [A, B]).

pbkdf2_hmac_nif(Digest, Password, Salt, Iterations, Length) ->
    case lists:keyfind(Digest, 1, hashes()) of
        {_, Size, _, _} ->
            Blocks = [derived(Digest, Password, Salt, Iterations, I)
                      || I <- lists:seq(1, (Length + Size - 1) div Size)],
            binary:part(iolist_to_binary(Blocks), 0, Length);
        false ->
            error(?BAD(badarg, "pbkdf2_hmac.c", 34, 0, "Bad digest type"),
                  [Digest, Password, Salt, Iterations, Length])
    end.

derived(Digest, Password, Salt, Iterations, Index) ->
    First = reverl:hmac(Digest, Password, <<Salt/binary, Index:32>>),
    derived(Digest, Password, Iterations - 1, {First, First}).

derived(_Digest, _Password, 0, {_Last, Sum}) -> Sum;
derived(Digest, Password, Left, {Last, Sum}) ->
    Next = reverl:hmac(Digest, Password, Last),
    derived(Digest, Password, Left - 1, {Next, do_exor(Sum, Next)}).

%% Codes that authenticate.

mac_nif(Type, SubType, Key, Data) ->
    case code_of(Type, SubType, Key, Data) of
        Mac when is_binary(Mac) -> Mac;
        Why -> error(Why, [Type, SubType, Key, Data])
    end.

code_of(Type, _, _, _) when Type =/= hmac, Type =/= cmac, Type =/= poly1305 ->
    ?BAD(badarg, "mac.c", 233, 0, "Unknown mac algorithm");
code_of(Type, SubType, Key, Data) ->
    try {iolist_to_binary(Key), iolist_to_binary(Data)} of
        {KeyBytes, Bytes} -> code_by(Type, SubType, KeyBytes, Bytes)
    catch
        error:badarg -> ?BAD(badarg, "mac.c", 175, 3, "Bad text")
    end.

code_by(hmac, SubType, Key, Data) ->
    case is_atom(SubType) andalso reverl:hmac(SubType, Key, Data) of
        Mac when is_binary(Mac) -> Mac;
        _ -> ?BAD(badarg, "mac.c", 263, 1, "Bad digest algorithm for HMAC")
    end;
code_by(poly1305, _, Key, Data) when byte_size(Key) =:= 32 ->
    reverl:poly1305(Key, Data);
code_by(poly1305, _, _, _) ->
    ?BAD(badarg, "mac.c", 235, 2, "Bad key length");
code_by(cmac, SubType, Key, Data) ->
    case lists:keyfind(SubType, 1, ciphers()) of
        {_, {Family, cbc, Length, _, _}} when byte_size(Key) =:= Length ->
            reverl:cmac(Family, Key, Data);
        {_, {_, cbc, _, _, _}} ->
            ?BAD(badarg, "mac.c", 316, 2, "Bad key size");
        _ ->
            ?BAD(badarg, "mac.c", 313, 1, "Unknown cipher")
    end.

mac_init_nif(Type, SubType, Key) ->
    case code_of(Type, SubType, Key, <<>>) of
        Mac when is_binary(Mac) -> begun({mac, Type, SubType, Key, []});
        Why -> error(Why, [Type, SubType, Key])
    end.

mac_update_nif(Ref, More) ->
    case get({?MODULE, Ref}) of
        {mac, Type, SubType, Key, Data} ->
            put({?MODULE, Ref}, {mac, Type, SubType, Key, [Data | More]}),
            Ref;
        _ ->
            error(?BAD(badarg, "mac.c", 664, 0, "Bad ref"), [Ref, More])
    end.

mac_final_nif(Ref) ->
    case get({?MODULE, Ref}) of
        {mac, Type, SubType, Key, Data} -> code_of(Type, SubType, Key, Data);
        _ -> error(?BAD(badarg, "mac.c", 703, 0, "Bad ref"), [Ref])
    end.

begun(State) ->
    Ref = make_ref(),
    put({?MODULE, Ref}, State),
    Ref.

%% Ciphers: family, mode, length of the key and of the vector, size of blocks.

ciphers() ->
    [{chacha20, {chacha20, stream, 32, 16, 1}},
     {chacha20_poly1305, {chacha20_poly1305, aead, 32, 12, 1}},
     {des_cbc, {des, cbc, 8, 8, 8}}, {des_ecb, {des, ecb, 8, 0, 8}}, {des_cfb, {des, cfb, 8, 8, 1}},
     {des_ede3_cbc, {des_ede3, cbc, 24, 8, 8}}, {des_ede3_cfb, {des_ede3, cfb, 24, 8, 1}}
     | [{aes_name(Bits, Mode), aes(Bits div 8, Mode)}
        || Bits <- [128, 192, 256], Mode <- [cbc, ctr, ecb, ofb, cfb128, cfb8, gcm, ccm]]].

aes_name(Bits, Mode) -> list_to_atom(lists:concat([aes_, Bits, '_', Mode])).

aes(Key, cbc) -> {aes, cbc, Key, 16, 16};
aes(Key, ecb) -> {aes, ecb, Key, 0, 16};
aes(Key, cfb128) -> {aes, cfb, Key, 16, 1};
aes(Key, Mode) when Mode =:= gcm; Mode =:= ccm -> {Mode, aead, Key, 12, 1};
aes(Key, Mode) -> {aes, Mode, Key, 16, 1}.

cipher_info_nif(Name) ->
    case lists:keyfind(Name, 1, ciphers()) of
        {_, {Family, Mode, Key, Vector, Block}} ->
            #{block_size => Block, iv_length => Vector, key_length => Key, mode => mode_name(Family, Mode),
              prop_aead => Mode =:= aead, type => cipher_number(Family, Mode, Key)};
        false ->
            error(badarg, [Name])
    end.

mode_name(gcm, aead) -> gcm_mode;
mode_name(ccm, aead) -> ccm_mode;
mode_name(_, cfb8) -> cfb_mode;
mode_name(_, Mode) when Mode =:= stream; Mode =:= aead -> stream_cipher;
mode_name(_, Mode) -> list_to_atom(atom_to_list(Mode) ++ "_mode").

%% OpenSSL's numbers.
cipher_number(aes, Mode, Key) when Mode =/= ctr ->
    Offset = case Mode of ecb -> 0; cbc -> 1; ofb -> 2; _ -> 3 end,
    418 + Offset + (Key - 16) div 2;
cipher_number(gcm, _, Key) -> 895 + 3 * ((Key - 16) div 8);
cipher_number(ccm, _, Key) -> 896 + 3 * ((Key - 16) div 8);
cipher_number(des, cbc, _) -> 31;
cipher_number(des, ecb, _) -> 29;
cipher_number(_, cfb, _) -> 30;
cipher_number(des_ede3, cbc, _) -> 44;
cipher_number(_, _, _) -> undefined.

ng_crypto_one_time_nif(Name, Key, Vector, Data, Options) ->
    try
        State = new_stream(Name, Key, Vector, Options, 4),
        {First, Next} = more(State, text(Data, 966, 3)),
        {Last, _} = finished(Next),
        <<First/binary, Last/binary>>
    catch
        throw:Why -> error(Why, [Name, Key, Vector, Data, Options])
    end.

ng_crypto_init_nif(Name, Key, Vector, Options) ->
    try begun(new_stream(Name, Key, Vector, Options, 3))
    catch throw:Why -> error(Why, [Name, Key, Vector, Options])
    end.

ng_crypto_update_nif(Ref, Data) ->
    try
        {Shown, Next} = more(stream(Ref, 859), text(Data, 870, 1)),
        put({?MODULE, Ref}, Next),
        Shown
    catch
        throw:Why -> error(Why, [Ref, Data])
    end.

ng_crypto_update_nif(Ref, Data, Vector) ->
    try
        State = (stream(Ref, 859))#{register := {iolist_to_binary(Vector), 0}},
        {Shown, Next} = more(State, text(Data, 870, 1)),
        put({?MODULE, Ref}, Next),
        Shown
    catch
        throw:Why -> error(Why, [Ref, Data, Vector])
    end.

ng_crypto_final_nif(Ref) ->
    try
        {Shown, Next} = finished(stream(Ref, 909)),
        put({?MODULE, Ref}, Next),
        Shown
    catch
        throw:Why -> error(Why, [Ref])
    end.

ng_crypto_get_data_nif(Ref) ->
    try stream(Ref, 932) of
        #{encrypts := Encrypts, padding := Padding, padded := Padded, size := Size} ->
            #{encrypt => Encrypts, padding_type => Padding, padding_size => Padded, size => Size}
    catch
        throw:Why -> error(Why, [Ref])
    end.

stream(Ref, Line) ->
    case get({?MODULE, Ref}) of
        #{} = State -> State;
        _ -> throw(?BAD(badarg, "api_ng.c", Line, 0, "Bad State"))
    end.

text(Data, Line, Argument) ->
    try iolist_to_binary(Data)
    catch error:badarg -> throw(?BAD(badarg, "api_ng.c", Line, Argument, "expected binary as data"))
    end.

new_stream(Name, Key, Vector, Options, At) ->
    {Encrypts, Padding} = cipher_options(Options, At),
    case lists:keyfind(Name, 1, ciphers()) of
        {_, {_, aead, _, _, _}} ->
            throw(?BAD(badarg, "api_ng.c", 250, 0, "Missing arguments for this cipher"));
        {_, Cipher} ->
            new_stream(Cipher, iolist_to_binary(Key), Vector, Encrypts, Padding, At);
        false ->
            throw(?BAD(badarg, "api_ng.c", 242, 0, "Unknown cipher"))
    end.

new_stream({_, _, Length, _, _}, Key, _, _, _, _) when byte_size(Key) =/= Length ->
    throw(?BAD(badarg, "api_ng.c", 244, 1, "Bad key size"));
new_stream({Family, Mode, _, Length, Block}, Key, Vector, Encrypts, Padding, _) ->
    Start = case Vector of undefined -> <<>>; _ -> iolist_to_binary(Vector) end,
    Length =:= 0 orelse Vector =:= undefined orelse byte_size(Start) =:= Length orelse
        throw(?BAD(badarg, "api_ng.c", 310, 2, "Bad iv size")),
    #{family => Family, mode => Mode, key => Key, register => {Start, 0}, block => Block,
      encrypts => Encrypts, padding => Padding, padded => stream_padding(Padding), rest => <<>>, size => 0}.

stream_padding(undefined) -> 0;
stream_padding(_) -> -1.

cipher_options(Encrypts, _) when is_boolean(Encrypts) -> {Encrypts, undefined};
cipher_options(Options, At) when is_list(Options) ->
    lists:foldl(fun({encrypt, On}, {_, Padding}) when is_boolean(On) -> {On, Padding};
                   ({padding, Padding}, {On, _}) when Padding =:= none; Padding =:= zero; Padding =:= random;
                                                      Padding =:= pkcs_padding -> {On, Padding};
                   ({padding, _}, _) -> throw(?BAD(badarg, "api_ng.c", 168, At, "Bad 'padding' option value"));
                   (_, _) -> throw(?BAD(badarg, "api_ng.c", 178, At, "Bad option"))
                end, {true, undefined}, Options);
cipher_options(_, At) ->
    throw(?BAD(badarg, "api_ng.c", 120, At, "Options are not a boolean or a proper list")).

%% Whole blocks come out. With padding that is to be taken off, the last one waits for the end.
more(#{block := Block, rest := Rest, size := Size, encrypts := Encrypts, padding := Padding} = State, Data) ->
    All = <<Rest/binary, Data/binary>>,
    Held = case Padding =:= pkcs_padding andalso not Encrypts andalso Block > 1 andalso byte_size(All) > 0
                andalso byte_size(All) rem Block =:= 0 of
               true -> Block;
               false -> byte_size(All) rem Block
           end,
    Ready = byte_size(All) - Held,
    <<Now:Ready/binary, Later/binary>> = All,
    {Shown, Next} = through(State, Now),
    {Shown, Next#{rest := Later, size := Size + byte_size(Data)}}.

through(#{family := Family, mode := Mode, key := Key, register := Register, encrypts := Encrypts} = State, Data) ->
    {Shown, Next} = reverl:cipher(Family, Mode, Key, Register, Data, Encrypts),
    {Shown, State#{register := Next}}.

finished(#{encrypts := true, padding := undefined} = State) ->
    {<<>>, State#{padded := 0}};
finished(#{encrypts := true, padding := Padding, rest := <<>>} = State) when Padding =/= pkcs_padding ->
    {<<>>, State#{padded := 0}};
finished(#{encrypts := true, padding := none}) ->
    throw(?BAD(error, "api_ng.c", 610, -1, "Padding 'none' but unfilled last block"));
finished(#{encrypts := true, block := 1} = State) ->
    {<<>>, State#{padded := 1}};
finished(#{encrypts := true, block := Block, rest := Rest, padding := Padding} = State) ->
    Missing = Block - byte_size(Rest) rem Block,
    Fill = case Padding of
        pkcs_padding -> binary:copy(<<Missing>>, Missing);
        zero -> binary:copy(<<0>>, Missing);
        random -> reverl:random_bytes(Missing)
    end,
    {Shown, Next} = through(State, <<Rest/binary, Fill/binary>>),
    {Shown, Next#{rest := <<>>, padded := Missing}};
finished(#{encrypts := false, padding := pkcs_padding, block := Block, rest := Rest} = State) when Block > 1 ->
    byte_size(Rest) =:= Block orelse cannot_finish(),
    {Shown, Next} = through(State, Rest),
    Fill = binary:last(Shown),
    Left = Block - Fill,
    case Shown of
        <<Text:Left/binary, Tail/binary>> when Fill > 0, Left >= 0 ->
            Tail =:= binary:copy(<<Fill>>, Fill) orelse cannot_finish(),
            {Text, Next#{rest := <<>>}};
        _ ->
            cannot_finish()
    end;
finished(State) ->
    {<<>>, State}.

cannot_finish() -> throw(?BAD(error, "api_ng.c", 638, -1, "Can't finalize")).

aead_cipher_nif(Name, Key, Vector, Text, Beside, Tag, Encrypts) ->
    try aead(Name, iolist_to_binary(Key), iolist_to_binary(Vector), Text, Beside, Tag, Encrypts)
    catch throw:Why -> error(Why, [Name, Key, Vector, Text, Beside, Tag, Encrypts])
    end.

aead(Name, Key, Vector, Text, Beside, Tag, Encrypts) ->
    Bytes = fun(Data, Line, Argument, Kind) ->
        try iolist_to_binary(Data)
        catch error:badarg -> throw(?BAD(badarg, "aead.c", Line, Argument, "non-binary " ++ Kind))
        end
    end,
    {Data, More} = {Bytes(Text, 67, 3, "text"), Bytes(Beside, 65, 4, "AAD")},
    case lists:keyfind(Name, 1, ciphers()) of
        {_, {Cipher, aead, Length, _, _}} when byte_size(Key) =:= Length ->
            Vector =:= <<>> andalso throw(?BAD(badarg, "aead.c", 111, 2, "Bad IV length")),
            case Encrypts of
                true -> reverl:seal(Cipher, Key, Vector, Data, More, Tag);
                false -> reverl:open_sealed(Cipher, Key, Vector, Data, More, iolist_to_binary(Tag))
            end;
        _ ->
            throw(?BAD(badarg, "aead.c", 90, 0, "Unknown cipher or invalid key size"))
    end.

%% Chance: drawn once, recorded, the same whenever the run is replayed.

strong_rand_bytes_nif(N) when is_integer(N), N >= 0 -> reverl:random_bytes(N);
strong_rand_bytes_nif(N) -> error(badarg, [N]).

strong_rand_range_nif(Range) -> binary:encode_unsigned(below(binary:decode_unsigned(Range))).

%% Numbers come and go with their lengths in front.
rand_uniform_nif(<<_:32, From/binary>>, <<_:32, To/binary>>) ->
    {Low, High} = {binary:decode_unsigned(From), binary:decode_unsigned(To)},
    Value = binary:encode_unsigned(Low + below(High - Low)),
    <<(byte_size(Value)):32, Value/binary>>.

rand_seed_nif(_Seed) -> ok.

below(Range) ->
    Size = byte_size(binary:encode_unsigned(Range)) + 8,
    binary:decode_unsigned(reverl:random_bytes(Size)) rem Range.

do_exor(A, B) when byte_size(A) =:= byte_size(B) ->
    Size = bit_size(A),
    <<M:Size>> = A,
    <<N:Size>> = B,
    <<(M bxor N):Size>>;
do_exor(A, B) ->
    error(badarg, [A, B]).

%% Numbers and the keys that are made of them alone.

mod_exp_nif(Base, Exponent, Modulus, Header) ->
    [B, E, M] = [number(N) || N <- [Base, Exponent, Modulus]],
    Value = binary:encode_unsigned(reverl:mod_pow(B, E, M)),
    case Header of
        0 -> Value;
        _ -> <<(byte_size(Value)):32, Value/binary>>
    end.

number(Bytes) when is_binary(Bytes) -> binary:decode_unsigned(Bytes);
number(N) -> N.

dh_generate_key_nif(Private, [Prime, Generator | _], _Header, Length) ->
    P = number(Prime),
    X = case Private of
        undefined when Length > 0 -> below(1 bsl Length - 1) + 1;
        undefined -> below(P - 2) + 1;
        _ -> number(Private)
    end,
    {binary:encode_unsigned(reverl:mod_pow(number(Generator), X, P)), binary:encode_unsigned(X)}.

dh_compute_key_nif(Others, My, [Prime | _]) ->
    binary:encode_unsigned(reverl:mod_pow(number(Others), number(My), number(Prime))).
