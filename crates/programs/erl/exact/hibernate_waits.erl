%% Value: {still_asleep,{current_function,{erlang,hibernate,3}},{woke,{message_queue_len,1}}}
-module(hibernate_waits).
-export([main/0, wake/1]).

wake(S) -> S ! {woke, process_info(self(), message_queue_len)}.

main() ->
    S = self(),
    P = spawn(fun() -> erlang:hibernate(?MODULE, wake, [S]) end),
    Before = receive M1 -> M1 after 500 -> still_asleep end,
    At = process_info(P, current_function),
    P ! hello,
    {Before, At, receive M2 -> M2 after 500 -> none end}.
