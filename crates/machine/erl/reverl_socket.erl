%% One socket as a process: it listens, or is one end of a stream, or takes datagrams.
-module(reverl_socket).
-export([run/3]).

-define(LOOPBACK, {127, 0, 0, 1}).

%% What a socket is in every state: its kind, who owns it (and how that is watched), its options,
%% what has come and was not taken, who waits for it, the other end, how it has ended, and whether
%% the next line of HTTP is a header.
run(Kind, Owner, Options) ->
    State = #{kind => Kind, owner => none, watch => none, options => Options, came => [],
              rest => <<>>, waiting => [], peer => none, ended => false, counts => {0, 0}, http => start},
    loop(own(Owner, State)).

own(none, State) -> State;
own(Owner, State) ->
    case State of
        #{watch := none} -> ok;
        #{watch := Watch} -> demonitor(Watch, [flush])
    end,
    State#{owner := Owner, watch := monitor(process, Owner)}.

loop(State) ->
    receive
        {call, From, Ref, Request} ->
            loop(called(Request, {From, Ref}, State));
        {forget, Ref} ->
            #{waiting := Waiting} = State,
            loop(State#{waiting := [W || {{_, R}, _} = W <- Waiting, R =/= Ref]});
        {connect, Peer, Port} ->
            %% The other end of a stream, which nobody has accepted yet.
            #{options := Options} = State,
            Own = maps:merge(Options, #{peer_port => Port}),
            Pid = spawn(?MODULE, run, [stream, none, Own]),
            Pid ! {peer, Peer},
            Peer ! {peer, Pid},
            loop(progress(add(Pid, State)));
        {own, Owner} ->
            loop(progress(own(Owner, State)));
        {peer, Peer} ->
            monitor(process, Peer),
            loop(flush(State#{peer := Peer}));
        {data, Data} ->
            #{rest := Rest, counts := {In, Out}} = State,
            Counts = {In + byte_size(Data), Out},
            loop(progress(State#{rest := <<Rest/binary, Data/binary>>, counts := Counts}));
        ended ->
            loop(progress(State#{ended := true}));
        {datagram, From, Port, Data} ->
            loop(progress(add({From, Port, Data}, State)));
        {'DOWN', Watch, process, _, _} when Watch =:= map_get(watch, State) ->
            close(State);
        {'DOWN', _, process, _, _} ->
            loop(progress(State#{ended := true, peer := gone}));
        _ ->
            loop(State)
    end.

add(What, #{came := Came} = State) -> State#{came := Came ++ [What]}.

%% What was sent before the other end was known.
flush(#{peer := Peer} = State) ->
    [Peer ! M || M <- lists:reverse(maps:get(unsent, State, []))],
    maps:remove(unsent, State).

to_peer(_Message, #{peer := gone} = State) ->
    State;
to_peer(Message, #{peer := none} = State) ->
    State#{unsent => [Message | maps:get(unsent, State, [])]};
to_peer(Message, #{peer := Peer} = State) ->
    Peer ! Message,
    State.

reply({From, Ref}, Reply) -> From ! {Ref, Reply}.

close(#{kind := stream} = State) ->
    to_peer(ended, State),
    [reply(From, {error, closed}) || {From, _} <- map_get(waiting, State)],
    ok;
close(#{kind := listen, came := Came, waiting := Waiting}) ->
    [Pid ! {call, self(), make_ref(), close} || Pid <- Came],
    [reply(From, {error, closed}) || {From, _} <- Waiting],
    ok;
close(#{waiting := Waiting}) ->
    [reply(From, {error, closed}) || {From, _} <- Waiting],
    ok.

%% Requests

called(close, From, State) ->
    close(State),
    reply(From, ok),
    exit(normal);
called({own, Owner}, From, State) ->
    reply(From, ok),
    progress(own(Owner, State));
called({take, Length}, From, #{waiting := Waiting, options := Options} = State) ->
    case maps:get(active, Options) of
        false -> progress(State#{waiting := Waiting ++ [{From, Length}]});
        _ ->
            reply(From, {error, einval}),
            State
    end;
called(accept, From, #{kind := listen, waiting := Waiting} = State) ->
    progress(State#{waiting := Waiting ++ [{From, accept}]});
called({send, _}, From, #{kind := stream, peer := gone} = State) ->
    reply(From, {error, closed}),
    State;
called({send, Data}, From, #{kind := stream, options := Options, counts := {In, Out}} = State) ->
    case framed_to_send(maps:get(packet, Options), Data) of
        {ok, Bytes} ->
            reply(From, ok),
            to_peer({data, Bytes}, State#{counts := {In, Out + byte_size(Bytes)}});
        Error ->
            reply(From, Error),
            State
    end;
called({send, Port, Data}, From, #{kind := udp, options := #{port := Own}} = State) ->
    reverl_net ! {datagram, Port, ?LOOPBACK, Own, Data},
    reply(From, ok),
    State;
called({send, Data}, From, #{kind := udp, options := Options} = State) ->
    case Options of
        #{peer_port := Port} -> called({send, Port, Data}, From, State);
        _ ->
            reply(From, {error, edestaddrreq}),
            State
    end;
called({shutdown, How}, From, State) ->
    reply(From, ok),
    case How of
        read -> State;
        _ -> to_peer(ended, State)
    end;
called({unrecv, Data}, From, #{rest := Rest} = State) ->
    reply(From, ok),
    progress(State#{rest := iolist_to_binary([Data, Rest])});
called({set, New}, From, #{options := Options} = State) ->
    reply(From, ok),
    Changed = State#{options := maps:merge(Options, active(New, Options))},
    case New of
        #{packet := _} -> progress(Changed#{http := start});
        _ -> progress(Changed)
    end;
called(options, From, #{options := Options} = State) ->
    reply(From, {ok, Options}),
    State;
called(counts, From, #{counts := Counts} = State) ->
    reply(From, {ok, Counts}),
    State;
called(peer, From, #{options := Options, peer := Peer} = State) ->
    reply(From, case Options of
        #{peer_port := Port} when Peer =/= gone -> {ok, {?LOOPBACK, Port}};
        _ -> {error, enotconn}
    end),
    State;
called(_, From, State) ->
    reply(From, {error, einval}),
    State.

%% A number of messages is added to those that may still come.
active(#{active := N} = New, #{active := Before}) when is_integer(N) ->
    Sum = N + case is_integer(Before) of true -> Before; false -> 0 end,
    New#{active := case Sum > 0 of true -> Sum; false -> false end};
active(New, _) -> New.

%% Packets

framed_to_send(N, Data) when N =:= 1; N =:= 2; N =:= 4 ->
    case byte_size(Data) < 1 bsl (8 * N) of
        true -> {ok, <<(byte_size(Data)):N/unit:8, Data/binary>>};
        false -> {error, emsgsize}
    end;
framed_to_send(_, Data) -> {ok, Data}.

%% The first packet of what has come. HTTP goes on with headers until they end.
packet(Packet, #{rest := Rest, http := Http, options := Options} = State) ->
    Sizes = [{packet_size, Size} || #{packet_size := Size} <- [Options], is_integer(Size)],
    case erlang:decode_packet(line_of(Packet, Http), Rest, Sizes) of
        {ok, Whole, Left} -> {ok, Whole, State#{rest := Left, http := after_line(Packet, Whole)}};
        {more, _} -> more;
        {error, _} -> {error, emsgsize}
    end.

line_of(http, headers) -> httph;
line_of(http_bin, headers) -> httph_bin;
line_of(Packet, _) -> Packet.

after_line(Packet, Whole) when Packet =:= http; Packet =:= http_bin ->
    case Whole of
        http_eoh -> start;
        {http_error, _} -> start;
        _ -> headers
    end;
after_line(_, _) -> start.

%% Giving out what has come

progress(#{kind := listen, came := [Pid | Came], waiting := [{From, accept} | Waiting]} = State) ->
    {Owner, _} = From,
    Pid ! {own, Owner},
    reply(From, {ok, Pid}),
    progress(State#{came := Came, waiting := Waiting});
progress(#{kind := listen} = State) ->
    State;
progress(#{waiting := [{From, Length} | Waiting]} = State) ->
    case take(Length, State) of
        {ok, Data, Left} ->
            reply(From, {ok, shown(Data, State)}),
            progress(Left#{waiting := Waiting});
        closed ->
            reply(From, {error, closed}),
            progress(State#{waiting := Waiting});
        {error, _} = Error ->
            reply(From, Error),
            progress(State#{waiting := Waiting});
        more ->
            State
    end;
progress(#{options := #{active := false}} = State) ->
    State;
progress(#{owner := none} = State) ->
    State;
progress(#{owner := Owner} = State) ->
    case take(0, State) of
        {ok, Data, Left} ->
            Owner ! message(Data, State),
            progress(used(Left));
        closed ->
            Owner ! {tcp_closed, socket(State)},
            exit(normal);
        {error, Reason} ->
            Owner ! {tcp_error, socket(State), Reason},
            Owner ! {tcp_closed, socket(State)},
            exit(normal);
        more ->
            State
    end.

used(#{options := #{active := once} = Options} = State) ->
    State#{options := Options#{active := false}};
used(#{options := #{active := 1} = Options, kind := Kind, owner := Owner} = State) ->
    Owner ! {case Kind of udp -> udp_passive; stream -> tcp_passive end, socket(State)},
    State#{options := Options#{active := false}};
used(#{options := #{active := N} = Options} = State) when is_integer(N) ->
    State#{options := Options#{active := N - 1}};
used(State) -> State.

message({From, Port, Data}, #{kind := udp} = State) ->
    {udp, socket(State), From, Port, data(Data, State)};
message(Data, State) when is_binary(Data) -> {tcp, socket(State), data(Data, State)};
message({ssl_tls, _, _, _, _} = Record, State) -> {ssl_tls, socket(State), Record};
message(Line, State) -> {http, socket(State), Line}.

shown({From, Port, Data}, #{kind := udp} = State) -> {From, Port, data(Data, State)};
shown(Data, State) -> data(Data, State).

data(Data, #{options := #{mode := list}}) when is_binary(Data) -> binary_to_list(Data);
data(Data, _) -> Data.

socket(#{kind := udp}) -> {'$inet', reverl_udp, self()};
socket(_) -> {'$inet', reverl_tcp, self()}.

take(_, #{kind := udp, came := [First | Came]} = State) -> {ok, First, State#{came := Came}};
take(_, #{kind := udp}) -> more;
take(Length, #{options := #{packet := Packet}} = State) when Packet =:= raw; Packet =:= 0 ->
    #{rest := Rest, ended := Ended} = State,
    case Rest of
        <<Part:Length/binary, Left/binary>> when Length > 0 -> {ok, Part, State#{rest := Left}};
        _ when Length =:= 0, Rest =/= <<>> -> {ok, Rest, State#{rest := <<>>}};
        _ when Ended -> closed;
        _ -> more
    end;
take(_, #{options := #{packet := Packet}, ended := Ended} = State) ->
    case packet(Packet, State) of
        more when Ended -> closed;
        Taken -> Taken
    end.
