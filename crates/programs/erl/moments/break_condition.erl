%% A record as the argument of the function that a breakpoint with a condition is set on.
-module(break_condition).
-export([main/0]).
-record(account, {owner, balance = 0}).
main() -> add(#account{owner = bob}, 5).
add(State, N) -> State#account{balance = State#account.balance + N}.
