%% A feature behind the documentation of the module.
-module(otp27_feature).
-moduledoc "A module with documentation.".
-feature(maybe_expr, enable).
-export([main/0]).

main() ->
    maybe
        {ok, Y} ?= error,
        Y
    else
        error -> none
    end.
