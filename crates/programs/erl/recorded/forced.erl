%% Programs whose value tells in which order messages came. Where LATER is set, each sender takes some
%% milliseconds more than the one before it, so that a node that is left alone has always the same order.
-module(forced).
-export([senders/0, relayed/0, calls/0, named/0, timed/0]).
-export([init/1, handle_call/3, handle_cast/2]).

%% In whatever order, all are received.
senders() ->
    Me = self(),
    [spawn(fun() -> later(N), Me ! {N, a}, Me ! {N, b} end) || N <- [1, 2, 3]],
    [receive M -> M end || _ <- lists:seq(1, 6)].

%% What one process is told decides what it tells the others.
relayed() ->
    Me = self(),
    Relay = spawn(fun() -> relay(Me, 4) end),
    [spawn(fun() -> later(N), Relay ! N, Me ! {direct, N}, Relay ! -N end) || N <- [1, 2]],
    [receive M -> M end || _ <- lists:seq(1, 6)].

relay(_, 0) -> ok;
relay(To, N) -> receive X -> To ! {relayed, X}, relay(To, N - 1) end.

%% Clients of a server: replies go to aliases.
calls() ->
    {ok, Server} = gen_server:start(?MODULE, [], []),
    Me = self(),
    [spawn(fun() -> later(N), Me ! {N, gen_server:call(Server, N), gen_server:call(Server, -N)} end)
     || N <- [1, 2, 3]],
    [receive {N, A, B} -> {N, A, B} end || _ <- [1, 2, 3]].

init(Served) -> {ok, Served}.
handle_call(N, _, Served) -> {reply, [N | Served], [N | Served]}.
handle_cast(_, Served) -> {noreply, Served}.

%% A name is looked up where the message is sent.
named() ->
    register(collector, self()),
    [spawn(fun() -> later(N), collector ! N end) || N <- [1, 2, 3]],
    [receive N -> N end || _ <- [1, 2, 3]].

%% Whether it waits in vain depends on who is late.
timed() ->
    Me = self(),
    spawn(fun() -> Me ! early, Me ! late end),
    First = receive early -> early after 30 -> none end,
    Second = receive late -> late after 0 -> none end,
    {First, Second, receive early -> early after 60 -> none end}.

%% Without a receive: what it does is the same with and without the delay.
later(N) ->
    case os:getenv("LATER") of
        false -> ok;
        Each -> busy(erlang:monotonic_time(millisecond) + N * list_to_integer(Each))
    end.

busy(Until) ->
    erlang:monotonic_time(millisecond) >= Until orelse busy(Until).
