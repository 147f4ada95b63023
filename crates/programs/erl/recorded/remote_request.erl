%% A node without a name asks another one for something: the answer is a message of the system itself.
-module(remote_request).
-export([asked/0, called/0]).

asked() ->
    R = spawn_request('no@where', lists, seq, [1, 2], [{reply_tag, mine}]),
    receive {mine, R, error, Why} -> Why end.

called() ->
    {error, Why} = try erpc:call('no@where', erlang, node, []) catch error:{erpc, E} -> {error, E} end,
    Why.
