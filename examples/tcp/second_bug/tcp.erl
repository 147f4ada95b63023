-module(tcp). -export([main/0, server_fun/3, ack/5, client_fun/4]).
main() ->
    Server = spawn(?MODULE, server_fun, [self(), 50, 500]),
    spawn(?MODULE, client_fun, [Server, 57, 100, client1]),
    spawn(?MODULE, client_fun, [Server, 50, 200, client2]),
    receive {data, Data} -> Data end.

%% TCP's three-way handshake (paper 003, Fig. 2), the server mended: now the client's
%% acknowledgement, which is malformed, comes to light.
server_fun(Main, Port, Seq) ->
    receive
        {Client, {syn, Port, ClientSeq}} ->
            Args = [Main, Port, ClientSeq + 1, Seq + 1, Client],
            Ack = spawn(?MODULE, ack, Args),
            Client ! {Ack, {syn_ack, ClientSeq + 1, Seq}},
            server_fun(Main, Port, Seq + 1);
        {Client, {syn, _, _}} ->
            Client ! rst,
            server_fun(Main, Port, Seq + 1)
    end.

ack(Main, Port, Ack, Seq, Client) ->
    receive
        {Client, {ack, Port, Seq, Ack}} ->
            receive
                {Client, {data, Port, Data}} -> Main ! {data, Data};
                _ -> Main ! {data, error_data}
            end;
        _ ->
            Main ! {data, error_ack}
    end.

client_fun(Server, Port, Seq, Data) ->
    Server ! {self(), {syn, Port, Seq}},
    syn_ack(Port, Data, Seq + 1).

%% `ack` and `Ack` have changed places in the acknowledgement.
syn_ack(Port, Data, Ack) ->
    receive
        rst ->
            {port_rejected, Port};
        {Connection, {syn_ack, Ack, Seq}} ->
            Connection ! {self(), {Ack, Port, Seq + 1, ack}},
            Connection ! {self(), {data, Port, Data}},
            {Seq + 1, Ack, Port, Data}
    end.
