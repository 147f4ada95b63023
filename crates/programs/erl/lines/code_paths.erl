%% A module that was compiled into a directory is found there once the directory is in the path.
-module(code_paths).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    Dir = "code_paths_dir",
    ok = file:make_dir(Dir),
    Forms = [{attribute, 1, module, code_paths_found}, {attribute, 1, export, [{f, 0}]},
             {function, 2, f, 0, [{clause, 2, [], [], [{integer, 2, 7}]}]}],
    {ok, _, Code} = compile:forms(Forms),
    File = filename:join(Dir, "code_paths_found.beam"),
    ok = file:write_file(File, Code),
    Added = code:add_patha(Dir),
    Bad = code:add_patha("code_paths_nowhere"),
    Value = code_paths_found:f(),
    Found = lists:suffix(File, code:which(code_paths_found)),
    Again = code:load_abs(filename:rootname(File)),
    Sticky = code:load_binary(lists, "lists.beam", Code),
    code:purge(code_paths_found),
    Deleted = code:delete(code_paths_found),
    code:del_path(Dir),
    ok = file:delete(File),
    ok = file:del_dir(Dir),
    Results = [Added, Bad, Value, Found, Again, Sticky, Deleted, code:purge(code_paths_found),
               code:load_file(code_paths_found), code:is_sticky(lists), code:is_loaded(nowhere),
               code:which(nowhere), code:which(lists), code:root_dir(), code:lib_dir(stdlib),
               code:lib_dir(nowhere), code:lib_dir(stdlib, ebin), code:priv_dir(stdlib),
               init:get_argument(root), init:get_argument(nothing), code:objfile_extension()],
    [io:format("~0p~n", [Result]) || Result <- Results].
