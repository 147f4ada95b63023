%% Maps are walked in the order of their keys, also by a generator.
-module(otp26_iterators).
-export([main/0]).

main() ->
    Iterator = maps:iterator(#{a => 1, b => 2, c => 3}, ordered),
    {[{K, V} || K := V <- Iterator], maps:to_list(Iterator)}.
