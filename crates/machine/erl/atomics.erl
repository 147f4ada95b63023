%% Arrays of 64-bit integers that processes share, for machines without OTP.
-module(atomics).
-export([new/2, put/3, get/2, add/3, add_get/3, sub/3, sub_get/3, exchange/3]).
-export([compare_exchange/4, info/1]).

new(Arity, Options) ->
    Bits =
        try signed(Options, 1)
        catch error:_ -> erlang:error(badarg, [Arity, Options], why(badopt))
        end,
    try erts_internal:atomics_new(Arity, Bits)
    catch error:Reason -> erlang:error(Reason, [Arity, Options], why())
    end.

signed([{signed, true} | Rest], _) -> signed(Rest, 1);
signed([{signed, false} | Rest], _) -> signed(Rest, 0);
signed([], Bits) -> Bits.

why() -> [{error_info, #{module => erl_erts_errors}}].
why(Cause) -> [{error_info, #{module => erl_erts_errors, cause => Cause}}].

%% The others are native.
put(_, _, _) -> erlang:nif_error(undef).
get(_, _) -> erlang:nif_error(undef).
add(_, _, _) -> erlang:nif_error(undef).
add_get(_, _, _) -> erlang:nif_error(undef).
sub(_, _, _) -> erlang:nif_error(undef).
sub_get(_, _, _) -> erlang:nif_error(undef).
exchange(_, _, _) -> erlang:nif_error(undef).
compare_exchange(_, _, _, _) -> erlang:nif_error(undef).
info(_) -> erlang:nif_error(undef).
