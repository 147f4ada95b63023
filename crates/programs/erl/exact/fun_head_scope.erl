%% Value: {1,7,[1]}
-module(fun_head_scope).
-export([main/0]).

key(K) -> fun(#{K := V}) -> V; (_) -> none end.
sized(L) -> fun(<<A:L, _/bits>>) -> A; (_) -> none end.
mapped(K) -> lists:map(fun(#{K := V}) -> V; (_) -> none end, [#{a => 1}]).

main() -> {(key(a))(#{a => 1}), (sized(8))(<<7, 9>>), mapped(a)}.
