%% The stack traces of recorded calls that fail begin with the function that was called.
-module(raised_frames).
-export([built_in/0, written/0]).

frame(Fun) ->
    try Fun() of
        Value -> Value
    catch
        _:_:Trace -> hd(Trace)
    end.

built_in() ->
    {erlang, trace, [_, true, [no_such_flag]], _} = Top =
        frame(fun() -> X = erlang:trace(self(), true, [no_such_flag]), {value, X} end),
    exit({element(1, Top), element(2, Top)}).

written() ->
    {M, F, _, _} = frame(fun() -> X = inet:getaddr(not_a_host, no_such_family), {value, X} end),
    exit({ended_in, is_atom(M), is_atom(F)}).
