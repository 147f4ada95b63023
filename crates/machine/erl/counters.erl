%% Counters that processes share, for machines without OTP.
-module(counters).
-export([new/2, get/2, add/3, sub/3, put/3, info/1]).

new(Size, Options) ->
    try kind(Options) of
        Kind ->
            try {Kind, make(Kind, Size)}
            catch error:Reason -> erlang:error(Reason, [Size, Options], why())
            end
    catch
        error:_ ->
            Why = [{error_info, #{module => erl_erts_errors, cause => badopt}}],
            erlang:error(badarg, [Size, Options], Why)
    end.

kind([]) -> atomics;
kind([atomics]) -> atomics;
kind([write_concurrency]) -> write_concurrency.

make(atomics, Size) -> erts_internal:atomics_new(Size, 1);
make(write_concurrency, Size) -> erts_internal:counters_new(Size).

get(Counter, Index) ->
    try
        case Counter of
            {atomics, Ref} -> atomics:get(Ref, Index);
            {write_concurrency, Ref} -> erts_internal:counters_get(Ref, Index)
        end
    catch error:_ -> erlang:error(badarg, [Counter, Index], why())
    end.

add(Counter, Index, By) ->
    try
        case Counter of
            {atomics, Ref} -> atomics:add(Ref, Index, By);
            {write_concurrency, Ref} -> erts_internal:counters_add(Ref, Index, By)
        end
    catch error:_ -> erlang:error(badarg, [Counter, Index, By], why())
    end.

sub(Counter, Index, By) ->
    try add(Counter, Index, -By)
    catch error:_ -> erlang:error(badarg, [Counter, Index, By], why())
    end.

put(Counter, Index, Value) ->
    try
        case Counter of
            {atomics, Ref} -> atomics:put(Ref, Index, Value);
            {write_concurrency, Ref} -> erts_internal:counters_put(Ref, Index, Value)
        end
    catch error:_ -> erlang:error(badarg, [Counter, Index, Value], why())
    end.

info(Counter) ->
    try
        case Counter of
            {atomics, Ref} -> atomics:info(Ref);
            {write_concurrency, Ref} -> erts_internal:counters_info(Ref)
        end
    catch error:_ -> erlang:error(badarg, [Counter], why())
    end.

why() -> [{error_info, #{module => erl_erts_errors}}].
