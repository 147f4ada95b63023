%% The shape of the deep lists that `io_lib` gives, not only their text.
-module(deep_text).
-export([cases/0]).
-define(C(E), {?LINE, fun() -> E end}).
id(X) -> X.

cases() -> [
    ?C(io_lib:format("plain ~~ ~n", id([]))), ?C(io_lib:format("~p", id([a]))), ?C(io_lib:format("~w ~p", id([1, 2.5]))), ?C(io_lib:format("~p", id(["abc"]))), ?C(io_lib:format("~p", id([""]))), ?C(io_lib:format("~w", id(["ab"]))),
    ?C(io_lib:format("~s|~ts", id(["abc", [1024, 66]]))), ?C(io_lib:format("~s", id([abc]))), ?C(io_lib:format("~s", id([<<"ab">>]))), ?C(io_lib:format("~ts", id([<<208, 144>>]))), ?C(io_lib:format("~s", id([["a", [$b, <<"c">>]]]))), ?C(io_lib:format("~s", id([""]))), ?C(io_lib:format("~10s|~-10s|~5.2s", id(["abc", "abc", "abc"]))),
    ?C(io_lib:format("x~5.2fy~bz~.16B~c~3c~e", id([1.0, 42, 255, $a, $b, 1.5]))), ?C(io_lib:format("~10w|~10p", id([a, b]))), ?C(io_lib:format("~i~w", id([a, b]))),
    ?C(io_lib:format("~p", id([{a, [1, 2], "text", <<"bin">>, #{k => v}}]))), ?C(io_lib:format("~w", id([{a, [1, 2], "text", <<"bin">>, #{k => v}}]))), ?C(io_lib:format("~p~n~p", id([lists:seq(1, 60), lists:duplicate(90, $a)]))), ?C(io_lib:format("~P ~W", id([[1, 2, 3, 4], 3, {a, b, c}, 2]))), ?C(io_lib:format("~tp ~tw", id([[1024], 'å']))),
    ?C(io_lib:write(id({a, "b"}))), ?C(io_lib:write(id(a))), ?C(io_lib:write(id([1, [2, [3]]]), 2)), ?C(io_lib:print(id({a, "b"}))), ?C(io_lib:print(id("abc"))), ?C(io_lib:print(id([a, b]), 1, 80, -1)), ?C(io_lib:fwrite(<<"~w">>, id([[]]))), ?C(io_lib:format("~p", id([1]), [{chars_limit, 5}])),
    ?C(list_to_atom(io_lib:format("a~p", id([1])))), ?C(length(io_lib:format("a~pb", id([10])))), ?C(catch io_lib:format("~d", id([1]))), ?C(catch io_lib:format("~p", id([]))), ?C(catch io_lib:format("~s", id([[1024]])))
].
