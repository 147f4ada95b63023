%% An event handler for the corpus.
-module(lamp_log).
-behaviour(gen_event).
-export([cases/0, init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2]).

cases() -> [].
init(L) -> {ok, L}.
handle_event(E, L) -> {ok, [E | L]}.
handle_call(get, L) -> {ok, lists:reverse(L), L}.
handle_info(_, L) -> {ok, L}.
terminate(Why, L) -> {Why, L}.
