%% Reads two lines of standard input.
-module(reads).
-export([main/0]).

main() ->
    Name = io:get_line("name? "),
    io:format("hello ~ts", [Name]),
    io:get_line("more? ").
