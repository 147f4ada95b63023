%% Errors with the cause that OTP tells, and what a wrong argument of a process's functions does.
-module(causes).
-export([cases/0]).
-define(C(E), {?LINE, fun() -> E end}).

id(X) -> X.

dead() ->
    {Pid, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, process, Pid, _} -> Pid end.

cases() -> [
    ?C(register(undefined, self())),
    ?C(register("x", self())),
    ?C(register(x, 7)),
    ?C(begin register(here, self()), register(other, self()) end),
    ?C(begin register(here, self()), register(here, spawn(fun() -> receive x -> ok end end)) end),
    ?C(begin Dead = dead(), register(x, Dead) end),
    ?C(unregister(nope)),
    ?C(unregister(id(7))),
    ?C(whereis(id(7))),
    ?C(process_flag(id(foo), true)),
    ?C(process_flag(id(7), true)),
    ?C(process_flag(trap_exit, id(7))),
    ?C(process_flag(priority, id(x))),
    ?C(process_flag(priority, high)),
    ?C(erlang:start_timer(id(-1), self(), x)),
    ?C(erlang:send_after(id(a), self(), x)),
    ?C(erlang:send_after(10, id(7), x)),
    ?C(erlang:send_after(10, self(), x, id([foo]))),
    ?C(erlang:start_timer(10, self(), x, id(foo))),
    ?C(erlang:send_after(id(1 bsl 80), self(), x)),
    ?C(erlang:send_after(id(1 bsl 50), self(), x)),
    ?C(erlang:cancel_timer(id(x))),
    ?C(erlang:read_timer(id(x))),
    ?C({erlang:demonitor(make_ref(), id([foo]))}),
    ?C({erlang:demonitor(make_ref(), id(flush))}),
    ?C(erlang:demonitor(id(x))),
    ?C(erlang:demonitor(make_ref(), [flush, info])),
    ?C(erlang:hibernate(a, b, id(c))),
    ?C(begin X = id(a), <<X:8>> end),
    ?C(begin X = id(-1), <<1:X>> end),
    ?C(begin X = id(foo), <<X/binary>> end),
    ?C(begin X = id(<<1, 2>>), <<X:3/binary>> end),
    ?C(begin X = id(a), <<X/float>> end),
    ?C(begin X = id(16#D800), <<X/utf8>> end),
    ?C(begin X = id(a), <<1, X/utf16>> end),
    ?C(begin X = id(<<1:3>>), <<X/binary>> end),
    ?C(begin X = id(1.0e300), <<X:32/float>> end),
    ?C(begin X = id(1.0), S = id(17), <<X:S/float>> end),
    ?C(begin X = id(5), S = id(foo), <<X:S>> end),
    ?C(begin X = id(<<1>>), S = id(foo), <<1, X:S/binary>> end),
    ?C(begin X = id(<<1>>), <<X/bitstring, 1:(id(-2))>> end),
    ?C(begin X = id([]), <<"ab", X/binary>> end),
    ?C(<<1:(id(1 bsl 70))>>),
    %% A fun that wants arguments: the new process fails, not its parent.
    ?C(begin
           process_flag(trap_exit, true),
           Pid = spawn_link(id(fun(_) -> ok end)),
           receive {'EXIT', Pid, {Reason, _}} -> element(1, Reason) end
       end),
    ?C(is_pid(spawn_opt(id(fun(_) -> ok end), [])))
].
