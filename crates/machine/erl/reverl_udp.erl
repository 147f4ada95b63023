%% What `gen_udp` and `inet` ask of the sockets of our network.
-module(reverl_udp).
-export([open/2, send/2, send/3, send/4, send/5, recv/2, recv/3, connect/2, connect/3, close/1]).
-export([controlling_process/2, setopts/2, getopts/2, sockname/1, peername/1, socknames/1]).
-export([getstat/2, info/1, monitor/1, cancel_monitor/1]).

-define(SOCKET(Pid), {'$inet', _, Pid}).

open(Port, Options) ->
    case reverl_net:open(udp, (reverl_tcp:options(Options))#{port => reverl_tcp:port_of(Port)}) of
        {ok, Pid} -> {ok, {'$inet', ?MODULE, Pid}};
        Error -> Error
    end.

send(?SOCKET(Pid), Data) -> reverl_net:call(Pid, {send, iolist_to_binary(Data)}).
send(Socket, {Address, Port}, Data) -> send(Socket, Address, Port, Data);
send(Socket, #{addr := Address, port := Port}, Data) -> send(Socket, Address, Port, Data).

send(?SOCKET(Pid), Address, Port, Data) when is_integer(Port) ->
    case reverl_net:address(Address) of
        {ok, {127, 0, 0, 1}} -> reverl_net:call(Pid, {send, Port, iolist_to_binary(Data)});
        {ok, _} -> {error, ehostunreach};
        Error -> Error
    end;
send(Socket, {Address, Port}, _Ancillary, Data) ->
    send(Socket, Address, Port, Data).

send(Socket, Address, Port, _Ancillary, Data) -> send(Socket, Address, Port, Data).

recv(Socket, Length) -> recv(Socket, Length, infinity).
recv(?SOCKET(Pid), Length, Timeout) -> reverl_net:call(Pid, {take, Length}, Timeout).

connect(Socket, #{addr := Address, port := Port}) -> connect(Socket, Address, Port).
connect(?SOCKET(Pid), _Address, Port) -> reverl_net:call(Pid, {set, #{peer_port => Port}}).

close(Socket) -> reverl_tcp:close(Socket).
controlling_process(Socket, Owner) -> reverl_tcp:controlling_process(Socket, Owner).
setopts(Socket, Options) -> reverl_tcp:setopts(Socket, Options).
getopts(Socket, Names) -> reverl_tcp:getopts(Socket, Names).
sockname(Socket) -> reverl_tcp:sockname(Socket).
socknames(Socket) -> reverl_tcp:socknames(Socket).
peername(Socket) -> reverl_tcp:peername(Socket).
getstat(Socket, Names) -> reverl_tcp:getstat(Socket, Names).
info(Socket) -> reverl_tcp:info(Socket).
monitor(Socket) -> reverl_tcp:monitor(Socket).
cancel_monitor(Ref) -> reverl_tcp:cancel_monitor(Ref).
