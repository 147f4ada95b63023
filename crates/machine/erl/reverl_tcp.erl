%% What `gen_tcp` and `inet` ask of the sockets of our network.
-module(reverl_tcp).
-export([connect/3, connect/4, listen/2, accept/2, send/2, recv/2, recv/3, unrecv/2, shutdown/2]).
-export([close/1, controlling_process/2, setopts/2, getopts/2, sockname/1, peername/1, socknames/1]).
-export([getstat/2, info/1, monitor/1, cancel_monitor/1, options/1, port_of/1, fdopen/2]).

-define(SOCKET(Pid), {'$inet', _, Pid}).

connect(Address, Options, Timeout) ->
    connect(Address, maps:get(port, Address, 0), Options, Timeout).

connect(Address, Port, Options, _Timeout) ->
    opened(reverl_net:connect(Address, port_of(Port), options(Options))).

listen(Port, Options) ->
    opened(reverl_net:open(listen, (options(Options))#{port => port_of(Port)})).

accept(?SOCKET(Pid), Timeout) -> opened(reverl_net:call(Pid, accept, Timeout)).

opened({ok, Pid}) -> {ok, {'$inet', ?MODULE, Pid}};
opened(Error) -> Error.

send(?SOCKET(Pid), Data) ->
    try iolist_to_binary(Data) of
        Bytes -> reverl_net:call(Pid, {send, Bytes})
    catch
        error:badarg -> {error, einval}
    end.

recv(Socket, Length) -> recv(Socket, Length, infinity).
recv(?SOCKET(Pid), Length, Timeout) -> reverl_net:call(Pid, {take, Length}, Timeout).

unrecv(?SOCKET(Pid), Data) -> reverl_net:call(Pid, {unrecv, Data}).
shutdown(?SOCKET(Pid), How) -> reverl_net:call(Pid, {shutdown, How}).

close(?SOCKET(Pid)) ->
    reverl_net:call(Pid, close),
    ok.

%% What came for the owner so far goes to the new one.
controlling_process(?SOCKET(Pid) = Socket, Owner) ->
    case reverl_net:call(Pid, {own, Owner}) of
        ok ->
            forward(Socket, Owner);
        Error ->
            Error
    end.

forward(Socket, Owner) when Owner =:= self(); Socket =:= none -> ok;
forward(Socket, Owner) ->
    receive
        {tcp, Socket, _} = Message -> forward(Message, Socket, Owner);
        {tcp_closed, Socket} = Message -> forward(Message, Socket, Owner);
        {udp, Socket, _, _, _} = Message -> forward(Message, Socket, Owner)
    after 0 ->
        ok
    end.

forward(Message, Socket, Owner) ->
    Owner ! Message,
    forward(Socket, Owner).

setopts(?SOCKET(Pid), Options) ->
    reverl_net:call(Pid, {set, maps:from_list(lists:flatmap(fun option/1, Options))}).

getopts(?SOCKET(Pid), Names) ->
    case reverl_net:call(Pid, options) of
        {ok, Options} -> {ok, [{Name, value(Name, Options)} || Name <- Names]};
        Error -> Error
    end.

value(packet, #{packet := raw}) -> 0;
value(Name, Options) -> maps:get(Name, Options, false).

sockname(?SOCKET(Pid)) ->
    case reverl_net:call(Pid, options) of
        {ok, #{port := Port} = Options} -> {ok, {bound(Options), Port}};
        _ -> {error, einval}
    end.

bound(#{ip := Address}) when is_tuple(Address) -> Address;
bound(#{peer_port := _}) -> {127, 0, 0, 1};
bound(#{ip := loopback}) -> {127, 0, 0, 1};
bound(_) -> {0, 0, 0, 0}.

socknames(Socket) ->
    case sockname(Socket) of
        {ok, Name} -> {ok, [Name]};
        Error -> Error
    end.

peername(?SOCKET(Pid)) -> reverl_net:call(Pid, peer).

getstat(?SOCKET(Pid), Names) ->
    case reverl_net:call(Pid, counts) of
        {ok, {In, Out}} ->
            Known = #{recv_oct => In, send_oct => Out},
            {ok, [{Name, maps:get(Name, Known, 0)} || Name <- Names]};
        Error ->
            Error
    end.

info(Socket) ->
    {ok, Counts} = getstat(Socket, [recv_oct, send_oct]),
    #{counters => maps:from_list(Counts), states => [], links => []}.

monitor(?SOCKET(Pid)) -> erlang:monitor(process, Pid).
cancel_monitor(Ref) -> demonitor(Ref, [flush]).
fdopen(_, _) -> {error, enotsup}.

port_of(Port) when is_integer(Port) -> Port;
port_of(Name) -> maps:get(Name, #{http => 80, https => 443, ftp => 21, smtp => 25, ssh => 22}, 0).

%% Options as a map, with what they are if nothing is said.
options(Options) ->
    Default = #{mode => list, active => true, packet => raw},
    maps:merge(Default, maps:from_list(lists:flatmap(fun option/1, Options))).

option(binary) -> [{mode, binary}];
option(list) -> [{mode, list}];
option({packet, 0}) -> [{packet, raw}];
option({ifaddr, Address}) -> [{ip, Address}];
option({Name, Value}) when is_atom(Name) -> [{Name, Value}];
option(_) -> [].
