%% Loading code: a module is loaded when it is first called, so to load one is to call it.
-module(code).
-export([ensure_loaded/1, ensure_modules_loaded/1, load_file/1, load_abs/1, is_loaded/1]).
-export([all_loaded/0, which/1, get_object_code/1, get_path/0, get_mode/0]).
-export([purge/1, soft_purge/1, delete/1, add_path/1, add_pathz/1, add_patha/1]).
-export([lib_dir/0, lib_dir/1, priv_dir/1, root_dir/0, is_module_native/1, module_status/1]).

ensure_loaded(Module) when is_atom(Module) ->
    try Module:module_info(module) of
        Module -> {module, Module}
    catch
        error:undef -> {error, nofile}
    end.

ensure_modules_loaded(Modules) ->
    case [{M, Why} || M <- Modules, {error, Why} <- [ensure_loaded(M)]] of
        [] -> ok;
        Errors -> {error, Errors}
    end.

load_file(Module) -> ensure_loaded(Module).
load_abs(_File) -> {error, nofile}.

is_loaded(Module) ->
    case erlang:module_loaded(Module) of
        true -> {file, file(Module)};
        false -> false
    end.

all_loaded() -> [{M, file(M)} || M <- erlang:loaded()].

which(Module) ->
    case ensure_loaded(Module) of
        {module, Module} -> file(Module);
        {error, _} -> non_existing
    end.

file(Module) ->
    {source, File} = lists:keyfind(source, 1, Module:module_info(compile)),
    File.

get_object_code(_Module) -> error.
get_path() -> [].
get_mode() -> interactive.
purge(_Module) -> false.
soft_purge(_Module) -> true.
delete(_Module) -> false.
add_path(_Dir) -> true.
add_pathz(_Dir) -> true.
add_patha(_Dir) -> true.
root_dir() -> "/".
lib_dir() -> "/lib".

%% The module is made of the application's resource file when it is called.
lib_dir(App) ->
    Module = list_to_atom("reverl_app:" ++ atom_to_list(App)),
    try
        Module:dir()
    catch
        error:undef -> {error, bad_name}
    end.

priv_dir(App) ->
    case lib_dir(App) of
        {error, _} = Error -> Error;
        Dir -> Dir ++ "/priv"
    end.

is_module_native(_Module) -> false.
module_status(_Module) -> loaded.
