%% Checksums, digests and message authentication codes.
-module(digests).
-export([main/0]).

main() ->
  Ds = [<<>>, <<"abc">>, "hello", [<<"x">>, "yz", [65]], binary:copy(<<"0123456789">>, 100), binary:copy(<<7>>, 55), binary:copy(<<7>>, 56), binary:copy(<<7>>, 63), binary:copy(<<7>>, 64), binary:copy(<<255>>, 20000)],
  [begin show:call({md5, I}, fun()-> erlang:md5(D) end),
  show:call({crc, I}, fun()-> {erlang:crc32(D), erlang:crc32(77, D), erlang:adler32(D), erlang:adler32(77777, D)} end),
    show:call({parts, I}, fun() -> erlang:md5_final(erlang:md5_update(erlang:md5_update(erlang:md5_init(), D), [D, "q"])) end),
    [show:call({H, I}, fun() -> {crypto:hash(H, D), crypto:mac(hmac, H, <<"key">>, D), crypto:mac(hmac, H, binary:copy(<<"k">>, 200), D), crypto:hash_final(crypto:hash_update(crypto:hash_update(crypto:hash_init(H), "a"), D)), crypto:macN(hmac, H, "k", D, 5), crypto:mac_final(crypto:mac_update(crypto:mac_init(hmac, H, "k"), D)), crypto:hash_info(H)} end) || H <- [md5, sha, sha224, sha256, sha384, sha512, sha3_224, sha3_256, sha3_384, sha3_512]],
    show:call({combine, I}, fun() -> L=iolist_size(D), {erlang:crc32_combine(erlang:crc32("abc"), erlang:crc32(D), L), erlang:adler32_combine(erlang:adler32("abc"), erlang:adler32(D), L)} end)
   end || {I, D} <- lists:zip(lists:seq(1, length(Ds)), Ds)],
  show:call(bad1, fun() -> crypto:hash(foo, <<>>) end),
  show:call(bad2, fun() -> crypto:hash(md5, x) end),
  show:call(n, fun()->byte_size(crypto:strong_rand_bytes(16)) end),
  show:call(bad4, fun()->crypto:mac(hmac, sha256, <<"k">>, x) end),
  show:call(bad5, fun()->crypto:mac(hmac, foo, <<"k">>, <<>>) end),
  show:call(bad6, fun() -> erlang:crc32(-1, <<>>) end),
  show:call(bad7, fun()->erlang:md5_update(<<>>, x) end),
  show:call(c, fun()->erlang:adler32_combine(1, 2, 3) end),
  show:call(c, fun()->erlang:crc32_combine(1, 2, 3) end),
  show:call(pb, fun() -> crypto:pbkdf2_hmac(sha256, <<"pw">>, <<"salt">>, 10, 50) end),
  show:call(x, fun() -> crypto:exor(<<1, 2>>, <<3, 5>>) end).
