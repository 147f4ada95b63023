%% Process dictionaries in the order in which they are listed: after many puts and erases of keys of all kinds,
%% which make them grow and shrink. Keys have no atoms, which are placed by their numbers in the node.
-module(dictionaries).
-export([cases/0]).

cases() ->
    [{1000 * Seed + Keys, fun() -> changed(Seed, Keys, Deeds) end}
     || Seed <- lists:seq(1, 6), {Keys, Deeds} <- [{12, 60}, {100, 300}, {400, 600}]] ++
    lists:zip(lists:seq(1, 5), listed()).

listed() ->
    [fun() -> put(1, 1), put(9, 2), put(1, 3), get() end,
     fun() -> [put(K, same) || K <- [1, 2.5, "text", <<>>, {}]], put(17, 1), get_keys(same) end,
     fun() -> [put(K, K) || K <- lists:seq(1, 40)], [erase(K) || K <- lists:seq(1, 39)], {erase(), get(), put(1, 2), get()} end,
     fun() -> put(1, 1), {erase(2), erase(1), get(), get_keys()} end,
     fun() -> put(1, a), put(1.0, b), {get(1), get(1.0), lists:sort(get())} end].

changed(Seed, Keys, Deeds) ->
    change(Deeds, Keys, rand:seed_s(exsss, Seed)),
    Half = get(),
    %% Fewer and fewer keys.
    [erase(K) || {K, _} <- lists:sublist(lists:sort(get()), length(Half) * 3 div 4)],
    {Half, get_keys(), get_keys(5), get()}.

change(0, _, _) -> ok;
change(N, Keys, Dice) ->
    {I, D1} = rand:uniform_s(Keys, Dice),
    {V, D2} = rand:uniform_s(9, D1),
    V > 2 andalso put(key(I), V),
    V =< 2 andalso erase(key(I)),
    change(N - 1, Keys, D2).

key(I) ->
    case I rem 9 of
        0 -> I;
        1 -> -I * 1000003;
        2 -> {{I}};
        3 -> {I, I * I};
        4 -> integer_to_list(I);
        5 -> <<"binary", I:32>>;
        6 -> I / 7;
        7 -> (1 bsl 70) + I;
        8 -> [{I}, [I | tail(I)]]
    end.

tail(I) -> I + 1.
