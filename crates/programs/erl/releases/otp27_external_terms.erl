%% Atoms are UTF-8 in the external format, unless an older one is asked for.
-module(otp27_external_terms).
-export([main/0]).

main() ->
    Term = {atom, "text", #{key => 1.5}},
    {term_to_binary(Term), term_to_binary(Term, [{minor_version, 1}]), erlang:external_size(Term)}.
