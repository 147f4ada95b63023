%% A program that has `cover` compile one of its modules, calls it, and looks at what was counted.
-module(covered_code).
-export([main/0]).

main() ->
    {ok, _} = cover:start(),
    {ok, covered_part} = cover:compile_beam(code:which(covered_part)),
    Values = [covered_part:called(N) || N <- lists:seq(1, 5)],
    {ok, Counted} = cover:analyse(covered_part, calls, function),
    cover:stop(),
    {Values, Counted, covered_part:called(6)}.
