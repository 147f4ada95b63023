%% The functions of module erlang that are written in Erlang.
-module(erlang).
-export([demonitor/2]).

%% A 'DOWN' that has already arrived is taken out of the mailbox here, so that it is received
%% like any other message.
demonitor(Ref, Options) ->
    Value = reverl:demonitor(Ref, Options),
    case flushes(Options) of
        false ->
            Value;
        true ->
            receive
                {_, Ref, _, _, _} -> Value
            after 0 ->
                Value
            end
    end.

flushes([flush | _]) -> true;
flushes([_ | Options]) -> flushes(Options);
flushes([]) -> false.
