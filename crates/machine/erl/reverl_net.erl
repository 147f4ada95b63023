%% A network that has one machine. Each socket is a process; one more knows which ports are taken.
%% What is sent goes from socket to socket as messages, so it is undone and explored like them.
-module(reverl_net).
-export([run/0, call/2, call/3, open/2, connect/3, address/1]).

-define(LOOPBACK, {127, 0, 0, 1}).
-define(FIRST_PORT, 49152).

%% Asking

%% A socket that is gone is closed.
call(Socket, Request) -> call(Socket, Request, infinity).

call(Pid, Request, Timeout) ->
    Ref = monitor(process, Pid),
    Pid ! {call, self(), Ref, Request},
    receive
        {Ref, Reply} ->
            demonitor(Ref, [flush]),
            Reply;
        {'DOWN', Ref, process, _, _} ->
            {error, closed}
    after Timeout ->
        Pid ! {forget, Ref},
        demonitor(Ref, [flush]),
        receive
            {Ref, Reply} -> Reply
        after 0 ->
            {error, timeout}
        end
    end.

network() ->
    reverl_kernel:need(reverl_net),
    reverl_net.

%% A socket of this kind, bound to a port: `listen` or `udp`.
open(Kind, Options) -> call(network(), {open, Kind, self(), Options}).

connect(Address, Port, Options) ->
    case address(Address) of
        {ok, ?LOOPBACK} -> call(network(), {connect, self(), Port, Options});
        {ok, _} -> {error, ehostunreach};
        Error -> Error
    end.

%% All names of this machine are one address.
address(Address) when tuple_size(Address) =:= 4 ->
    case Address of
        {127, _, _, _} -> {ok, ?LOOPBACK};
        {0, 0, 0, 0} -> {ok, ?LOOPBACK};
        _ -> {ok, Address}
    end;
address({0, 0, 0, 0, 0, 0, 0, _}) -> {ok, ?LOOPBACK};
address(any) -> {ok, ?LOOPBACK};
address(loopback) -> {ok, ?LOOPBACK};
address(#{addr := Address}) -> address(Address);
address(Address) when is_tuple(Address) -> {ok, Address};
address(Name) when is_atom(Name) -> address(atom_to_list(Name));
address(Name) when is_list(Name) ->
    case lists:member(Name, ["localhost", "localhost.localdomain", "nohost"]) of
        true ->
            {ok, ?LOOPBACK};
        false ->
            case inet_parse:address(Name) of
                {ok, Address} -> address(Address);
                {error, _} -> {error, nxdomain}
            end
    end;
address(_) -> {error, einval}.

%% Which ports are taken

run() -> network(#{}, ?FIRST_PORT).

network(Taken, Next) ->
    receive
        {call, From, Ref, {open, Kind, Owner, Options}} ->
            Wanted = maps:get(port, Options, 0),
            Port = case Wanted of 0 -> free(Kind, Next, Taken); _ -> Wanted end,
            case maps:is_key({Kind, Port}, Taken) of
                true ->
                    From ! {Ref, {error, eaddrinuse}},
                    network(Taken, Next);
                false ->
                    Pid = spawn(reverl_socket, run, [Kind, Owner, Options#{port => Port}]),
                    monitor(process, Pid),
                    From ! {Ref, {ok, Pid}},
                    network(Taken#{{Kind, Port} => Pid}, next(Wanted, Port, Next))
            end;
        {call, From, Ref, {connect, Owner, Port, Options}} ->
            case Taken of
                #{{listen, Port} := Listener} ->
                    Local = free(listen, Next, Taken),
                    Names = #{port => Local, peer_port => Port},
                    Pid = spawn(reverl_socket, run,
                                [stream, Owner, maps:merge(Options, Names)]),
                    Listener ! {connect, Pid, Local},
                    From ! {Ref, {ok, Pid}},
                    network(Taken, Local + 1);
                _ ->
                    From ! {Ref, {error, econnrefused}},
                    network(Taken, Next)
            end;
        {datagram, Port, From, FromPort, Data} ->
            case Taken of
                #{{udp, Port} := Pid} -> Pid ! {datagram, From, FromPort, Data};
                _ -> lost
            end,
            network(Taken, Next);
        {'DOWN', _, process, Pid, _} ->
            network(maps:filter(fun(_, P) -> P =/= Pid end, Taken), Next);
        _ ->
            network(Taken, Next)
    end.

free(Kind, Port, Taken) ->
    case maps:is_key({Kind, Port}, Taken) of
        true -> free(Kind, Port + 1, Taken);
        false -> Port
    end.

next(0, Port, _) -> Port + 1;
next(_, _, Next) -> Next.
