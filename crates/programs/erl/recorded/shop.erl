%% A server with a lost update: buy/2 reads and writes in two steps.
-module(shop).
-export([start/0, buy/2, stock/1, init/1, handle_call/3, handle_cast/2]).

start() -> gen_server:start_link(?MODULE, [], []).
buy(P, N) -> S = gen_server:call(P, stock), gen_server:cast(P, {set, S - N}).
stock(P) -> gen_server:call(P, stock).

init(_) -> {ok, 10}.
handle_call(stock, _, S) -> {reply, S, S}.
handle_cast({set, N}, _) -> {noreply, N}.
