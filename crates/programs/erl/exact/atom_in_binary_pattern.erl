%% Value: other
-module(atom_in_binary_pattern).
-export([main/0]).

f(#{key := <<child>>}) -> child;
f(#{}) -> other.

main() -> f(#{key => <<"a">>}).
