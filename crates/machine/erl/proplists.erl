%% Lists of properties: atoms, and tuples with a key.
-module(proplists).
-export([property/1, property/2, unfold/1, compact/1, lookup/2, lookup_all/2, is_defined/2]).
-export([get_value/2, get_value/3, get_all_values/2, append_values/2, get_bool/2, get_keys/1]).
-export([delete/2, substitute_aliases/2, substitute_negations/2, expand/2, normalize/2]).
-export([split/2, to_map/1, to_map/2, from_map/1]).

property({K, true}) when is_atom(K) -> K;
property(P) -> P.

property(K, true) when is_atom(K) -> K;
property(K, V) -> {K, V}.

unfold([P | Ps]) when is_atom(P) -> [{P, true} | unfold(Ps)];
unfold([P | Ps]) -> [P | unfold(Ps)];
unfold([]) -> [].

compact(Ps) -> [property(P) || P <- Ps].

lookup(K, [P | _]) when is_atom(P), P =:= K -> {K, true};
lookup(K, [P | _]) when tuple_size(P) >= 1, element(1, P) =:= K -> P;
lookup(K, [_ | Ps]) -> lookup(K, Ps);
lookup(_, []) -> none.

lookup_all(K, [P | Ps]) when is_atom(P), P =:= K -> [{K, true} | lookup_all(K, Ps)];
lookup_all(K, [P | Ps]) when tuple_size(P) >= 1, element(1, P) =:= K -> [P | lookup_all(K, Ps)];
lookup_all(K, [_ | Ps]) -> lookup_all(K, Ps);
lookup_all(_, []) -> [].

is_defined(K, Ps) -> lookup(K, Ps) =/= none.

get_value(K, Ps) -> get_value(K, Ps, undefined).

get_value(K, Ps, Default) ->
    case lookup(K, Ps) of
        {K, V} -> V;
        _ -> Default
    end.

get_all_values(K, Ps) -> [V || {_, V} <- lookup_all(K, Ps)].

append_values(K, Ps) ->
    lists:append([if is_list(V) -> V; true -> [V] end || V <- get_all_values(K, Ps)]).

get_bool(K, Ps) -> get_value(K, Ps) =:= true.

get_keys(Ps) -> sets:to_list(sets:from_list(keys(Ps))).

keys([P | Ps]) when is_atom(P) -> [P | keys(Ps)];
keys([P | Ps]) when tuple_size(P) >= 1 -> [element(1, P) | keys(Ps)];
keys([_ | Ps]) -> keys(Ps);
keys([]) -> [].

delete(K, [P | Ps]) when P =:= K -> delete(K, Ps);
delete(K, [P | Ps]) when tuple_size(P) >= 1, element(1, P) =:= K -> delete(K, Ps);
delete(K, [P | Ps]) -> [P | delete(K, Ps)];
delete(_, []) -> [].

substitute_aliases(Aliases, Ps) -> [alias(Aliases, P) || P <- Ps].

alias(Aliases, P) when is_atom(P) ->
    case lists:keyfind(P, 1, Aliases) of
        {_, K} -> property(K, true);
        false -> P
    end;
alias(Aliases, P) when tuple_size(P) >= 1 ->
    case lists:keyfind(element(1, P), 1, Aliases) of
        {_, K} -> property(setelement(1, P, K));
        false -> P
    end;
alias(_, P) ->
    P.

substitute_negations(Negations, Ps) -> [negation(Negations, P) || P <- Ps].

negation(Negations, P) when is_atom(P) -> negated(Negations, P, true, P);
negation(Negations, {K, V} = P) -> negated(Negations, K, V, P);
negation(_, P) -> P.

negated(Negations, K, V, P) ->
    case lists:keyfind(K, 1, Negations) of
        {_, New} when V =:= true -> property(New, false);
        {_, New} when V =:= false -> property(New, true);
        {_, New} -> property(New, not_boolean(V));
        false -> P
    end.

%% Any value but `true` negates to `true`.
not_boolean(_) -> true.

expand(Expansions, Ps) ->
    Pairs = [{property(P), By} || {P, By} <- Expansions],
    lists:append([expanded(Pairs, P) || P <- Ps]).

expanded(Pairs, P) ->
    case lists:keyfind(property(P), 1, Pairs) of
        {_, By} -> By;
        false -> [P]
    end.

normalize(Ps, [{aliases, As} | Steps]) -> normalize(substitute_aliases(As, Ps), Steps);
normalize(Ps, [{expand, Es} | Steps]) -> normalize(expand(Es, Ps), Steps);
normalize(Ps, [{negations, Ns} | Steps]) -> normalize(substitute_negations(Ns, Ps), Steps);
normalize(Ps, []) -> compact(Ps).

split(Ps, Keys) ->
    Of = fun(P) when is_atom(P) -> {key, P};
            (P) when tuple_size(P) >= 1 -> {key, element(1, P)};
            (_) -> none
         end,
    Belongs = fun(P, K) -> Of(P) =:= {key, K} end,
    Lists = [[P || P <- Ps, Belongs(P, K)] || K <- Keys],
    Rest = [P || P <- Ps, not lists:any(fun(K) -> Belongs(P, K) end, Keys)],
    {Lists, Rest}.

to_map(Ps) -> lists:foldr(fun add/2, #{}, Ps).

add(P, M) when is_atom(P) -> M#{P => true};
add({K, V}, M) -> M#{K => V};
add(_, M) -> M.

to_map(Ps, Steps) -> to_map(normalize(Ps, Steps)).

from_map(M) -> maps:to_list(M).
