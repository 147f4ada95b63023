%% A server over TCP that counts visits. Each connection is a process under a supervisor; all count in
%% one table, by reading and then writing: two that come together count as one.
-module(visits).
-behaviour(supervisor).
-export([main/0, main/1, init/1, start_connection/1, serve/1, accept/2]).

main() -> main(2).

%% So many visitors come at once, and each is counted.
main(Visitors) ->
    ets:new(visits, [named_table, public]),
    ets:insert(visits, {count, 0}),
    {ok, Sup} = supervisor:start_link(?MODULE, []),
    {ok, Listen} = gen_tcp:listen(0, [binary, {active, false}, {packet, line}]),
    {ok, Port} = inet:port(Listen),
    spawn_link(?MODULE, accept, [Listen, Sup]),
    Self = self(),
    Clients = [spawn_link(fun() -> visit(Port), Self ! {done, self()} end) || _ <- lists:seq(1, Visitors)],
    [receive {done, Client} -> ok end || Client <- Clients],
    gen_tcp:close(Listen),
    Count = ets:lookup_element(visits, count, 2),
    Visitors = Count.

visit(Port) ->
    {ok, Socket} = gen_tcp:connect("localhost", Port, [binary, {active, false}, {packet, line}]),
    ok = gen_tcp:send(Socket, "hello\n"),
    {ok, <<"counted\n">>} = gen_tcp:recv(Socket, 0),
    gen_tcp:close(Socket).

accept(Listen, Sup) ->
    case gen_tcp:accept(Listen) of
        {ok, Socket} ->
            {ok, Connection} = supervisor:start_child(Sup, [Socket]),
            ok = gen_tcp:controlling_process(Socket, Connection),
            Connection ! go,
            accept(Listen, Sup);
        {error, closed} ->
            ok
    end.

init([]) ->
    Child = #{id => connection, start => {?MODULE, start_connection, []}, restart => temporary},
    {ok, {#{strategy => simple_one_for_one}, [Child]}}.

start_connection(Socket) -> {ok, proc_lib:spawn_link(?MODULE, serve, [Socket])}.

serve(Socket) ->
    receive go -> ok end,
    {ok, <<"hello\n">>} = gen_tcp:recv(Socket, 0),
    Count = ets:lookup_element(visits, count, 2),
    ets:insert(visits, {count, Count + 1}),
    ok = gen_tcp:send(Socket, "counted\n"),
    gen_tcp:close(Socket).
