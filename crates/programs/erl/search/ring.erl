%% A token goes fifty times round a ring of ten processes.
-module(ring).
-export([main/0, t/2]).
main() -> t(10, 50).
t(N, Rounds) ->
    Me = self(),
    First = lists:foldl(fun(_, Next) -> spawn(fun() -> hop(Next) end) end, Me, lists:seq(2, N)),
    pass(First, Rounds).
pass(First, 0) -> First ! stop, receive stop -> ok end;
pass(First, K) -> First ! {token, K}, receive {token, K} -> pass(First, K - 1) end.
hop(Next) ->
    receive
        stop -> Next ! stop;
        Token -> Next ! Token, hop(Next)
    end.
