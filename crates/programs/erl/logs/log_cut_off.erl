%% Two processes that go on for ever, with a log of CauDEr's that breaks off.
-module(log_cut_off).
-export([main/0]).
main() -> P = spawn(fun() -> pong() end), ping(P).
ping(P) -> P ! {self(), ping}, receive pong -> ping(P) end.
pong() -> receive {P, ping} -> P ! pong, pong() end.
