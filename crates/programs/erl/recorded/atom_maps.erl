%% Maps with atoms as keys: a node iterates them by the numbers of the atoms, which are those of the order in which it
%% met them. Until OTP 25 that holds for maps with more than 32 keys, and from OTP 26 on for the others.
-module(atom_maps).
-export([listed/0, nested/0, printed/0]).

listed() ->
    Keys = keys(),
    Map = maps:from_list([{Key, 1} || Key <- Keys]),
    {maps:keys(Map), maps:fold(fun(Key, _, Seen) -> [Key | Seen] end, [], Map), maps:take(hd(Keys), Map)}.

nested() ->
    Map = maps:from_list([{{Key, [Key]}, Key} || Key <- keys()]),
    {maps:to_list(Map), maps:values(Map#{kernel => 1, {stdlib} => 2})}.

printed() ->
    lists:flatten(io_lib:format("~p", [maps:from_keys(keys() ++ [kernel, stdlib, self, node], 0)])).

%% Neither in their order nor in that of their names.
keys() ->
    Size = case erlang:system_info(otp_release) of "25" -> 60; _ -> 25 end,
    [list_to_atom("key_" ++ integer_to_list(N * 7919 rem 101)) || N <- lists:seq(1, Size)].
