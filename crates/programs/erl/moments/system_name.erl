%% Looks up a name of the system's own.
-module(system_name).
-export([main/0]).
main() -> whereis(user).
