-module(shop_floor_sup).
-behaviour(supervisor).
-export([start_link/1, init/1]).

start_link(Floor) -> supervisor:start_link(?MODULE, Floor).

%% Ten shelves on each of the five floors.
init(Floor) ->
    Shelves = [#{id => {shelf, I}, start => {shop_shelf, start_link, [(Floor - 1) * 10 + I]}}
               || I <- lists:seq(1, 10)],
    {ok, {#{strategy => one_for_one, intensity => 5, period => 10}, Shelves}}.
