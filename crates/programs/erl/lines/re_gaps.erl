%% Where patterns are not what they are in OTP.
-module(re_gaps).
-export([main/0]).

main() ->
    {error, Why} = re:compile("\\8"),
    io:format("~p~n", [{error, Why}]),
    {ok, Pattern} = re:compile("(?R)"),
    io:format("~p~n", [{ok, element(1, Pattern)}]).
