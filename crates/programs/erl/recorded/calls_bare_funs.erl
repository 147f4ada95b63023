%% Calls funs of a module that a replay cannot run: their values are recorded.
-module(calls_bare_funs).
-export([main/0]).

main() ->
    {module, _} = code:ensure_loaded(bare_funs),
    %% What is loaded late is noticed after a while.
    timer:sleep(500),
    Add = bare_funs:adder(3),
    [Add(N) || N <- [1, 2, 3]].
