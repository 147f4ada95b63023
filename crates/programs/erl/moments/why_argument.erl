%% A value of a message goes through a loop and becomes an argument.
-module(why_argument).
-export([main/0]).
main() ->
    P = self(),
    spawn(fun() -> P ! {val, 20} end),
    receive {val, V} -> loop(V, 3) end.
loop(N, 0) ->
    done(N);
loop(N, K) ->
    M = N * 2,
    loop(M, K - 1).
done(R) ->
    Q = R + 1,
    Q.
