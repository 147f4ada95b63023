%% Calls a module of OTP that an unrelated neighbour has too.
-module(hello).
-export([main/0]).
main() -> proplists:get_value(a, [{a, 1}]).
