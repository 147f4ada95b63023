%% The three-way handshake of TCP between a server and two clients, with two bugs:
%% a client that asks for a wrong port stops the server, and the acknowledgement of the other
%% client has its parts in the wrong order. main/0 should give client2.
-module(tcp).
-export([main/0, server/3, connection/5, client/4]).

main() ->
    Server = spawn(?MODULE, server, [self(), 50, 500]),
    spawn(?MODULE, client, [Server, 57, 100, client1]),
    spawn(?MODULE, client, [Server, 50, 200, client2]),
    receive
        {data, Data} -> Data
    end.

server(Main, Port, Seq) ->
    receive
        {Client, {syn, Port, ClientSeq}} ->
            Args = [Main, Port, ClientSeq + 1, Seq + 1, Client],
            Connection = spawn(?MODULE, connection, Args),
            Client ! {Connection, {syn_ack, ClientSeq + 1, Seq}},
            server(Main, Port, Seq + 1);
        {Client, {syn, _, _}} ->
            Client ! rst
            %% The server should go on here: server(Main, Port, Seq + 1).
    end.

connection(Main, Port, Ack, Seq, Client) ->
    receive
        {Client, {ack, Port, Seq, Ack}} ->
            receive
                {Client, {data, Port, Data}} -> Main ! {data, Data};
                _ -> Main ! {data, error_data}
            end;
        _ ->
            Main ! {data, error_ack}
    end.

client(Server, Port, Seq, Data) ->
    Server ! {self(), {syn, Port, Seq}},
    syn_ack(Port, Data, Seq + 1).

syn_ack(Port, Data, Ack) ->
    receive
        rst ->
            {port_rejected, Port};
        {Connection, {syn_ack, Ack, Seq}} ->
            %% It should be {ack, Port, Seq + 1, Ack}.
            Connection ! {self(), {Ack, Port, Seq + 1, ack}},
            Connection ! {self(), {data, Port, Data}},
            {connected, Port, Seq + 1, Ack}
    end.
