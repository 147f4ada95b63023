%% A line that begins with a value that the line before it binds.
-module(break_line).
-export([main/0]).
main() -> double([a, b]).
double(L) ->
    Y = length(L) + 1,
    Y * 2.
