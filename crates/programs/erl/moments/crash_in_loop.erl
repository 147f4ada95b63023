%% A loop that divides by zero in its second turn.
-module(crash_in_loop).
-export([main/0]).
main() ->
    Orders = [{apple, 3}, {bread, 0}, {milk, 2}],
    Total = sum(Orders, 0),
    io:format("~p~n", [Total]).
sum([], Acc) -> Acc;
sum([{Name, N} | Rest], Acc) ->
    Price = price(Name, N),
    sum(Rest, Acc + Price).
price(Name, N) ->
    Share = 100 div N,
    {Name, Share},
    Share.
