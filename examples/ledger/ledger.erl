%% Accounts in a table of mnesia. Two tellers add to one account: in transactions (`safe`), or by a read
%% and a write that others can come between.
-module(ledger).
-export([main/0, main/1]).

-record(account, {owner, balance}).

main() -> main(unsafe).

main(How) ->
    ok = mnesia:start(),
    {atomic, ok} = mnesia:create_table(account, [{attributes, record_info(fields, account)}]),
    ok = mnesia:dirty_write(#account{owner = ada, balance = 100}),
    Self = self(),
    Tellers = [spawn_link(fun() -> deposit(How, Amount), Self ! {done, self()} end) || Amount <- [30, 50]],
    [receive {done, Teller} -> ok end || Teller <- Tellers],
    [#account{balance = Balance}] = mnesia:dirty_read(account, ada),
    stopped = mnesia:stop(),
    180 = Balance.

deposit(unsafe, Amount) ->
    [#account{balance = Balance}] = mnesia:dirty_read(account, ada),
    mnesia:dirty_write(#account{owner = ada, balance = Balance + Amount});
deposit(safe, Amount) ->
    {atomic, ok} = mnesia:transaction(fun() ->
        [#account{balance = Balance}] = mnesia:read(account, ada, write),
        mnesia:write(#account{owner = ada, balance = Balance + Amount})
    end).
