-module(till_sup).
-behaviour(supervisor).
-export([start_link/0, init/1]).

start_link() -> supervisor:start_link({local, ?MODULE}, ?MODULE, []).

init([]) ->
    Box = #{id => till_box, start => {till_box, start_link, []}},
    {ok, {#{strategy => one_for_one, intensity => 3, period => 10}, [Box]}}.
