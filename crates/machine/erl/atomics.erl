%% Arrays of 64-bit integers that processes share. OTP's module has no lines in its traces, so
%% that ours stands in for it everywhere.
-module(atomics).
-export([new/2, put/3, get/2, add/3, add_get/3, sub/3, sub_get/3, exchange/3]).
-export([compare_exchange/4, info/1]).

new(Arity, Options) ->
    try signed(Options, 1) of
        Bits ->
            try erts_internal:atomics_new(Arity, Bits)
            catch error:Reason:Trace -> raise(Reason, [Arity, Options], #{}, Trace)
            end
    catch
        error:function_clause:Trace -> raise(badarg, [Arity, Options], #{cause => badopt}, Trace)
    end.

signed([{signed, true} | Rest], _) -> signed(Rest, 1);
signed([{signed, false} | Rest], _) -> signed(Rest, 0);
signed([], Bits) -> Bits.

raise(Reason, Args, Info, Trace) ->
    Own = fun(Entry) -> lists:member(element(1, Entry), [?MODULE, erts_internal]) end,
    Callers = lists:dropwhile(Own, Trace),
    Location = [{error_info, Info#{module => erl_erts_errors}}],
    erlang:raise(error, Reason, [{?MODULE, new, Args, Location} | Callers]).

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
