%% Cashiers that take money at the same time.
-module(till).
-export([day/0, day/2]).

day() -> day(4, 25).

%% Each cashier takes one coin, so many times; how much is in the till in the evening.
day(Cashiers, Coins) ->
    till_box:write(0),
    Me = self(),
    Pids = [spawn_link(fun() -> cashier(Coins), Me ! {self(), done} end)
            || _ <- lists:seq(1, Cashiers)],
    [receive {Pid, done} -> ok end || Pid <- Pids],
    Amount = till_box:read(),
    io:format("~b coins taken, ~b in the till~n", [Cashiers * Coins, Amount]),
    Amount.

cashier(0) -> ok;
cashier(Coins) ->
    Amount = till_box:read(),
    till_box:write(Amount + 1),
    cashier(Coins - 1).
