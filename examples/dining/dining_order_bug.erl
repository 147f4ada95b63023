%% Dining philosophers, with a bug: the waiter takes any message for the state of a fork.
%% Every philosopher eats ?MEALS times; then all processes end and main/0 returns the meals.
-module(dining_order_bug).
-export([main/0]).

-define(SEATS, 3).
-define(MEALS, 2).

main() ->
    Me = self(),
    Forks = [{Seat, spawn(fun() -> fork(free) end)} || Seat <- lists:seq(1, ?SEATS)],
    Waiter = spawn(fun() -> waiter(Forks, ?SEATS) end),
    [spawn(fun() -> philosopher(Seat, Waiter, Me, ?MEALS) end) || Seat <- lists:seq(1, ?SEATS)],
    Meals = [receive {full, Seat} -> Seat end || Seat <- lists:seq(1, ?SEATS)],
    {everybody_ate, Meals}.

%% A philosopher asks to eat until told to, and gives the forks back afterwards.
philosopher(Seat, Waiter, Main, 0) ->
    Waiter ! done,
    Main ! {full, Seat};
philosopher(Seat, Waiter, Main, Meals) ->
    Waiter ! {hungry, Seat, self()},
    receive
        eat ->
            Waiter ! {eaten, Seat},
            philosopher(Seat, Waiter, Main, Meals - 1);
        think ->
            philosopher(Seat, Waiter, Main, Meals)
    end.

%% A fork knows whether it is free or used.
fork(State) ->
    receive
        {get_state, From} ->
            From ! State,
            fork(State);
        {set_state, NewState} ->
            fork(NewState);
        stop ->
            ok
    end.

%% The waiter serves until no philosopher is left.
waiter(Forks, 0) ->
    [Fork ! stop || {_, Fork} <- Forks],
    ok;
waiter(Forks, Philosophers) ->
    receive
        {hungry, Seat, Philosopher} ->
            {Left, Right} = forks_of(Seat, Forks),
            case {ask_state(Left), ask_state(Right)} of
                {free, free} ->
                    Left ! {set_state, used},
                    Right ! {set_state, used},
                    Philosopher ! eat;
                _ ->
                    Philosopher ! think
            end,
            waiter(Forks, Philosophers);
        {eaten, Seat} ->
            {Left, Right} = forks_of(Seat, Forks),
            Left ! {set_state, free},
            Right ! {set_state, free},
            waiter(Forks, Philosophers);
        done ->
            waiter(Forks, Philosophers - 1)
    end.

ask_state(Fork) ->
    Fork ! {get_state, self()},
    receive
        State -> State
    end.

%% The fork of the seat itself, and the one of the next seat round the table.
forks_of(Seat, Forks) ->
    Next = 1 + Seat rem ?SEATS,
    {fork_at(Seat, Forks), fork_at(Next, Forks)}.

fork_at(Seat, Forks) ->
    {Seat, Fork} = lists:keyfind(Seat, 1, Forks),
    Fork.
