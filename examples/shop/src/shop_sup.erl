-module(shop_sup).
-behaviour(supervisor).
-export([start_link/0, init/1]).

start_link() -> supervisor:start_link({local, ?MODULE}, ?MODULE, []).

init([]) ->
    Ledger = #{id => ledger, start => {shop_ledger, start_link, []}},
    Floors = [#{id => {floor, N}, type => supervisor, start => {shop_floor_sup, start_link, [N]}}
              || N <- lists:seq(1, 5)],
    {ok, {#{strategy => one_for_one, intensity => 5, period => 10}, [Ledger | Floors]}}.
