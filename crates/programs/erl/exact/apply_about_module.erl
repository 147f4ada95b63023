%% Value: {false,false,true}
-module(apply_about_module).
-export([main/0]).

%% The module must be looked for before the arguments are where those of the call are.
main() ->
    {apply(erlang, module_loaded, [no_module_of_this_name]),
     apply(erlang, function_exported, [no_module_of_that_name, f, 1]),
     apply(erlang, function_exported, [?MODULE, main, 0])}.
