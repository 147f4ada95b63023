%% Two servers are upgraded while others call them; one that stays in old code is killed.
-module(loading).
-export([main/0]).

main() ->
    load(1),
    Servers = [spawn(served, loop, []) || _ <- [1, 2]],
    Clients = [spawn_monitor(fun() -> exit({values, [ask(S) || S <- Servers, _ <- [1, 2]]}) end)
               || _ <- [1, 2]],
    load(2),
    Stays = spawn(served, stay, []),
    receive after 1 -> ok end,
    [ask(S) || S <- Servers],
    load(3),
    [ask(S) || S <- Servers],
    Ref = monitor(process, Stays),
    code:purge(served),
    receive {'DOWN', Ref, process, Stays, killed} -> ok end,
    [receive {'DOWN', R, process, _, {values, _}} -> ok end || {_, R} <- Clients],
    Last = [ask(S) || S <- Servers, _ <- [1, 2]],
    true = code:delete(served),
    true = code:purge(served),
    {Last, [is_process_alive(S) || S <- Servers]}.

ask(Server) ->
    Server ! {self(), ask},
    receive {Server, Value} -> Value end.

load(Version) -> {module, served} = code:load_binary(served, "served.beam", file(Version)).

%% What a compiler would leave, but for the code of a machine.
file(Version) ->
    Chunk = term_to_binary({raw_abstract_v1, forms(Version)}),
    Padding = <<0:((-byte_size(Chunk)) band 3 * 8)>>,
    Body = <<"BEAM", "Abst", (byte_size(Chunk)):32, Chunk/binary, Padding/binary>>,
    <<"FOR1", (byte_size(Body)):32, Body/binary>>.

%% loop() -> receive {From, ask} -> From ! {self(), Version}, served:loop() end.
%% stay() -> receive never -> ok end.
forms(Version) ->
    L = 1,
    Self = {call, L, {atom, L, self}, []},
    Reply = {op, L, '!', {var, L, 'From'}, {tuple, L, [Self, {integer, L, Version}]}},
    Again = {call, L, {remote, L, {atom, L, served}, {atom, L, loop}}, []},
    Asked = {clause, L, [{tuple, L, [{var, L, 'From'}, {atom, L, ask}]}], [], [Reply, Again]},
    Never = {clause, L, [{atom, L, never}], [], [{atom, L, ok}]},
    Function = fun(Name, Clause) ->
        {function, L, Name, 0, [{clause, L, [], [], [{'receive', L, [Clause]}]}]}
    end,
    [{attribute, L, module, served}, {attribute, L, export, [{loop, 0}, {stay, 0}]},
     Function(loop, Asked), Function(stay, Never)].
