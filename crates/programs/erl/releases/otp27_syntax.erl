%% `maybe` without a feature, documentation that names a call, and the release of the compiler.
-module(otp27_syntax).
-moduledoc "What is new.".
-export([main/0, f/1]).

-if(?OTP_RELEASE >= 27).
release() -> new.
-else.
release() -> old.
-endif.

-doc #{equiv => g(X)}.
f(X) -> g(X).

g(X) ->
    maybe
        {ok, Y} ?= X,
        Y + 1
    else
        {error, Why} -> Why
    end.

main() -> {f({ok, 1}), f({error, x}), release(), erlang:system_info(otp_release) >= "27"}.
