%% A program whose value is a pid, with a log of CauDEr's.
-module(log_of_pid).
-export([main/0]).
main() -> spawn(fun() -> ok end).
