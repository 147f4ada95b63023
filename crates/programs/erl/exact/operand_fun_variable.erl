%% Value: 1
-module(operand_fun_variable).
-export([main/0]).

main() ->
    (begin X = 1, true end and begin F = fun() -> X = 2 end, F(), true end)
        andalso X.
