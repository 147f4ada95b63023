%% A fun that goes through the external format is still the same function.
-module(fun_through_binary).
-export([first/1, main/0]).
first(X) -> {first_called_with, X}.
main() -> F = fun(X) -> X * 2 end, G = binary_to_term(term_to_binary(F)), {F(21), catch G(21)}.
