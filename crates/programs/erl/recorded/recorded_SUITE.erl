%% Tests that Common Test runs: one passes, one fails, one waits for what a process does.
-module(recorded_SUITE).
-export([all/0, init_per_testcase/2, end_per_testcase/2, passes/1, fails/1, waits/1]).

all() -> [passes, fails, waits].

init_per_testcase(_, Config) -> Config.

end_per_testcase(_, _) -> ok.

passes(_) -> 2 = length([a, b]).

fails(_) -> 3 = length([a, b]).

waits(_) ->
    Me = self(),
    spawn_link(fun() -> receive after 5 -> Me ! waited end end),
    receive waited -> ok end.
