%% A request to the group leader that is written by hand, and a message that may come in time.
-module(io_request).
-export([main/0]).
main() ->
    R = make_ref(),
    group_leader() ! {io_request, self(), R, {put_chars, unicode, <<"x">>}},
    receive {io_reply, R, ok} -> ok end,
    P = self(),
    spawn(fun() -> P ! m end),
    receive m -> got after 0 -> none end.
