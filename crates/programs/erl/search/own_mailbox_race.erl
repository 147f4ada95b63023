%% A process counts its messages while one is on its way.
-module(own_mailbox_race).
-export([main/0]).
main() ->
    P = self(),
    spawn(fun() -> P ! x end),
    {message_queue_len, L} = process_info(self(), message_queue_len),
    receive x -> L end.
