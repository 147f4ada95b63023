%% Timers. OTP keeps them in a server; here each that runs code is a process of its own, so that
%% a debugger shows whose it is.
-module(timer).
-export([start/0, sleep/1, tc/1, tc/2, tc/3, tc/4, now_diff/2]).
-export([seconds/1, minutes/1, hours/1, hms/3]).
-export([send_after/2, send_after/3, exit_after/2, exit_after/3]).
-export([apply_after/2, apply_after/3, apply_after/4]).
-export([apply_interval/2, apply_interval/3, apply_interval/4]).
-export([kill_after/1, kill_after/2, send_interval/2, send_interval/3]).
-export([cancel/1]).

-define(IS_TIME(T), is_integer(T), T >= 0).
-define(IS_TARGET(T),
    (is_pid(T) orelse is_atom(T) orelse
        is_tuple(T) andalso tuple_size(T) =:= 2 andalso is_atom(element(1, T)) andalso
            is_atom(element(2, T)))).

start() -> ok.

sleep(Time) -> receive after Time -> ok end.

tc(Fun) -> tc(Fun, microsecond).

tc(Fun, Unit) when is_function(Fun, 0) ->
    Before = erlang:monotonic_time(),
    Value = Fun(),
    {passed(Before, Unit), Value};
tc(Fun, Args) ->
    tc(Fun, Args, microsecond).

tc(Fun, Args, Unit) when is_function(Fun) ->
    Before = erlang:monotonic_time(),
    Value = apply(Fun, Args),
    {passed(Before, Unit), Value};
tc(Module, Function, Args) ->
    tc(Module, Function, Args, microsecond).

tc(Module, Function, Args, Unit) ->
    Before = erlang:monotonic_time(),
    Value = apply(Module, Function, Args),
    {passed(Before, Unit), Value}.

passed(Before, Unit) ->
    erlang:convert_time_unit(erlang:monotonic_time() - Before, native, Unit).

now_diff({M2, S2, U2}, {M1, S1, U1}) ->
    ((M2 - M1) * 1000000 + (S2 - S1)) * 1000000 + (U2 - U1).

seconds(N) -> 1000 * N.
minutes(N) -> 1000 * 60 * N.
hours(N) -> 1000 * 60 * 60 * N.
hms(H, M, S) -> hours(H) + minutes(M) + seconds(S).

send_after(Time, Message) -> send_after(Time, self(), Message).

send_after(0, To, Message) when ?IS_TARGET(To) ->
    To ! Message,
    {ok, {instant, make_ref()}};
send_after(Time, To, Message) when ?IS_TIME(Time), (is_pid(To) orelse is_atom(To)) ->
    {ok, {send_local, erlang:send_after(Time, To, Message)}};
send_after(Time, To, Message) when ?IS_TIME(Time), ?IS_TARGET(To) ->
    {ok, {once, spawn(fun() -> once(Time, fun() -> To ! Message end) end)}};
send_after(_, _, _) ->
    {error, badarg}.

apply_after(Time, Fun) -> apply_after(Time, Fun, []).

apply_after(Time, Fun, Args) when ?IS_TIME(Time), is_function(Fun, length(Args)) ->
    {ok, {once, spawn(fun() -> once(Time, fun() -> apply(Fun, Args) end) end)}};
apply_after(_, _, _) ->
    {error, badarg}.

apply_after(Time, M, F, As) when ?IS_TIME(Time), is_atom(M), is_atom(F), is_list(As) ->
    {ok, {once, spawn(fun() -> once(Time, fun() -> do(M, F, As) end) end)}};
apply_after(_, _, _, _) ->
    {error, badarg}.

once(Time, Action) ->
    receive
        {cancel, From, Ref} -> From ! {Ref, ok}
    after Time ->
        Action()
    end.

%% An exit signal can be sent by name.
do(erlang, exit, [To, Reason]) when is_atom(To) ->
    case whereis(To) of
        undefined -> true;
        Pid -> exit(Pid, Reason)
    end;
do(M, F, As) ->
    apply(M, F, As).

exit_after(Time, Reason) -> exit_after(Time, self(), Reason).
exit_after(Time, Target, Reason) -> apply_after(Time, erlang, exit, [Target, Reason]).
kill_after(Time) -> kill_after(Time, self()).
kill_after(Time, Pid) -> exit_after(Time, Pid, kill).

send_interval(Time, Message) -> send_interval(Time, self(), Message).

%% Ends with the process that it sends to.
send_interval(Time, To, Message) when ?IS_TIME(Time), ?IS_TARGET(To) ->
    Start = fun() ->
        Ref = monitor(process, To),
        every(Time, Ref, fun() -> catch To ! Message end)
    end,
    {ok, {interval, spawn(Start)}};
send_interval(_, _, _) ->
    {error, badarg}.

apply_interval(Time, Fun) -> apply_interval(Time, Fun, []).

apply_interval(Time, Fun, Args) when ?IS_TIME(Time), is_function(Fun, length(Args)) ->
    Action = fun() -> spawn(fun() -> apply(Fun, Args) end) end,
    {ok, {interval, spawn(fun() -> every(Time, none, Action) end)}};
apply_interval(_, _, _) ->
    {error, badarg}.

apply_interval(Time, M, F, As) when ?IS_TIME(Time), is_atom(M), is_atom(F), is_list(As) ->
    {ok, {interval, spawn(fun() -> every(Time, none, fun() -> spawn(M, F, As) end) end)}};
apply_interval(_, _, _, _) ->
    {error, badarg}.

every(Time, Monitor, Action) ->
    every(Time, erlang:monotonic_time(millisecond) + Time, Monitor, Action).

every(Time, At, Monitor, Action) ->
    Left = max(0, At - erlang:monotonic_time(millisecond)),
    receive
        {cancel, From, Ref} -> From ! {Ref, ok};
        {'DOWN', Monitor, _, _, _} -> ok
    after Left ->
        Action(),
        every(Time, At + Time, Monitor, Action)
    end.

cancel({send_local, Ref}) when is_reference(Ref) ->
    erlang:cancel_timer(Ref),
    {ok, cancel};
cancel({Kind, Ref}) when Kind =:= instant orelse Kind =:= once orelse Kind =:= interval,
                         is_reference(Ref) ->
    {ok, cancel};
cancel({Kind, Pid}) when Kind =:= once orelse Kind =:= interval, is_pid(Pid) ->
    Ref = monitor(process, Pid),
    Pid ! {cancel, self(), Ref},
    receive
        {Ref, ok} -> demonitor(Ref, [flush]);
        {'DOWN', Ref, _, _, _} -> ok
    end,
    {ok, cancel};
cancel(_) ->
    {error, badarg}.
