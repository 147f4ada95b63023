%% Ciphers in all their modes, whole and in parts, what authenticates, and keys made of numbers.
-module(ciphers).
-export([main/0]).

main() ->
    Pairs = sofs:product(sofs:set([128, 192, 256]), sofs:set([cbc, ctr, ecb, ofb, cfb128, cfb8])),
    Names = [chacha20, des_cbc, des_ecb, des_cfb, des_ede3_cbc, des_ede3_cfb
             | [list_to_atom(lists:concat([aes_, Bits, '_', Mode])) || {Bits, Mode} <- sofs:to_external(Pairs)]],
    lists:foreach(fun cipher/1, Names),
    lists:foreach(fun sealed/1, [{Name, Nonce, Length, Text}
        || Name <- [aes_128_gcm, aes_192_gcm, aes_256_gcm, aes_128_ccm, aes_256_ccm, chacha20_poly1305],
           {Nonce, Length} <- [{12, 16}, {12, 8}, {12, 12}, {16, 16}, {8, 16}, {13, 4}, {0, 16}],
           Text <- [<<>>, text(5), text(16), text(100)]]),
    [show:call({info, Name}, fun() -> crypto:cipher_info(Name) end) || Name <- [aes_128_gcm, nope, aes_cbc | Names]],
    codes(),
    wrong(),
    numbers().

text(N) -> binary:part(binary:copy(<<"some text that is not secret ">>, 10), 0, N).

filled(N) -> list_to_binary([(I * 37 + 11) rem 256 || I <- lists:seq(1, N)]).

%% Key and vector of the right length.
parts(Name) ->
    #{key_length := Key, iv_length := Vector} = crypto:cipher_info(Name),
    {filled(Key), filled(Vector)}.

cipher(Name) ->
    {Key, Vector} = parts(Name),
    Run = fun(Data, Options) -> crypto:crypto_one_time(Name, Key, Vector, Data, Options) end,
    [show:call({Name, N, Options}, fun() -> Run(text(N), Options) end)
     || N <- [0, 1, 8, 15, 16, 17, 48, 100],
        Options <- [true, false, [{encrypt, true}, {padding, pkcs_padding}], [{encrypt, true}, {padding, zero}],
                    [{encrypt, true}, {padding, none}], [{encrypt, false}, {padding, pkcs_padding}]]],
    show:call({Name, back}, fun() ->
        Hidden = Run(text(100), [{encrypt, true}, {padding, pkcs_padding}]),
        Run(Hidden, [{encrypt, false}, {padding, pkcs_padding}])
    end),
    show:call({Name, iolist}, fun() -> Run(["ab", <<"cdefghijklmnop">>, [$x]], true) end),
    [show:call({Name, in_parts, On, Padding}, fun() ->
         State = crypto:crypto_init(Name, Key, Vector, [{encrypt, On}, {padding, Padding}]),
         Shown = [crypto:crypto_update(State, text(N)) || N <- [3, 13, 16, 1, 40, 7]],
         {Shown, crypto:crypto_get_data(State), crypto:crypto_final(State), crypto:crypto_get_data(State)}
     end) || On <- [true, false], Padding <- [zero, pkcs_padding]].

sealed({Name, Nonce, Length, Text}) ->
    {Key, _} = parts(Name),
    Call = fun(Data, Tag, On) -> crypto:crypto_one_time_aead(Name, Key, filled(Nonce), Data, <<"beside">>, Tag, On) end,
    Usual = not (Nonce =:= 16 andalso lists:member(Name, [aes_128_ccm, aes_256_ccm, chacha20_poly1305]))
        andalso not (Nonce =:= 8 andalso Name =:= chacha20_poly1305)
        andalso not (Nonce =:= 13 andalso Name =:= chacha20_poly1305),
    Usual andalso show:call({Name, Nonce, Length, byte_size(Text)}, fun() ->
        {Hidden, Tag} = Call(Text, Length, true),
        {Hidden, Tag, Call(Hidden, Tag, false), Call(<<Hidden/binary, 1>>, Tag, false)}
    end).

