%% A stock server with a customer who buys and a supplier who delivers (paper 001, Fig. 1 in
%% spirit): whether the customer is served depends on the order of arrival.
-module(stock).
-export([main/0]).

main() ->
    Stock = spawn(fun() -> stock(0) end),
    Me = self(),
    spawn(fun() -> Stock ! {put, 2}, Me ! supplied end),
    spawn(fun() -> customer(Stock, Me) end),
    receive supplied -> ok end,
    receive {customer, Answer} -> Answer end.

customer(Stock, Report) ->
    Stock ! {take, self(), 1},
    receive Answer -> Report ! {customer, Answer} end.

stock(N) ->
    receive
        {put, K} -> stock(N + K);
        {take, From, K} when K =< N -> From ! {sold, N - K}, stock(N - K);
        {take, From, _} -> From ! sold_out, stock(N)
    end.
