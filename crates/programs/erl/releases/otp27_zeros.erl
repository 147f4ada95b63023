%% The two zeros are told apart, except by their values.
-module(otp27_zeros).
-export([main/0]).

main() ->
    P = id(0.0),
    N = id(-0.0),
    {P =:= N, P == N, P < N, maps:size(#{P => 1, N => 2}), lists:member(N, [P]), lists:usort([P, N]),
     sign(P), sign(N), {P} =:= {N}}.

sign(0.0) -> plus;
sign(-0.0) -> minus.

id(X) -> X.
