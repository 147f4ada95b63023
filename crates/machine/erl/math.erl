%% What of module math is not built in.
-module(math).
-export([pi/0]).

pi() -> 3.141592653589793.
