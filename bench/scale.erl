%% Programs whose size is a number: what an event costs when there are more of them, of processes
%% or of messages that wait.
-module(scale).
-export([ring/2, pending/2, idle/2]).

%% Processes in a ring pass a token so many times, and stay.
ring(Processes, Hops) ->
    Self = self(),
    First = chain(Processes - 1, Self),
    First ! {token, Hops},
    pass(First).

chain(0, Next) -> Next;
chain(N, Next) -> chain(N - 1, spawn(fun() -> pass(Next) end)).

pass(Next) ->
    receive
        {token, 0} -> done;
        {token, N} -> Next ! {token, N - 1}, pass(Next)
    end.

%% So many messages wait, and so many more come and go behind them.
pending(Waiting, Rounds) ->
    [self() ! {first, I} || I <- lists:seq(1, Waiting)],
    drain(Waiting),
    Rounds.

drain(0) -> ok;
drain(N) -> receive {first, _} -> drain(N - 1) end.

%% So many processes do nothing while two talk.
idle(Processes, Rounds) ->
    [spawn(fun() -> receive never -> ok end end) || _ <- lists:seq(1, Processes)],
    Self = self(),
    Other = spawn(fun() -> echo(Self) end),
    talk(Other, Rounds).

echo(To) -> receive ping -> To ! pong, echo(To) end.

talk(_, 0) -> done;
talk(Other, N) ->
    Other ! ping,
    receive pong -> talk(Other, N - 1) end.
