-module(shop_ledger).
-behaviour(gen_server).
-export([start_link/0, sold/3, total/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).
sold(Shelf, Sku, Price) -> gen_server:cast(?MODULE, {sold, Shelf, Sku, Price}).
total() -> gen_server:call(?MODULE, total).

init([]) -> {ok, #{total => 0, sales => 0}}.

handle_call(total, _, State = #{total := Total}) -> {reply, Total, State}.

%% Milk is counted twice.
handle_cast({sold, _, milk, Price}, State = #{total := Total, sales := Sales}) ->
    {noreply, State#{total := Total + 2 * Price, sales := Sales + 1}};
handle_cast({sold, _, _, Price}, State = #{total := Total, sales := Sales}) ->
    {noreply, State#{total := Total + Price, sales := Sales + 1}}.

handle_info(_, State) -> {noreply, State}.
