%% Value: [{error,badarg},{error,system_limit},{error,system_limit},{error,{badkey,a}},{error,{badkey,42}},{error,{badarg,"duplicate application config: kernel"}},false,[<<"a">>,<<"b">>],1.5,{-1.53,"foo"}]
-module(exception_class).
-export([main/0]).

id(X) -> X.
t(F) -> try F() catch C:E -> {C, E} end.

main() ->
    M = id(#{}),
    [t(fun() -> <<0:(id(-(1 bsl 70)))>> end),
     t(fun() -> atomics:new(id(1 bsl 64), []) end),
     t(fun() -> counters:new(id(1 bsl 64), []) end),
     t(fun() -> M#{b := 1, a := 2} end),
     t(fun() -> M#{42.0 := 1, 42 := 2} end),
     t(fun() -> application:set_env([{kernel, [{a, b}]}, {kernel, []}]) end),
     t(fun() -> demonitor(monitor(process, self()), [info]) end),
     t(fun() -> binary:split(<<"a,b">>, <<",">>, [global | foo]) end),
     t(fun() -> list_to_float("1,5") end),
     t(fun() -> string:to_float("-1,53foo") end)].
