%% Counters that processes share. OTP's module has no lines in its traces, so that ours stands in
%% for it everywhere.
-module(counters).
-export([new/2, get/2, add/3, sub/3, put/3, info/1]).

new(Size, Options) ->
    try kind(Options) of
        Kind ->
            try {Kind, make(Kind, Size)}
            catch error:Reason:Trace -> raise(Reason, new, [Size, Options], #{}, Trace)
            end
    catch
        error:function_clause:Trace ->
            raise(badarg, new, [Size, Options], #{cause => badopt}, Trace)
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
    catch error:_:Trace -> raise(badarg, get, [Counter, Index], #{}, Trace)
    end.

add(Counter, Index, By) ->
    try change(Counter, Index, By)
    catch error:_:Trace -> raise(badarg, add, [Counter, Index, By], #{}, Trace)
    end.

sub(Counter, Index, By) ->
    try change(Counter, Index, -By)
    catch
        error:badarith:Trace -> raise(badarith, sub, [Counter, Index, By], #{}, Trace);
        error:_:Trace -> raise(badarg, sub, [Counter, Index, By], #{}, Trace)
    end.

change({atomics, Ref}, Index, By) -> atomics:add(Ref, Index, By);
change({write_concurrency, Ref}, Index, By) -> erts_internal:counters_add(Ref, Index, By).

put(Counter, Index, Value) ->
    try
        case Counter of
            {atomics, Ref} -> atomics:put(Ref, Index, Value);
            {write_concurrency, Ref} -> erts_internal:counters_put(Ref, Index, Value)
        end
    catch error:_:Trace -> raise(badarg, put, [Counter, Index, Value], #{}, Trace)
    end.

info(Counter) ->
    try
        case Counter of
            {atomics, Ref} -> atomics:info(Ref);
            {write_concurrency, Ref} -> erts_internal:counters_info(Ref)
        end
    catch error:_:Trace -> raise(badarg, info, [Counter], #{}, Trace)
    end.

raise(Reason, Name, Args, Info, Trace) ->
    Modules = [?MODULE, atomics, erts_internal, erlang],
    Own = fun(Entry) -> lists:member(element(1, Entry), Modules) end,
    Callers = lists:dropwhile(Own, Trace),
    Location = [{error_info, Info#{module => erl_erts_errors}}],
    erlang:raise(error, Reason, [{?MODULE, Name, Args, Location} | Callers]).
