%% Value: yes
-module(stacktrace_in_guard).
-export([main/0]).

main() ->
    try error(reason)
    catch error:reason:Stk -> if length(Stk) > 0 -> yes; true -> no end
    end.
