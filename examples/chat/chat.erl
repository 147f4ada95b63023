%% A chat room. Who joins is told the room's topic by a cast, and greets the room at once; the room
%% forgets whoever it has not yet written down, so a greeting that overtakes the joining is lost.
-module(chat).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

-record(room, {topic, members = #{}, lost = 0}).

main() ->
    {ok, Room} = gen_server:start_link({local, room}, ?MODULE, weather, []),
    Door = spawn_link(fun() -> door(Room) end),
    Boss = self(),
    [spawn_link(fun() -> guest(Room, Door, Name, Boss) end) || Name <- [ada, joe]],
    [receive {left, Name} -> ok end || Name <- [ada, joe]],
    {2, 0} = gen_server:call(Room, counts).

%% Guests are let in by the door, which tells the room of them.
door(Room) ->
    receive
        {enter, Name, Guest} ->
            gen_server:cast(Room, {join, Name, Guest}),
            Guest ! welcome,
            door(Room)
    end.

%% The planted bug: the guest knocks and speaks without waiting for the welcome.
guest(Room, Door, Name, Boss) ->
    Door ! {enter, Name, self()},
    gen_server:cast(Room, {say, Name, hello}),
    receive welcome -> ok end,
    receive {said, Name, hello} -> ok after 1000 -> ok end,
    Boss ! {left, Name}.

init(Topic) -> {ok, #room{topic = Topic}}.

handle_call(counts, _From, Room) ->
    {reply, {map_size(Room#room.members), Room#room.lost}, Room}.

handle_cast({join, Name, Guest}, Room = #room{members = Members}) ->
    {noreply, Room#room{members = Members#{Name => Guest}}};
handle_cast({say, Name, Text}, Room = #room{members = Members, lost = Lost}) ->
    case Members of
        #{Name := _} ->
            [Guest ! {said, Name, Text} || Guest <- maps:values(Members)],
            {noreply, Room};
        #{} ->
            {noreply, Room#room{lost = Lost + 1}}
    end.
