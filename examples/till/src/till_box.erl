%% The money in the till.
-module(till_box).
-behaviour(gen_server).
-export([start_link/0, read/0, write/1]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).
read() -> gen_server:call(?MODULE, read).
write(Amount) -> gen_server:call(?MODULE, {write, Amount}).

init([]) -> {ok, 0}.
handle_call(read, _From, Amount) -> {reply, Amount, Amount};
handle_call({write, Amount}, _From, _) -> {reply, ok, Amount}.
handle_cast(_, Amount) -> {noreply, Amount}.
