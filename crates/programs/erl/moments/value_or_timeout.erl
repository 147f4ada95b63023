%% A value that comes in time, or could have come too late.
-module(value_or_timeout).
-export([main/0]).

main() ->
    Me = self(),
    Server = spawn(fun() -> receive go -> Me ! {value, 42} end end),
    Server ! go,
    receive {value, Value} -> Value after 5000 -> timed_out end.
