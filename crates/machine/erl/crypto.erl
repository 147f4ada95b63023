%% The part of crypto that needs no OpenSSL: digests, HMAC, random bytes. Random bytes are an
%% input: drawn once, recorded, the same whenever the run is replayed.
-module(crypto).
-export([start/0, stop/0, info_lib/0, supports/0, supports/1]).
-export([hash/2, hash_init/1, hash_update/2, hash_final/1, hash_info/1, hash_equals/2]).
-export([mac/3, mac/4, macN/4, macN/5, mac_init/2, mac_init/3, mac_update/2, mac_final/1]).
-export([mac_finalN/2]).
-export([strong_rand_bytes/1, rand_uniform/2, rand_seed/0, rand_seed/1, rand_seed_s/0]).
-export([rand_plugin_next/1, rand_plugin_uniform/1, rand_plugin_uniform/2]).
-export([exor/2, bytes_to_integer/1, pbkdf2_hmac/5]).

-define(HASHES, [sha, sha224, sha256, sha384, sha512,
                 sha3_224, sha3_256, sha3_384, sha3_512, md5]).

start() -> ok.
stop() -> ok.

info_lib() -> [{<<"Reverl">>, 0, <<"Reverl">>}].

supports() -> [{hashs, supports(hashs)}, {macs, supports(macs)}].

supports(hashs) -> ?HASHES;
supports(macs) -> [hmac];
supports(_) -> [].

hash(Type, Data) ->
    Bytes = iolist_to_binary(Data),
    case reverl:digest(Type, Bytes) of
        undefined ->
            Why = {badarg, {"hash.c", 108}, "Bad digest type"},
            erlang:error(Why, [Type, Data], argument(1));
        Digest -> Digest
    end.

%% Which argument is wrong, as OTP tells it.
argument(N) -> [{error_info, #{erl_function_arg_num => N}}].

%% A context holds what has come so far.
hash_init(Type) ->
    case lists:member(Type, ?HASHES) of
        true -> {'$hash', Type, <<>>};
        false -> erlang:error({badarg, {"hash.c", 181}, "Bad digest type"}, [Type])
    end.

hash_update({'$hash', Type, Data}, More) ->
    {'$hash', Type, <<Data/binary, (iolist_to_binary(More))/binary>>}.

hash_final({'$hash', Type, Data}) -> reverl:digest(Type, Data).

hash_info(Type) ->
    Size = byte_size(hash(Type, <<>>)),
    Block = case Type of
        sha384 -> 128;
        sha512 -> 128;
        sha3_224 -> 144;
        sha3_256 -> 136;
        sha3_384 -> 104;
        sha3_512 -> 72;
        _ -> 64
    end,
    #{size => Size, block_size => Block, type => number(Type)}.

%% OpenSSL's numbers.
number(md5) -> 4;
number(sha) -> 64;
number(sha256) -> 672;
number(sha384) -> 673;
number(sha512) -> 674;
number(sha224) -> 675;
number(sha3_224) -> 1096;
number(sha3_256) -> 1097;
number(sha3_384) -> 1098;
number(sha3_512) -> 1099.

hash_equals(A, B) when byte_size(A) =:= byte_size(B) -> A =:= B;
hash_equals(A, B) -> erlang:error({badarg, {"hash_equals.c", 39}, "Different sizes"}, [A, B]).

mac(_Type, _Key, _Data) -> erlang:error(notsup).

mac(hmac, Type, Key, Data) ->
    try reverl:hmac(Type, Key, Data) of
        undefined ->
            Why = {badarg, {"mac.c", 263}, "Bad digest algorithm for HMAC"},
            erlang:error(Why, [hmac, Type, Key, Data], argument(2));
        Mac -> Mac
    catch
        error:badarg ->
            Why = {badarg, {"mac.c", 175}, "Bad text"},
            erlang:error(Why, [hmac, Type, Key, Data], argument(4))
    end;
mac(_, _, _, _) -> erlang:error(notsup).

macN(Type, Key, Data, Length) -> macN(Type, Key, Data, Length, undefined).

macN(hmac, Type, Key, Data, Length) -> binary:part(mac(hmac, Type, Key, Data), 0, Length).

mac_init(_Type, _Key) -> erlang:error(notsup).
mac_init(hmac, Type, Key) -> {'$hmac', Type, iolist_to_binary(Key), <<>>}.

mac_update({'$hmac', Type, Key, Data}, More) ->
    {'$hmac', Type, Key, <<Data/binary, (iolist_to_binary(More))/binary>>}.

mac_final({'$hmac', Type, Key, Data}) -> mac(hmac, Type, Key, Data).
mac_finalN(Context, Length) -> binary:part(mac_final(Context), 0, Length).

pbkdf2_hmac(Digest, Password, Salt, Iterations, Length) ->
    Size = byte_size(hash(Digest, <<>>)),
    Blocks = [block(Digest, Password, Salt, Iterations, I)
              || I <- lists:seq(1, (Length + Size - 1) div Size)],
    binary:part(iolist_to_binary(Blocks), 0, Length).

block(Digest, Password, Salt, Iterations, Index) ->
    First = mac(hmac, Digest, Password, <<Salt/binary, Index:32>>),
    rounds(Digest, Password, Iterations - 1, First, First).

rounds(_Digest, _Password, 0, _Last, Sum) -> Sum;
rounds(Digest, Password, Left, Last, Sum) ->
    Next = mac(hmac, Digest, Password, Last),
    rounds(Digest, Password, Left - 1, Next, exor(Sum, Next)).

strong_rand_bytes(N) when is_integer(N), N >= 0 -> reverl:random_bytes(N);
strong_rand_bytes(N) -> erlang:error(badarg, [N]).

%% From From to To - 1.
rand_uniform(From, To) when is_integer(From), is_integer(To), From < To ->
    From + below(To - From).

below(Range) ->
    Size = byte_size(binary:encode_unsigned(Range)) + 8,
    binary:decode_unsigned(strong_rand_bytes(Size)) rem Range.

rand_seed() -> rand:seed(rand_seed_s()).
rand_seed(_Seed) -> ok.

rand_seed_s() ->
    {#{type => ?MODULE,
       bits => 64,
       next => fun ?MODULE:rand_plugin_next/1,
       uniform => fun ?MODULE:rand_plugin_uniform/1,
       uniform_n => fun ?MODULE:rand_plugin_uniform/2},
     no_seed}.

rand_plugin_next(State) ->
    <<N:64>> = strong_rand_bytes(8),
    {N, State}.

rand_plugin_uniform(State) ->
    <<N:53, _:3>> = strong_rand_bytes(7),
    {N * math:pow(2, -53), State}.

rand_plugin_uniform(Max, State) -> {below(Max) + 1, State}.

exor(A, B) ->
    X = iolist_to_binary(A),
    Y = iolist_to_binary(B),
    Size = bit_size(X),
    <<M:Size>> = X,
    <<N:Size>> = Y,
    <<(M bxor N):Size>>.

bytes_to_integer(Bytes) -> binary:decode_unsigned(Bytes).
