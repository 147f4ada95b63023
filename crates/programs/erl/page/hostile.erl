-module(hostile).
-export([main/0]).

%% Whatever a program says is only ever shown as text.
main() ->
    Html = "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script>",
    register('<b onmouseover="window.hacked=1">name</b>', self()),
    io:format("~s~n", [Html]),
    io:put_chars([27, "[31mred", 7, 0, "\x{202e}txet\n"]),
    self() ! {Html, list_to_binary(Html), #{Html => Html}},
    Server = spawn(fun() -> exit(Html) end),
    Server ! Html,
    receive {A, B, C} -> {A, B, C} end,
    [self() ! {large, lists:seq(-5, 300000), binary:copy(<<"x">>, 3000000)} || _ <- [1, 2, 3]],
    Large = [receive {large, L, B2} -> {L, B2} end || _ <- [1, 2, 3]],
    length(Large).
