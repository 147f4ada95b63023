%% Ports to programs of the operating system. A port is a process with the name of the port, which
%% writes to its program and tells its owner what that says. The program runs for real, and only if
%% that was allowed; its answers are inputs, which a replay is given again.
-module(reverl_port).
-export([open/2, call/2, info/1, ports/0, run/5]).

%% How long a program is waited for at a time, and how often in a row without its saying anything. Then
%% it is left alone until something is written to it.
-define(PAUSE, 100).
-define(PATIENCE, 100).

%% `{ok, Port}`, or why there is none.
open(Name, Settings) ->
    try
        Set = settings(Settings, #{mode => stream, args => [], env => [], flags => []}),
        {Set, command(Name, Set)}
    of
        {Known, Command} -> started(Name, Known, Command)
    catch
        throw:badarg -> {error, badarg}
    end.

started(Name, Set, Command) ->
    Ref = make_ref(),
    Pid = spawn(?MODULE, run, [self(), Ref, label(Name), Command, Set]),
    receive
        {Ref, Answer} -> Answer
    after 60000 ->
        exit(Pid, kill),
        {error, einval}
    end.

label({_, Name}) -> unicode:characters_to_list(Name).

command({spawn, Command}, _) -> {shell, text(Command)};
command({spawn_executable, File}, #{args := Args}) -> {program, text(File), [text(A) || A <- Args]};
command(_, _) -> throw(badarg).

text(Text) ->
    case unicode:characters_to_binary(Text) of
        Binary when is_binary(Binary) -> Binary;
        _ -> throw(badarg)
    end.

settings([], Set) -> Set;
settings([Setting | Settings], Set) -> settings(Settings, setting(Setting, Set));
settings(_, _) -> throw(badarg).

setting({packet, N}, Set) when N =:= 1; N =:= 2; N =:= 4 -> Set#{mode := {packet, N}};
setting({line, L}, Set) when is_integer(L), L > 0 -> Set#{mode := {line, L}};
setting(stream, Set) -> Set#{mode := stream};
setting({args, Args}, Set) when is_list(Args) -> Set#{args := Args};
setting({cd, Dir}, Set) -> Set#{cd => text(Dir)};
setting({env, Env}, Set) -> Set#{env := [variable(V) || V <- Env]};
setting({arg0, _}, Set) -> Set;
setting({parallelism, Is}, Set) when is_boolean(Is) -> Set;
setting({busy_limits_port, _}, Set) -> Set;
setting({busy_limits_msgq, _}, Set) -> Set;
setting(Flag, #{flags := Flags} = Set) ->
    Known = [binary, exit_status, eof, stderr_to_stdout, use_stdio, nouse_stdio, hide, in, out, overlapped_io],
    case lists:member(Flag, Known) of
        true -> Set#{flags := [Flag | Flags]};
        false -> throw(badarg)
    end.

variable({Name, false}) -> {text(Name), false};
variable({Name, Value}) -> {text(Name), text(Value)};
variable(_) -> throw(badarg).

%% Asks a port; `closed` if there is none.
call(Port, Request) ->
    case is_port(Port) andalso reverl:whereis(name(Port)) of
        Pid when is_pid(Pid) ->
            Ref = monitor(process, Pid),
            Pid ! {?MODULE, self(), Ref, Request},
            receive
                {Ref, Answer} ->
                    demonitor(Ref, [flush]),
                    Answer;
                {'DOWN', Ref, _, _, _} ->
                    closed
            end;
        _ ->
            closed
    end.

info(Port) ->
    case call(Port, info) of
        closed -> undefined;
        Info -> Info
    end.

ports() -> [list_to_port(atom_to_list(N)) || N <- reverl:registered(), is_name(atom_to_list(N))].

is_name("#Port<" ++ _) -> true;
is_name(_) -> false.

name(Port) -> list_to_atom(port_to_list(Port)).

%% The process of a port.
run(Owner, Ref, Name, Command, #{flags := Flags, env := Env} = Set) ->
    Merged = lists:member(stderr_to_stdout, Flags),
    case reverl:port_open(Command, maps:get(cd, Set, <<>>), Env, Merged) of
        {ok, Handle} ->
            [_, Number, _] = string:lexemes(pid_to_list(self()), "<.>"),
            Port = list_to_port("#Port<0." ++ Number ++ ">"),
            register(name(Port), self()),
            monitor(process, Owner),
            Owner ! {Ref, {ok, Port}},
            loop(Set#{owner => Owner, linked => [Owner], port => Port, handle => Handle, name => Name,
                      buffer => <<>>, input => 0, output => 0, data => undefined, quiet => 0});
        {error, _} = Error ->
            Owner ! {Ref, Error}
    end.

loop(#{owner := Owner, port := Port, linked := Linked} = S) ->
    receive
        {Owner, {command, Data}} ->
            case written(Data, S) of
                badarg -> ended(badsig, S);
                Next -> loop(Next)
            end;
        {Owner, close} ->
            ended(normal, S),
            Owner ! {Port, closed};
        {Owner, {connect, New}} when is_pid(New) ->
            Owner ! {Port, connected},
            loop(connected(New, S));
        {?MODULE, From, Ref, Request} ->
            asked(Request, From, Ref, S);
        {link, Pid} ->
            loop(S#{linked := [Pid | lists:delete(Pid, Linked)]});
        {unlink, Pid} ->
            loop(S#{linked := lists:delete(Pid, Linked)});
        {'DOWN', _, process, Owner, _} ->
            ended(normal, S);
        {'DOWN', _, _, _, _} ->
            loop(S);
        _ ->
            ended(badsig, S)
    after pause(S) ->
        listened(S)
    end.

connected(New, #{linked := Linked} = S) ->
    monitor(process, New),
    S#{owner := New, linked := [New | lists:delete(New, Linked)]}.

asked({command, Data}, From, Ref, S) ->
    case written(Data, S) of
        badarg ->
            From ! {Ref, badarg},
            loop(S);
        Next ->
            From ! {Ref, true},
            loop(Next)
    end;
asked(close, From, Ref, S) ->
    ended(normal, S),
    From ! {Ref, true};
asked({connect, New}, From, Ref, S) ->
    From ! {Ref, true},
    loop(connected(New, S));
asked(info, From, Ref, #{name := Name, linked := Linked, owner := Owner, input := In, output := Out} = S) ->
    From ! {Ref, [{name, Name}, {links, Linked}, {id, 0}, {connected, Owner}, {input, In}, {output, Out},
                  {os_pid, undefined}]},
    loop(S);
asked(get_data, From, Ref, #{data := Data} = S) ->
    From ! {Ref, {data, Data}},
    loop(S);
asked({set_data, Data}, From, Ref, S) ->
    From ! {Ref, true},
    loop(S#{data := {given, Data}}).

%% When the program is listened to next. That the time of a program passes is what it is waited for.
pause(#{quiet := Quiet}) when Quiet > ?PATIENCE -> infinity;
pause(#{quiet := 0}) -> 1;
pause(_) -> ?PAUSE.

written(Data, #{mode := Mode, handle := Handle, output := Out} = S) ->
    try iolist_to_binary(Data) of
        Binary ->
            reverl:port_write(Handle, framed(Mode, Binary)),
            S#{output := Out + byte_size(Binary), quiet := 0}
    catch
        error:_ -> badarg
    end.

framed({packet, N}, Binary) -> <<(byte_size(Binary)):N/unit:8, Binary/binary>>;
framed(_, Binary) -> Binary.

listened(#{handle := Handle, quiet := Quiet, flags := Flags} = S) ->
    case reverl:port_read(Handle, ?PAUSE) of
        nothing -> loop(S#{quiet := Quiet + 1});
        {data, Binary} -> loop(told(Binary, S#{quiet := 0}));
        {exit, Status} ->
            rest_told(S),
            Tells = fun(Flag, Message) -> lists:member(Flag, Flags) andalso tell(Message, S) end,
            Tells(eof, eof),
            Tells(exit_status, {exit_status, Status}),
            case lists:member(eof, Flags) of
                true -> loop(S#{quiet := ?PATIENCE + 1, buffer := <<>>});
                false -> ended(normal, S)
            end
    end.

tell(Message, #{owner := Owner, port := Port}) -> Owner ! {Port, Message}.

told(Binary, #{mode := Mode, buffer := Buffer, input := In} = S) ->
    {Frames, Rest} = frames(Mode, <<Buffer/binary, Binary/binary>>, []),
    [tell({data, shown(Frame, S)}, S) || Frame <- Frames],
    S#{buffer := Rest, input := In + byte_size(Binary)}.

rest_told(#{buffer := <<_, _/binary>> = Rest, mode := {line, _}} = S) -> tell({data, shown({noeol, Rest}, S)}, S);
rest_told(_) -> ok.

shown({Kind, Line}, S) -> {Kind, shown(Line, S)};
shown(Binary, #{flags := Flags}) ->
    case lists:member(binary, Flags) of
        true -> Binary;
        false -> binary_to_list(Binary)
    end.

frames(stream, Binary, []) -> {[Binary], <<>>};
frames({packet, N} = Mode, Binary, Frames) ->
    case Binary of
        <<Size:N/unit:8, Frame:Size/binary, Rest/binary>> -> frames(Mode, Rest, [Frame | Frames]);
        _ -> {lists:reverse(Frames), Binary}
    end;
frames({line, Most} = Mode, Binary, Frames) ->
    case binary:match(Binary, <<"\n">>) of
        {At, 1} when At =< Most ->
            <<Line:At/binary, _, Rest/binary>> = Binary,
            frames(Mode, Rest, [{eol, Line} | Frames]);
        _ when byte_size(Binary) > Most ->
            <<Part:Most/binary, Rest/binary>> = Binary,
            frames(Mode, Rest, [{noeol, Part} | Frames]);
        _ ->
            {lists:reverse(Frames), Binary}
    end.

%% A port ends as if it were linked to its owner.
ended(Reason, #{port := Port, handle := Handle, linked := Linked}) ->
    unregister(name(Port)),
    reverl:port_close(Handle),
    [end_told(process_info(Pid, trap_exit), Pid, Port, Reason) || Pid <- Linked],
    ok.

end_told({trap_exit, true}, Pid, Port, Reason) -> Pid ! {'EXIT', Port, Reason};
end_told({trap_exit, false}, Pid, _, Reason) when Reason =/= normal -> exit(Pid, Reason);
end_told(_, _, _, _) -> ok.
