%% A supervisor for the corpus.
-module(lamp_sup).
-behaviour(supervisor).
-export([cases/0, init/1, start/1]).

cases() -> [].
init(simple) ->
    Child = #{id => c, start => {?MODULE, start, []}, restart => temporary},
    {ok, {#{strategy => simple_one_for_one}, [Child]}};
init({Strategy, Children}) -> {ok, {#{strategy => Strategy, intensity => 2, period => 5}, Children}}.
start(N) -> gen_server:start_link(behaviours, N, []).
