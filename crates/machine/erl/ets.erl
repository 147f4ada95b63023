%% The part of ets that is written in Erlang, for machines without OTP. All else is native.
-module(ets).
-export([tab2list/1, foldl/3, foldr/3, delete_all_objects/1, select_delete/2, match_delete/2]).
-export([match_spec_run/2, test_ms/2, init_table/2, to_dets/2, from_dets/2]).
-export([repair_continuation/2, tab2file/2, file2tab/1, fun2ms/1, i/0]).

tab2list(Table) -> ets:match_object(Table, '_').

foldl(Fun, Acc, Table) ->
    ets:safe_fixtable(Table, true),
    try walk(fun ets:next/2, fun lists:foldl/3, Fun, Acc, ets:first(Table), Table)
    after ets:safe_fixtable(Table, false)
    end.

foldr(Fun, Acc, Table) ->
    ets:safe_fixtable(Table, true),
    try walk(fun ets:prev/2, fun lists:foldr/3, Fun, Acc, ets:last(Table), Table)
    after ets:safe_fixtable(Table, false)
    end.

walk(_, _, _, Acc, '$end_of_table', _) -> Acc;
walk(Next, Fold, Fun, Acc, Key, Table) ->
    Objects = ets:lookup(Table, Key),
    walk(Next, Fold, Fun, Fold(Fun, Acc, Objects), Next(Table, Key), Table).

delete_all_objects(Table) ->
    _ = ets:internal_delete_all(Table, undefined),
    true.

select_delete(Table, [{'_', [], [true]}]) -> ets:internal_delete_all(Table, undefined);
select_delete(Table, Spec) -> ets:internal_select_delete(Table, Spec).

match_delete(Table, Pattern) ->
    _ = select_delete(Table, [{Pattern, [], [true]}]),
    true.

match_spec_run(List, Compiled) -> lists:reverse(ets:match_spec_run_r(List, Compiled, [])).

test_ms(Term, Spec) ->
    case erlang:match_spec_test(Term, Spec, table) of
        {ok, Value, _Flags, _Warnings} -> {ok, Value};
        {error, _} = Error -> Error
    end.

init_table(Table, Read) ->
    delete_all_objects(Table),
    fill(Table, Read).

fill(Table, Read) ->
    case Read(read) of
        end_of_input -> true;
        {Objects, Next} ->
            ets:insert(Table, Objects),
            fill(Table, Next)
    end.

repair_continuation(Continuation, _Spec) -> Continuation.

to_dets(_Table, _Dets) -> erlang:error(notsup).
from_dets(_Table, _Dets) -> erlang:error(notsup).
tab2file(_Table, _File) -> erlang:error(notsup).
file2tab(_File) -> erlang:error(notsup).
%% Called only where the parse transform did not run.
fun2ms(_) -> erlang:error(badarg).

i() ->
    Line = fun(Table) ->
        [Id, Name, Type, Size, Owner] =
            [ets:info(Table, Item) || Item <- [id, name, type, size, owner]],
        io:format(" ~w ~w ~w ~w ~w~n", [Id, Name, Type, Size, Owner])
    end,
    lists:foreach(Line, ets:all()).
