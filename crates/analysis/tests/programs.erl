%% Small programs whose number of distinct executions is known.
-module(programs).
-export([senders/1, by_sender/1, first/1, streams/1, one_sender/0, ring/1, overtaking/0,
         timeout/0, selective/0, update/1, philosophers/1, monitors/0]).

senders(N) ->
    Me = self(),
    [spawn(fun() -> Me ! I end) || I <- lists:seq(1, N)],
    [receive X -> X end || _ <- lists:seq(1, N)].

by_sender(N) ->
    Me = self(),
    Pids = [spawn(fun() -> Me ! {self(), I} end) || I <- lists:seq(1, N)],
    [receive {Pid, X} -> X end || Pid <- Pids].

first(N) ->
    Me = self(),
    [spawn(fun() -> Me ! I end) || I <- lists:seq(1, N)],
    receive X -> X end.

streams(K) ->
    Me = self(),
    [spawn(fun() -> [Me ! {Name, I} || I <- lists:seq(1, K)] end) || Name <- [a, b]],
    [receive X -> X end || _ <- lists:seq(1, 2 * K)].

one_sender() ->
    Me = self(),
    spawn(fun() -> Me ! one, Me ! two end),
    [receive X -> X end, receive Y -> Y end].

ring(N) ->
    Last = lists:foldl(fun(_, Next) -> spawn(fun() -> receive T -> Next ! T end end) end,
                       self(), lists:seq(1, N)),
    Last ! token,
    receive token -> done end.

overtaking() ->
    Me = self(),
    Relay = spawn(fun() -> receive go -> Me ! second end end),
    spawn(fun() -> Me ! first, Relay ! go end),
    receive X -> receive Y -> [X, Y] end end.

timeout() ->
    Me = self(),
    spawn(fun() -> Me ! hello end),
    receive hello -> hello after 10 -> silence end.

%% A message that was passed over is there for later receives, in its old place.
selective() ->
    Me = self(),
    spawn(fun() -> Me ! {b, 1}, Me ! {a, 1} end),
    spawn(fun() -> Me ! {b, 2} end),
    A = receive {a, X} -> X end,
    B = receive {b, Y} -> Y end,
    C = receive {b, Z} -> Z end,
    {A, B, C}.

%% Clients that read and then write a server's value: updates get lost.
update(N) ->
    Me = self(),
    Server = spawn(fun() -> value(0, 2 * N, Me) end),
    [spawn(fun() -> Server ! {get, self()}, receive {value, V} -> Server ! {put, V + 1} end end)
     || _ <- lists:seq(1, N)],
    receive {final, V} -> V end.

value(V, 0, Report) -> Report ! {final, V};
value(V, Left, Report) ->
    receive
        {get, From} -> From ! {value, V}, value(V, Left - 1, Report);
        {put, New} -> value(New, Left - 1, Report)
    end.

%% Each takes its left fork and then its right one: they can all wait for each other.
philosophers(N) ->
    Me = self(),
    Forks = list_to_tuple([spawn(fun() -> fork() end) || _ <- lists:seq(1, N)]),
    [spawn(fun() ->
         take(element(I, Forks)),
         take(element(1 + I rem N, Forks)),
         element(I, Forks) ! back,
         element(1 + I rem N, Forks) ! back,
         Me ! {ate, I}
     end) || I <- lists:seq(1, N)],
    [receive {ate, I} -> I end || I <- lists:seq(1, N)].

take(Fork) ->
    Fork ! {take, self()},
    receive {yours, Fork} -> ok end.

fork() ->
    receive {take, From} -> From ! {yours, self()} end,
    receive back -> fork() end.

monitors() ->
    {P, Ref} = spawn_monitor(fun() -> exit(gone) end),
    Me = self(),
    spawn(fun() -> Me ! hello end),
    receive
        {'DOWN', Ref, process, P, Why} -> Why;
        hello -> hello
    end.
