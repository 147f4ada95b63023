%% Value: [[1,2]]
-module(filter_imported_guard_name).
-compile({no_auto_import, [size/1]}).
-import(gb_sets, [size/1]).
-export([main/0]).

main() ->
    Sets = [gb_sets:singleton(42), gb_sets:from_list([1, 2])],
    [gb_sets:to_list(S) || S <- Sets, size(S) > 1].
