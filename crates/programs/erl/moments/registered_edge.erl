%% A process looks at all registered names until one of them is there.
-module(registered_edge).
-export([main/0]).
main() ->
    spawn(fun() -> register(a, self()), receive stop -> ok end end),
    poll().
poll() ->
    case lists:member(a, registered()) of
        true -> a ! stop, seen;
        false -> erlang:yield(), poll()
    end.
