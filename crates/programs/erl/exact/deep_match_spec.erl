%% Value: {error,system_limit}
-module(deep_match_spec).
-export([main/0]).

guard(0, G) -> G;
guard(N, G) -> guard(N - 1, {'orelse', {'==', N, '$1'}, G}).

main() ->
    Spec = [{{'$1'}, [guard(1000000, true)], ['$1']}],
    try ets:match_spec_compile(Spec) of _ -> compiled catch C:E -> {C, E} end.