codes() ->
    [show:call({mac, Sub, N}, fun() -> crypto:mac(cmac, Sub, element(1, parts(Sub)), text(N)) end)
     || Sub <- [aes_128_cbc, aes_192_cbc, aes_256_cbc, des_ede3_cbc], N <- [0, 1, 15, 16, 17, 32, 99]],
    [show:call({poly1305, N}, fun() -> crypto:mac(poly1305, filled(32), text(N)) end) || N <- [0, 1, 16, 17, 99]],
    [show:call({Hash, N}, fun() -> {crypto:hash(Hash, text(N)), crypto:mac(hmac, Hash, <<"k">>, text(N))} end)
     || Hash <- [md4, ripemd160, blake2b, blake2s], N <- [0, 3, 128, 200]].

wrong() ->
    Key = filled(16),
    show:calls([
        {unknown, fun() -> crypto:crypto_one_time(nope, <<1>>, <<2>>, <<3>>, true) end},
        {key, fun() -> crypto:crypto_one_time(aes_128_cbc, <<1>>, <<2>>, <<3>>, true) end},
        {vector, fun() -> crypto:crypto_one_time(aes_128_cbc, Key, <<2>>, <<3>>, true) end},
        {data, fun() -> crypto:crypto_one_time(aes_128_cbc, Key, Key, foo, true) end},
        {padding, fun() -> crypto:crypto_one_time(aes_128_cbc, Key, Key, <<1>>, [{padding, foo}]) end},
        {options, fun() -> crypto:crypto_one_time(aes_128_cbc, Key, Key, <<1>>, foo) end},
        {not_padded, fun() -> crypto:crypto_one_time(aes_128_cbc, Key, Key, Key, [{encrypt, false}, {padding, pkcs_padding}]) end},
        {plain, fun() -> crypto:crypto_one_time(aes_128_gcm, Key, Key, Key, true) end},
        {aead_key, fun() -> crypto:crypto_one_time_aead(aes_128_gcm, <<1>>, Key, Key, <<>>, true) end},
        {aead_cipher, fun() -> crypto:crypto_one_time_aead(aes_128_cbc, Key, Key, Key, <<>>, true) end},
        {aead_data, fun() -> crypto:crypto_one_time_aead(aes_128_gcm, Key, Key, foo, <<>>, 8, true) end},
        {mac, fun() -> crypto:mac(nope, nope, Key, Key) end},
        {cmac_key, fun() -> crypto:mac(cmac, aes_128_cbc, <<1>>, Key) end},
        {cmac_cipher, fun() -> crypto:mac(cmac, foo, Key, Key) end},
        {poly, fun() -> crypto:mac(poly1305, Key, Key) end},
        {equal, fun() -> {crypto:hash_equals(Key, Key), crypto:hash_equals(<<1>>, <<2>>)} end},
        {equals, fun() -> crypto:hash_equals(<<1>>, Key) end},
        {exor, fun() -> crypto:exor(<<1>>, Key) end},
        {random, fun() -> crypto:strong_rand_bytes(-1) end}
    ]).

numbers() ->
    %% The second group of RFC 2409.
    P = 16#FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE649286651ECE65381FFFFFFFFFFFFFFFF,
    show:calls([
        {pow, fun() -> crypto:mod_pow(3, 12345678901234567890, P) end},
        {pow_of_bytes, fun() -> crypto:mod_pow(<<7>>, <<1, 0, 1>>, binary:encode_unsigned(P)) end},
        {shared, fun() ->
            {Mine, Secret} = crypto:generate_key(dh, [P, 2]),
            {Others, Other} = crypto:generate_key(dh, [P, 2]),
            {crypto:compute_key(dh, Others, Secret, [P, 2]) =:= crypto:compute_key(dh, Mine, Other, [P, 2]),
             crypto:mod_pow(2, Secret, P) =:= Mine}
        end},
        {sizes, fun() -> {byte_size(crypto:strong_rand_bytes(20)), crypto:rand_uniform(5, 6)} end},
        {seeded, fun() -> rand:uniform(1) end}
    ]).
