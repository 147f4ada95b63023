%% Eight philosophers who all take the left fork first.
-module(dining).
-export([main/0, t/1]).
main() -> t(8).
t(N) ->
    Me = self(),
    Forks = list_to_tuple([spawn(fun free/0) || _ <- lists:seq(1, N)]),
    [spawn(fun() -> eat(element(I, Forks), element(I rem N + 1, Forks), Me, I) end) || I <- lists:seq(1, N)],
    [receive {ate, I} -> ok end || I <- lists:seq(1, N)],
    [element(I, Forks) ! stop || I <- lists:seq(1, N)],
    ok.
eat(Left, Right, Me, I) ->
    take(Left), take(Right),
    Left ! {put, self()}, Right ! {put, self()},
    Me ! {ate, I}.
take(Fork) -> Fork ! {take, self()}, receive {taken, Fork} -> ok end.
free() -> receive {take, P} -> P ! {taken, self()}, taken(P); stop -> ok end.
taken(P) -> receive {put, P} -> free() end.
