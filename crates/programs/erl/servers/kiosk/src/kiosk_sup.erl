-module(kiosk_sup).
-behaviour(supervisor).
-export([start_link/0, init/1]).

start_link() -> supervisor:start_link({local, ?MODULE}, ?MODULE, []).

init([]) ->
    Till = #{id => till, start => {kiosk_till, start_link, []}},
    {ok, {#{strategy => one_for_one, intensity => 2, period => 5}, [Till]}}.
