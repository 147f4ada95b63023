%% Value: {four,1}
-module(import_erlang_guard).
-compile({no_auto_import, [byte_size/1]}).
-import(erlang, [byte_size/1]).
-export([main/0]).

f(X) when byte_size(X) =:= 4 -> four;
f(X) -> byte_size(X).

main() -> {f(<<"abcd">>), f(<<"a">>)}.
