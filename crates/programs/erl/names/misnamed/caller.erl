%% Calls a module whose file defines another.
-module(caller).
-export([main/0]).
main() -> foo:main().
