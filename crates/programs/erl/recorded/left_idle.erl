%% A server that is still there at the end, without work. Who looks at it must know that the receive it waits in
%% is OTP's, also where OTP has no sources, or is not installed.
-module(left_idle).
-behaviour(gen_server).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Server} = gen_server:start(?MODULE, 0, []),
    gen_server:call(Server, next).

init(N) -> {ok, N}.

handle_call(next, _From, N) -> {reply, N, N + 1}.

handle_cast(_, N) -> {noreply, N}.
