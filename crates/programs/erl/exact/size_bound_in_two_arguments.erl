%% Value: {8,5}
-module(size_bound_in_two_arguments).
-export([main/0]).

f({t, [<<L, I:L>>]}, {I, <<L, I:L>>}) -> {L, I}.

main() -> f({t, [<<8, 5>>]}, {5, <<8, 5>>}).
