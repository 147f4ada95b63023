%% A process counts its messages after it took the second of two.
-module(own_mailbox).
-export([main/0]).
main() ->
    P = self(),
    spawn(fun() -> P ! one, P ! two end),
    receive two -> process_info(self(), message_queue_len) end.
