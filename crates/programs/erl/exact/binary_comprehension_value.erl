%% Value: [{error,badarg},{error,badarg},{error,badarg},[]]
-module(binary_comprehension_value).
-export([main/0]).

id(X) -> X.
t(F) -> try F() catch C:E -> {C, E} end.

main() ->
    [t(fun() -> << (id(a)) || true >> end),
     t(fun() -> <<"":(id(-42))>> end),
     t(fun() -> <<"":(id(bad))>> end),
     [a || <<"\x{aaa}">> <= <<"\x{aaa}">>]].
