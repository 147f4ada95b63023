%% A program that halts, with one or with zero.
-module(halt_one).
-export([main/0, zero/0]).
main() -> halt(1).
zero() -> halt(0).
