%% A bank whose tellers ask for a balance and set the new one: two calls where there must be one.
%% Whether money is lost depends on who is served between the two.
-module(bank).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

-record(account, {owner, balance = 0}).

main() ->
    {ok, Bank} = gen_server:start_link({local, bank}, ?MODULE, [], []),
    ok = gen_server:call(Bank, {set, ada, 100}),
    Boss = self(),
    Tellers = [{I, Amount} || {I, Amount} <- [{1, 30}, {2, 50}]],
    [spawn_link(fun() -> deposit(Bank, ada, Amount), Boss ! {done, I} end) || {I, Amount} <- Tellers],
    [receive {done, I} -> ok end || {I, _} <- Tellers],
    180 = gen_server:call(Bank, {balance, ada}).

deposit(Bank, Owner, Amount) ->
    Balance = gen_server:call(Bank, {balance, Owner}),
    ok = gen_server:call(Bank, {set, Owner, Balance + Amount}).

init([]) -> {ok, #{}}.

handle_call({balance, Owner}, _From, Accounts) ->
    #account{balance = Balance} = maps:get(Owner, Accounts),
    {reply, Balance, Accounts};
handle_call({set, Owner, Balance}, _From, Accounts) ->
    {reply, ok, Accounts#{Owner => #account{owner = Owner, balance = Balance}}}.

handle_cast(_, Accounts) -> {noreply, Accounts}.
