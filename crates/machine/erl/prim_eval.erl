%% How `erl_eval` receives: the first message for which a fun says more than `nomatch`.
-module(prim_eval).
-export(['receive'/2]).

'receive'(Fun, Timeout) -> next(Fun, Timeout, ends(Timeout), []).

ends(infinity) -> infinity;
ends(0) -> 0;
ends(Timeout) when is_integer(Timeout), Timeout > 0 -> erlang:monotonic_time(millisecond) + Timeout;
ends(_) -> error(timeout_value).

%% What does not match is put back in the end.
next(Fun, Timeout, Ends, Passed) ->
    receive
        Message ->
            case Fun(Message) of
                nomatch ->
                    next(Fun, left(Ends), Ends, [Message | Passed]);
                Value ->
                    put_back(Passed),
                    Value
            end
    after Timeout ->
        put_back(Passed),
        timeout
    end.

left(infinity) -> infinity;
left(0) -> 0;
left(Ends) -> max(0, Ends - erlang:monotonic_time(millisecond)).

put_back([Message | Passed]) ->
    reverl:keep_message(Message),
    put_back(Passed);
put_back([]) ->
    ok.
