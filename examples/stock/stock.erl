%% A server that keeps a stock, one customer who buys and one who only brings.
-module(stock).
-export([main/0]).

main() ->
    Server = self(),
    spawn(fun() -> buyer(Server) end),
    spawn(fun() -> supplier(Server) end),
    server(0).

server(Stock) ->
    receive
        {add, Amount} ->
            server(Stock + Amount);
        {del, Amount, Customer} when Stock >= Amount ->
            Left = Stock - Amount,
            Customer ! Left,
            server(Left);
        stop ->
            {left, Stock}
    end.

buyer(Server) ->
    Server ! {add, 3},
    Server ! {del, 10, self()},
    receive
        Left -> io:format("Stock: ~p~n", [Left])
    end,
    Server ! stop.

supplier(Server) ->
    Server ! {add, 5},
    Server ! {add, 1},
    Server ! {add, 4}.
