%% Value: {false,false}
-module(is_record_qualified).
-export([main/0]).
-record(foo, {a, b, c, d}).

id(X) -> X.

main() -> {erlang:is_record(id({foo}), foo), is_record(id({foo}), foo)}.
