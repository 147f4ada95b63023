%% Two processes insert lists with different keys into one table.
-module(insert_list).
-export([main/0]).
main() ->
    T = ets:new(t, [public]), P = self(),
    [spawn(fun() -> ets:insert(T, [{K, 1}]), P ! {done, K} end) || K <- [a, b]],
    [receive {done, K} -> ok end || K <- [a, b]],
    ok.
