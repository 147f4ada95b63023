%% Value: {[3,6],true}
-module(filter_local_guard_name).
-compile({no_auto_import, [is_reference/1]}).
-export([main/0]).

is_reference(N) -> N rem 3 =:= 0.

main() -> {[E || E <- [1, 2, 3, 4, 6], is_reference(E)], is_reference(3)}.
