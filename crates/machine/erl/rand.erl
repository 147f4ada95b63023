%% Random numbers, for machines without OTP: the generators of Vigna and Blackman in 58 bits with
%% OTP's seeding, so that a seed gives the numbers it gives there. The exception is `normal`,
%% which has OTP's distribution but not its numbers.
-module(rand).
-export([seed/1, seed/2, seed_s/1, seed_s/2, export_seed/0, export_seed_s/1]).
-export([uniform/0, uniform/1, uniform_s/1, uniform_s/2, uniform_real/0, uniform_real_s/1]).
-export([normal/0, normal/2, normal_s/1, normal_s/3, bytes/1, bytes_s/2]).
-export([exsp_next/1, splitmix64_next/1]).

-define(MASK58, (1 bsl 58 - 1)).
-define(MASK64, (1 bsl 64 - 1)).
-define(KEY, rand_seed).

seed({Handler, _} = State) when is_map(Handler) -> kept(State);
seed({Name, _} = Exported) when is_atom(Name) -> kept(seed_s(Exported));
seed(Name) -> kept(seed_s(Name)).

seed(Name, Seed) -> kept(seed_s(Name, Seed)).

kept(State) ->
    put(?KEY, State),
    State.

seed_s({Handler, _} = State) when is_map(Handler) -> State;
seed_s({Name, Numbers}) when is_atom(Name) -> {handler(Name), Numbers};
seed_s(Name) ->
    %% All three are inputs of the run.
    Now = erlang:system_time(),
    seed_s(Name, {erlang:phash2([{node(), self()}]), Now, erlang:unique_integer()}).

seed_s(default, Seed) -> seed_s(exsss, Seed);
seed_s(Name, Seed) ->
    Handler = handler(Name),
    {Handler, numbers(Name, Seed)}.

handler(default) -> handler(exsss);
handler(exsss) -> #{type => exsss, bits => 58, next => fun exsss/1};
handler(exsp) ->
    #{type => exsp, bits => 58, weak_low_bits => 1, next => fun exsp_next/1};
handler(exrop) -> #{type => exrop, bits => 58, weak_low_bits => 1, next => fun exrop/1};
handler(Name) -> erlang:error({no_such_algorithm, Name}).

%% -- Seeds

numbers(_, [A | B]) when is_integer(B) -> [A band ?MASK58 | B band ?MASK58];
numbers(_, [A, B]) when is_integer(A), is_integer(B) -> [A band ?MASK58 | B band ?MASK58];
numbers(_, Seed) when is_integer(Seed) ->
    {A, X} = filled(Seed band ?MASK64),
    {B, _} = filled(X),
    [A | B];
numbers(exsss, {A1, A2, A3}) ->
    {_, X0} = filled(A1 band ?MASK64),
    {A, X1} = filled((A2 band ?MASK64) bxor X0),
    {B, _} = filled((A3 band ?MASK64) bxor X1),
    [A | B];
numbers(exrop, Seed) -> mixed(fun exrop/1, Seed);
numbers(_, Seed) -> mixed(fun exsp_next/1, Seed).

mixed(Next, {A1, A2, A3}) ->
    A = (A1 * 4294967197 + 1) band ?MASK58,
    B = (A2 * 4294967231 + 1) band ?MASK58,
    C = (A3 * 4294967279 + 1) band ?MASK58,
    {_, [_ | Tail]} = Next([A | B]),
    {_, State} = Next([C | Tail]),
    State.

%% A number that is not 0.
filled(X0) ->
    case splitmix64_next(X0) of
        {Z, X} when Z band ?MASK58 =/= 0 -> {Z band ?MASK58, X};
        {_, X} -> filled(X)
    end.

