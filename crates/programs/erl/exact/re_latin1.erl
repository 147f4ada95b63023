%% Value: {{match,[{0,1}]},{match,[{0,1}]},{match,[{0,2}]},{match,[{0,5}]}}
-module(re_latin1).
-export([main/0]).

main() ->
    {ok, Dot} = re:compile("ab.*D"),
    {re:run([229], "\\w"),
     re:run([201], [233], [caseless]),
     re:run([229], "\\w", [unicode]),
     re:run("abC\nD", Dot, [{newline, cr}])}.
