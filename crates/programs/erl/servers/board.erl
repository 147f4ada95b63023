%% An event manager with two handlers: one counts, one remembers the last event and leaves when told.
-module(board).
-behaviour(gen_event).
-export([test/0, init/1, handle_event/2, handle_call/2, handle_info/2]).

init(Kind) -> {ok, {Kind, 0}}.

handle_event(close, {last, _}) -> remove_handler;
handle_event(_, {count, N}) -> {ok, {count, N + 1}};
handle_event(Event, {last, _}) -> {ok, {last, Event}}.

handle_call(get, {_, Value} = State) -> {ok, Value, State}.

handle_info(tick, {count, N}) -> {ok, {count, N + 100}};
handle_info(_, State) -> {ok, State}.

test() ->
    {ok, B} = gen_event:start_link(),
    ok = gen_event:add_handler(B, {?MODULE, a}, count),
    ok = gen_event:add_handler(B, {?MODULE, b}, last),
    Self = self(),
    [spawn_link(fun() -> gen_event:notify(B, {news, I}), Self ! {done, I} end) || I <- [1, 2]],
    [receive {done, I} -> ok end || I <- [1, 2]],
    {news, _} = gen_event:call(B, {?MODULE, b}, get),
    ok = gen_event:sync_notify(B, close),
    {error, bad_module} = gen_event:call(B, {?MODULE, b}, get),
    B ! tick,
    103 = gen_event:call(B, {?MODULE, a}, get),
    gen_event:stop(B).
