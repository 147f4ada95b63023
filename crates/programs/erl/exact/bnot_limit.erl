%% Value: {error,system_limit}
-module(bnot_limit).
-export([main/0]).

main() ->
    Max = (((1 bsl (16777184 * 2 - 1)) - 1) bsl 1) + 1,
    try bnot Max of N -> is_integer(N) catch C:E -> {C, E} end.
