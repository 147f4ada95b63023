%% A child ends the main process by an exit signal.
-module(main_killed).
-export([main/0]).
main() -> M = self(), spawn(fun() -> exit(M, boom) end), receive x -> ok end.
