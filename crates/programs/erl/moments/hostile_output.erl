%% Prints characters that change how a terminal or a page shows text.
-module(hostile_output).
-export([main/0]).
main() -> io:format("~ts~n", [[8238, "abc", 8236, 27, "[31mred", 27, "[0m"]]).
