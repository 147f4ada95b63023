-module(counter).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, C} = gen_server:start_link(?MODULE, 10, []),
    gen_server:cast(C, {add, 5}),
    A = gen_server:call(C, get),
    B = gen_server:call(C, {take, 4}),
    C ! reset,
    {A, B, gen_server:call(C, get)}.

init(Start) -> {ok, #{start => Start, now => Start}}.

handle_call(get, _From, S = #{now := N}) -> {reply, N, S};
handle_call({take, N}, _From, S) ->
    {Left, T} = take(N, S),
    {reply, Left, T}.

handle_cast({add, N}, S = #{now := Now}) -> {noreply, S#{now := Now + N}}.

handle_info(reset, S = #{start := N}) -> {noreply, S#{now := N}}.

take(N, S = #{now := Now}) ->
    Left = Now - N,
    {Left, S#{now := Left}}.
