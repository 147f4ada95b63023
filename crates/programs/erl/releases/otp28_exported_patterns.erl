%% Regular expressions that are compiled to be kept or sent, and made ready again where they are used.
-module(otp28_exported_patterns).
-export([main/0]).

main() ->
    {ok, Exported} = re:compile("(?<name>[a-z]+)-(\\d)", [caseless, export]),
    Compiled = re:import(Exported),
    {element(1, Exported), element(3, Exported), element(4, Exported), tuple_size(Compiled), element(2, Compiled),
     re:run("x AB-7", Compiled, [{capture, all, list}]), tried(fun() -> re:run("x AB-7", Exported) end),
     re:replace("ab-1", Compiled, "<&>", [{return, list}]), re:inspect(Compiled, namelist),
     [tried(fun() -> re:import(X) end) || X <- [x, {re_exported_pattern}, Compiled]]}.

tried(Fun) ->
    try Fun() catch Class:Reason -> {Class, Reason} end.
