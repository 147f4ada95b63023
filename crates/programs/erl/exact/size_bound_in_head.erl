%% Value: {<<"-.">>,<<"/">>}
-module(size_bound_in_head).
-export([main/0]).

split(N, <<N:16, B:N/binary, T/binary>>) -> {B, T}.

main() -> split(2, <<2:16, 45, 46, 47>>).