splitmix64_next(X0) ->
    X = (X0 + 16#9e3779b97f4a7c15) band ?MASK64,
    A = ((X bxor (X bsr 30)) * 16#bf58476d1ce4e5b9) band ?MASK64,
    B = ((A bxor (A bsr 27)) * 16#94d049bb133111eb) band ?MASK64,
    {B bxor (B bsr 31), X}.

%% -- Generators: {Number, NextState}

shift([S1 | S0]) ->
    A = S1 bxor ((S1 bsl 24) band ?MASK58),
    [S0 | A bxor S0 bxor (A bsr 11) bxor (S0 bsr 41)].

exsp_next([_ | S0] = State) ->
    [_ | New] = Next = shift(State),
    {(S0 + New) band ?MASK58, Next}.

exsss([_ | S0] = State) ->
    A = (S0 * 5) band ?MASK58,
    {(left(A, 7) * 9) band ?MASK58, shift(State)}.

exrop([S0 | S1]) ->
    A = S0 bxor S1,
    {(S0 + S1) band ?MASK58,
     [left(S0, 24) bxor A bxor ((A bsl 2) band ?MASK58) | left(A, 35)]}.

left(X, N) -> ((X bsl N) band ?MASK58) bor (X bsr (58 - N)).

next({#{next := Next} = Handler, State}) ->
    {V, New} = Next(State),
    {V, {Handler, New}}.

%% -- Use

export_seed() ->
    case get(?KEY) of
        undefined -> undefined;
        State -> export_seed_s(State)
    end.

export_seed_s({#{type := Type}, State}) -> {Type, State}.

current() ->
    case get(?KEY) of
        undefined -> seed(default);
        State -> State
    end.

with(Fun) ->
    {Value, State} = Fun(current()),
    put(?KEY, State),
    Value.

uniform() -> with(fun uniform_s/1).
uniform(N) -> with(fun(State) -> uniform_s(N, State) end).
uniform_real() -> with(fun uniform_real_s/1).
normal() -> with(fun normal_s/1).
normal(Mean, Variance) -> with(fun(State) -> normal_s(Mean, Variance, State) end).
bytes(N) -> with(fun(State) -> bytes_s(N, State) end).

uniform_s({#{uniform := Uniform}, _} = State) -> Uniform(State);
uniform_s({#{bits := Bits}, _} = State0) ->
    {V, State} = next(State0),
    {(V bsr (Bits - 53)) * math:pow(2, -53), State}.

uniform_s(N, {#{uniform_n := Uniform}, _} = State) when is_integer(N), N >= 1 ->
    Uniform(N, State);
uniform_s(N, {#{bits := Bits}, _} = State0) when is_integer(N), N >= 1 ->
    {V, Range, State} = wide(N, 1 bsl Bits, next(State0)),
    I = V rem N,
    case V - I =< Range - N of
        true -> {I + 1, State};
        %% The last numbers would make some more probable than others.
        false -> uniform_s(N, State)
    end.

%% Enough bits for a large range, without those in the middle that the generator makes badly.
wide(N, Range, {V, State}) when N =< Range -> {V, Range, State};
wide(N, Range, {V, {#{bits := Bits} = Handler, _} = State0}) ->
    Weak = maps:get(weak_low_bits, Handler, 0),
    {W, State} = next(State0),
    wide(N, (Range bsr Weak) bsl Bits, {((V bsr Weak) bsl Bits) bor W, State}).

%% With full precision near 0, and never 0: so many bits are drawn that 53 follow the first one.
uniform_real_s(State0) ->
    {V, State} = next(State0),
    real(V bsr 2, 56, State).

real(M, Bits, State) when M bsr 52 > 0 ->
    Spare = length(integer_to_list(M, 2)) - 53,
    {(M bsr Spare) * math:pow(2, Spare - Bits), State};
real(M, Bits, State0) ->
    {V, State} = next(State0),
    real((M bsl 56) bor (V bsr 2), Bits + 56, State).

%% Box and Muller's.
normal_s(State0) ->
    {U, State1} = uniform_real_s(State0),
    {V, State} = uniform_s(State1),
    {math:sqrt(-2 * math:log(U)) * math:cos(2 * math:pi() * V), State}.

normal_s(Mean, Variance, State0) when Variance >= 0 ->
    {X, State} = normal_s(State0),
    {Mean + math:sqrt(Variance) * X, State}.

bytes_s(N, State) when is_integer(N), N >= 0 -> bytes_s(N, State, <<>>).

bytes_s(N, State0, Done) when N >= 7 ->
    {V, State} = next(State0),
    bytes_s(N - 7, State, <<Done/binary, (V bsr 2):56>>);
bytes_s(0, State, Done) -> {Done, State};
bytes_s(N, State0, Done) ->
    {V, State} = next(State0),
    {<<Done/binary, (V bsr (56 - N * 8)):(N * 8)>>, State}.
