%% A parse transform, called as the compiler calls it.
-module(reverl_transform).
-export([run/2]).

run(Transform, Forms) ->
    case Transform:parse_transform(lists:flatmap(fun without_transforms/1, Forms), []) of
        {error, Errors, _Warnings} -> {error, [E || {_File, Es} <- Errors, E <- told(Es)]};
        {warning, New, _Warnings} -> {ok, New};
        New when is_list(New) -> {ok, New}
    end.

%% A transform does not see that it was asked for.
without_transforms({attribute, _, compile, {parse_transform, _}}) -> [];
without_transforms({attribute, At, compile, Options}) when is_list(Options) ->
    [{attribute, At, compile, [O || O <- Options, not is_transform(O)]}];
without_transforms(Form) -> [Form].

is_transform({parse_transform, _}) -> true;
is_transform(_) -> false.

told(Errors) ->
    [{line(At), unicode:characters_to_list(Module:format_error(Why))}
     || {At, Module, Why} <- Errors].

line({Line, _Column}) -> Line;
line(Line) when is_integer(Line) -> Line;
line(_) -> 0.
