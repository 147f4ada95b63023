%% What `covered_code` compiles with `cover`.
-module(covered_part).
-export([called/1]).

called(N) when N > 3 -> {self(), make_ref(), N};
called(N) -> {erlang:unique_integer([positive]) > 0, N}.
