%% Value: {false,2}
-module(stack_depth).
-export([main/0]).

deep(0) -> error(x);
deep(N) -> [deep(N - 1)].

main() ->
    erlang:system_flag(backtrace_depth, 2),
    {try error(x, [1], [{error_info, not_map}])
     catch _:_:S -> lists:keymember(error_info, 1, element(4, hd(S)))
     end,
     try deep(5) catch _:_:T -> length(T) end}.
