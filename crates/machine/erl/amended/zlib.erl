%% In the place of OTP's functions in C. A stream is what went into it so far: what comes out is
%% computed from that again, and only what is new of it is given out, so a stream can be undone.
-module(zlib).

open_nif() ->
    Z = make_ref(),
    put({?MODULE, Z}, fresh(none)),
    Z.

fresh(Mode) -> #{mode => Mode, queue => [], parts => [], given => 0, ended => false, stash => empty}.

state(Z) ->
    case get({?MODULE, Z}) of
        undefined -> error(not_initialized);
        State -> State
    end.

state(Z, Kind) ->
    case state(Z) of
        #{mode := Mode} = State when tuple_size(Mode) =:= 3, element(1, Mode) =:= Kind -> State;
        #{mode := none} -> error(not_initialized);
        _ -> error(stream_error)
    end.

set(Z, State) ->
    put({?MODULE, Z}, State),
    ok.

close_nif(Z) ->
    _ = state(Z),
    erase({?MODULE, Z}),
    ok.

set_controller_nif(Z, _Pid) ->
    _ = state(Z),
    ok.

enqueue_nif(Z, Data) ->
    #{queue := Queue} = State = state(Z),
    set(Z, State#{queue := [Queue, Data]}).

deflateInit_nif(Z, Level, _Method, WindowBits, _MemLevel, _Strategy) ->
    set(Z, fresh({deflate, Level, WindowBits})).

deflateReset_nif(Z) ->
    #{mode := Mode} = state(Z, deflate),
    set(Z, fresh(Mode)).

deflateParams_nif(Z, _Level, _Strategy) ->
    _ = state(Z, deflate),
    ok.

deflateSetDictionary_nif(Z, _Dictionary) ->
    _ = state(Z, deflate),
    error(stream_error).

deflate_nif(Z, _In, _Out, Flush) ->
    #{mode := {_, Level, Bits}, queue := Queue, parts := Parts, given := Given} = State =
        state(Z, deflate),
    Now = Parts ++ [{iolist_to_binary(Queue), Flush}],
    case Flush of
        0 ->
            set(Z, State#{queue := [], parts := Now, ended := false}),
            {finished, []};
        _ ->
            <<_:Given/binary, New/binary>> = All = reverl:deflate(Level, Bits, Now),
            set(Z, State#{queue := [], parts := Now, given := byte_size(All), ended := Flush =:= 4}),
            {finished, [New]}
    end.

deflateEnd_nif(Z) ->
    #{ended := Ended, parts := Parts} = state(Z, deflate),
    set(Z, fresh(none)),
    Ended orelse Parts =:= [] orelse error(data_error, [Z]),
    ok.

inflateInit_nif(Z, WindowBits, EndOfStream) ->
    set(Z, fresh({inflate, WindowBits, EndOfStream})).

inflateReset_nif(Z) ->
    #{mode := Mode} = state(Z, inflate),
    set(Z, fresh(Mode)).

inflateSetDictionary_nif(Z, _Dictionary) ->
    _ = state(Z, inflate),
    error(stream_error).

inflateGetDictionary_nif(Z) ->
    _ = state(Z, inflate),
    [].

inflate_nif(Z, In, Out, Flush) ->
    #{mode := {_, Bits, EndOfStream}, queue := Queue, parts := Parts, given := Given} = State =
        state(Z, inflate),
    Came = iolist_to_binary(Queue),
    case State of
        #{ended := true} when Came =:= <<>> ->
            {finished, []};
        #{ended := true} when EndOfStream =:= 0 ->
            {finished, []};
        #{ended := true} when EndOfStream =:= 1 ->
            set(Z, State#{parts := [], given := 0, ended := false}),
            inflate_nif(Z, In, Out, Flush);
        #{ended := true} ->
            error(data_error);
        _ ->
            Input = iolist_to_binary([Parts, Came]),
            {All, Used, Ended} =
                try reverl:inflate(Bits, Input)
                catch error:Reason -> error(Reason, [Z, In, Out, Flush])
                end,
            <<_:Given/binary, New/binary>> = All,
            Left = case Ended of true -> binary:part(Input, Used, byte_size(Input) - Used); false -> <<>> end,
            set(Z, State#{queue := [Left], parts := [Input], given := byte_size(All), ended := Ended}),
            case Left of
                <<>> -> {finished, [New]};
                _ when EndOfStream =:= 0 -> {finished, [New]};
                _ -> {continue, [New]}
            end
    end.

inflateEnd_nif(Z) ->
    #{ended := Ended} = state(Z, inflate),
    set(Z, fresh(none)),
    Ended orelse error(data_error, [Z]),
    ok.

getBufSize_nif(Z) ->
    _ = state(Z),
    4000.

setBufSize_nif(Z, _Size) ->
    _ = state(Z),
    ok.

crc32_nif(Z) ->
    #{parts := Parts} =
        case get({?MODULE, Z}) of
            undefined -> error(badarg, [Z]);
            State -> State
        end,
    erlang:crc32([case Part of {Bytes, _} -> Bytes; _ -> Part end || Part <- Parts]).

clearStash_nif(Z) -> set(Z, (state(Z))#{stash := empty}).
setStash_nif(Z, Term) -> set(Z, (state(Z))#{stash := {ok, Term}}).
getStash_nif(Z) -> map_get(stash, state(Z)).
