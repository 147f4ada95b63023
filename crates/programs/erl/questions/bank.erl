-module(bank).
-export([main/0]).

main() ->
    Bank = spawn(fun() -> bank(#{}) end),
    call(Bank, {open, ann}),
    call(Bank, {open, bob}),
    call(Bank, {deposit, ann, 100}),
    Moved = transfer(Bank, ann, bob, 30),
    Balances = [call(Bank, {balance, P}) || P <- [ann, bob]],
    {Moved, Balances}.

transfer(Bank, From, To, N) ->
    case call(Bank, {withdraw, From, N}) of
        ok -> call(Bank, {deposit, To, N}), {moved, N};
        Refused -> Refused
    end.

call(Bank, Request) ->
    Ref = make_ref(),
    Bank ! {self(), Ref, Request},
    receive
        {Ref, Answer} -> Answer
    after 1000 -> timeout
    end.

bank(Accounts) ->
    receive
        {From, Ref, {balance, P}} ->
            From ! {Ref, maps:get(P, Accounts, none)},
            bank(Accounts);
        {From, Ref, Request} ->
            {Answer, Changed} = handle(Request, Accounts),
            From ! {Ref, Answer},
            bank(Changed)
    end.

handle({open, P}, Accounts) -> {ok, Accounts#{P => 0}};
handle({deposit, P, N}, Accounts) -> {ok, change(P, N, Accounts)};
handle({withdraw, P, N}, Accounts) ->
    case maps:get(P, Accounts) of
        Has when Has >= N -> {ok, change(P, -N, Accounts)};
        _ -> {refused, Accounts}
    end.

change(P, N, Accounts) -> maps:update_with(P, fun(Has) -> Has + N end, Accounts).
