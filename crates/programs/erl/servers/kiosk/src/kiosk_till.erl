-module(kiosk_till).
-behaviour(gen_server).
-export([start_link/0, pay/1, takings/0]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

pay(Amount) -> gen_server:call(?MODULE, {pay, Amount}).

takings() -> gen_server:call(?MODULE, takings).

init([]) -> application:get_env(kiosk, float).

handle_call({pay, Amount}, _From, Sum) -> {reply, ok, Sum + Amount};
handle_call(takings, _From, Sum) -> {reply, Sum, Sum}.

handle_cast(_, Sum) -> {noreply, Sum}.
