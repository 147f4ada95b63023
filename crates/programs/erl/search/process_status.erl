%% A process asks for the status of another that is about to wait.
-module(process_status).
-export([main/0]).
main() ->
    P = self(),
    Q = spawn(fun() -> P ! up, receive x -> ok end end),
    receive up -> ok end,
    {status, S} = process_info(Q, status),
    exit(Q, kill),
    S.
