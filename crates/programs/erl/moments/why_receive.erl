%% The same receive binds the same variable twice.
-module(why_receive).
-export([main/0]).
main() ->
    self() ! a, self() ! b,
    X = next(),
    Y = next(),
    {X, Y}.
next() ->
    receive
        State -> State
    end.
