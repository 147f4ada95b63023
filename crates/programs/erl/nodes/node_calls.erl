%% What the functions of OTP that reach another node answer there and here.
-module(node_calls).
-export([main/0, waits/0]).

main() ->
    {ok, _} = net_kernel:start(['a@localhost', shortnames]),
    {ok, Peer, B} = peer:start(#{name => b, host => "localhost"}),
    Remote = spawn(B, ?MODULE, waits, []),
    Results = [
        {node, B, node(Remote), nodes(), nodes(this), lists:sort(nodes(known)), nodes(hidden)},
        {alive, is_alive(), node(self()), node(make_ref())},
        {rpc, rpc:call(B, erlang, node, []), rpc:call(B, lists, nth, [2, [x, y]])},
        {exits, rpc:call(B, erlang, exit, [gone]), catch erpc:call(B, erlang, exit, [gone])},
        {throws, rpc:call(B, erlang, throw, [ball]), catch erpc:call(B, erlang, throw, [ball])},
        {multicall, erpc:multicall([node(), B], erlang, node, []), rpc:multicall([node(), B], erlang, node, [])},
        {far, caught(fun() -> is_process_alive(Remote) end), caught(fun() -> process_info(Remote) end),
         caught(fun() -> register(far, Remote) end), caught(fun() -> erlang:send_after(1, Remote, x) end)},
        {nobody, {nobody, B} ! hello, catch gen_server:call({nobody, B}, x)},
        {down, down(monitor(process, {nobody, B})), down(killed(Remote))},
        {spawned, down(element(2, spawn_monitor(B, fun() -> exit({over, node()}) end)))},
        {request, requested(B), requested(nowhere@localhost)},
        {ping, net_adm:ping(B), net_adm:ping(nowhere@localhost), net_kernel:connect_node(nowhere@localhost)},
        {global, global:sync(), global:register_name(main, self()), rpc:call(B, global, whereis_name, [main]) =:= self(),
         lists:sort(global:registered_names()), rpc:call(B, global, send, [main, hello]) =:= self(),
         receive hello -> heard end},
        {lock, global:trans({lock, self()}, fun() -> locked end)},
        {text, binary_to_term(rpc:call(B, erlang, term_to_binary, [self()])) =:= self()},
        {nodedown, nodedown(nowhere@localhost)}
    ],
    true = erlang:monitor_node(B, true),
    ok = peer:stop(Peer),
    receive {nodedown, B} -> ok end,
    [io:format("~0p~n", [Result]) || Result <- Results ++ [{stopped, nodes(), rpc:call(B, erlang, node, [])}]],
    ok.

waits() -> receive after infinity -> ok end.

caught(Fun) -> try Fun() catch Class:Reason -> {Class, Reason} end.

killed(Pid) ->
    Ref = monitor(process, Pid),
    exit(Pid, kill),
    Ref.

down(Ref) -> receive {'DOWN', Ref, process, _, Why} -> Why after 5000 -> nothing end.

requested(Node) ->
    Ref = spawn_request(Node, fun() -> ok end, [{reply_tag, told}]),
    receive {told, Ref, Answer, What} -> {Answer, is_pid(What) orelse What} after 5000 -> nothing end.

nodedown(Node) ->
    true = erlang:monitor_node(Node, true),
    receive {nodedown, Node} -> down after 5000 -> nothing end.
