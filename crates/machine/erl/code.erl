%% Code: modules are found where the program's files and OTP are, and are loaded when they are
%% first called. What a program loads, deletes and purges itself changes which version of a
%% module is current, and is undone like everything else.
-module(code).
-export([ensure_loaded/1, ensure_modules_loaded/1, load_file/1, load_abs/1, load_abs/2]).
-export([load_binary/3, is_loaded/1, all_loaded/0, all_available/0, which/1, get_object_code/1]).
-export([prepare_loading/1, finish_loading/1, atomic_load/1]).
-export([purge/1, soft_purge/1, delete/1, get_mode/0, is_module_native/1]).
-export([get_path/0, set_path/1, add_path/1, add_pathz/1, add_patha/1, add_paths/1, add_pathsz/1]).
-export([add_pathsa/1, del_path/1, replace_path/2, where_is_file/1, where_is_file/2, rehash/0]).
-export([root_dir/0, lib_dir/0, lib_dir/1, lib_dir/2, priv_dir/1, compiler_dir/0]).
-export([is_sticky/1, stick_dir/1, stick_mod/1, unstick_dir/1, unstick_mod/1]).
-export([module_status/0, module_status/1, modified_modules/0, objfile_extension/0, clash/0]).
-export([module_md5/1, get_chunk/2, get_doc/1, start_link/0, stop/0, set_primary_archive/4]).

%% Loading

ensure_loaded(Module) when is_atom(Module) ->
    case reverl:code_state(Module) of
        current ->
            {module, Module};
        elsewhere ->
            load_file(Module);
        unknown ->
            try Module:module_info(module) of
                Module -> {module, Module}
            catch
                error:undef -> {error, nofile}
            end
    end.

ensure_modules_loaded(Modules) ->
    case [{M, Why} || M <- Modules, {error, Why} <- [ensure_loaded(M)]] of
        [] -> ok;
        Errors -> {error, Errors}
    end.

%% What lies in a directory that the program has named comes first, then its own files.
load_file(Module) when is_atom(Module) ->
    case in_path(own_path(), atom_to_list(Module) ++ ".beam") of
        non_existing ->
            case refuse(Module) of
                ok ->
                    purge(Module),
                    loaded(Module, reverl:restore_code(Module));
                Error -> Error
            end;
        File ->
            load_abs(filename:rootname(File, ".beam"), Module)
    end.

load_abs(File) -> load_abs(File, list_to_atom(filename:basename(text(File)))).

load_abs(File, Module) when is_atom(Module) ->
    Name = text(File) ++ ".beam",
    case prim_file:read_file(Name) of
        {ok, Binary} -> load_binary(Module, absolute(Name), Binary);
        {error, _} -> {error, nofile}
    end.

load_binary(Module, File, Binary)
        when is_atom(Module), is_binary(Binary), is_list(File) orelse is_atom(File) ->
    case refuse(Module) of
        ok ->
            purge(Module),
            case reverl:load_code(Module, Binary, text(File)) of
                ok ->
                    set_file(Module, File),
                    {module, Module};
                Error ->
                    Error
            end;
        Error ->
            Error
    end.

loaded(Module, ok) ->
    set_file(Module, undefined),
    {module, Module};
loaded(_, Error) ->
    Error.

refuse(Module) ->
    case is_sticky(Module) of
        true -> {error, sticky_directory};
        false -> ok
    end.

prepare_loading(Modules) ->
    {Ready, Errors} = lists:partition(fun({_, What}) -> is_tuple(What) end,
                                      [{name_of(M), object(M)} || M <- Modules]),
    case Errors of
        [] -> {ok, {'$prepared', [{M, File, Code} || {M, {File, Code}} <- Ready]}};
        _ -> {error, Errors}
    end.

name_of({Module, _, _}) -> Module;
name_of(Module) -> Module.

object({_, File, Code}) when is_binary(Code) -> {File, Code};
object(Module) ->
    case get_object_code(Module) of
        {_, Code, File} -> {File, Code};
        error -> nofile
    end.

finish_loading({'$prepared', Modules}) ->
    case [{M, not_purged} || {M, _, _} <- Modules, erlang:check_old_code(M)] of
        [] -> errors([{M, load_binary(M, File, Code)} || {M, File, Code} <- Modules]);
        Errors -> {error, Errors}
    end.

errors(Results) ->
    case [{M, Why} || {M, {error, Why}} <- Results] of
        [] -> ok;
        Errors -> {error, Errors}
    end.

atomic_load(Modules) ->
    case prepare_loading(Modules) of
        {ok, Prepared} -> finish_loading(Prepared);
        Error -> Error
    end.

%% Old versions

delete(Module) when is_atom(Module) ->
    try
        erlang:delete_module(Module) =:= true
    catch
        error:badarg -> false
    end.

purge(Module) when is_atom(Module) ->
    case erlang:check_old_code(Module) of
        true ->
            Users = reverl:code_users(Module),
            killed([{Pid, monitor(process, Pid)} || Pid <- Users, Pid =/= self()]),
            reverl:purge_code(Module),
            lists:member(self(), Users) andalso exit(self(), kill),
            Users =/= [];
        false ->
            false
    end.

killed(Watched) ->
    lists:foreach(fun({Pid, _}) -> exit(Pid, kill) end, Watched),
    lists:foreach(fun({_, Ref}) -> receive {'DOWN', Ref, process, _, _} -> ok end end, Watched).

soft_purge(Module) when is_atom(Module) ->
    case erlang:check_old_code(Module) of
        true ->
            case reverl:code_users(Module) of
                [] -> reverl:purge_code(Module);
                _ -> false
            end;
        false ->
            true
    end.

%% Where modules are

is_loaded(Module) when is_atom(Module) ->
    case erlang:module_loaded(Module) of
        true -> {file, file(Module)};
        false -> false
    end.

all_loaded() -> [{M, file(M)} || M <- erlang:loaded()].

all_available() -> [{atom_to_list(M), file(M), true} || M <- erlang:loaded()].

which(Module) when is_atom(Module) ->
    case erlang:module_loaded(Module) of
        true ->
            file(Module);
        false ->
            case in_path(own_path(), atom_to_list(Module) ++ ".beam") of
                non_existing -> first_file(Module);
                File -> File
            end
    end.

file(Module) ->
    case maps:get(Module, setting(code_files, #{}), undefined) of
        undefined -> first_file(Module);
        File -> File
    end.

%% A module of a source file stands where a compiler would put it.
first_file(Module) ->
    case reverl:code_file(Module) of
        none -> non_existing;
        Path ->
            case filename:extension(Path) of
                ".erl" -> compiled(Path);
                _ -> Path
            end
    end.

compiled(Source) ->
    Dir = filename:dirname(Source),
    Name = filename:basename(Source, ".erl") ++ ".beam",
    case filename:basename(Dir) of
        "src" -> filename:join([filename:dirname(Dir), "ebin", Name]);
        _ -> filename:join(Dir, Name)
    end.

set_file(Module, File) ->
    Files = setting(code_files, #{}),
    case maps:get(Module, Files, undefined) of
        File -> ok;
        _ -> reverl:set(code_files, Files#{Module => File})
    end.

%% What is in the files, whatever is loaded. Of a module that runs from its source, it is what the
%% compiler makes of that.
get_object_code(Module) when is_atom(Module) ->
    Found = case in_path(own_path(), atom_to_list(Module) ++ ".beam") of
        non_existing -> first_file(Module);
        File -> File
    end,
    case is_list(Found) andalso prim_file:read_file(Found) of
        {ok, Code} -> {Module, Code, Found};
        {error, _} -> compiled_code(Module, Found, reverl:code_file(Module));
        false -> error
    end.

compiled_code(Module, File, Source) when is_list(Source) ->
    Dirs = [filename:dirname(Source), filename:join(filename:dirname(filename:dirname(Source)), "include")],
    Options = [binary, debug_info, {d, 'TEST'}] ++ [{i, Dir} || Dir <- Dirs],
    case filename:extension(Source) =:= ".erl" andalso compile:file(Source, Options) of
        {ok, Module, Code} -> {Module, Code, File};
        _ -> error
    end;
compiled_code(_, _, _) ->
    error.

%% The path

get_path() -> own_path() ++ otp_path().

own_path() ->
    case setting(code_path, undefined) of
        undefined -> ["."];
        {own, Path} -> Path
    end.

otp_path() ->
    case setting(code_path, undefined) of
        {all, _} -> [];
        _ -> lists:sort([filename:join([lib_dir(), App, "ebin"]) || App <- apps()])
    end.

apps() ->
    case prim_file:list_dir(lib_dir()) of
        {ok, Apps} -> Apps;
        {error, _} -> []
    end.

set_own_path(Path) ->
    reverl:set(code_path, {own, Path}),
    reverl:search_paths().

set_path(Dirs) ->
    case lists:all(fun(Dir) -> is_list(Dir) orelse is_binary(Dir) end, Dirs) of
        true ->
            Otp = otp_path(),
            set_own_path([text(Dir) || Dir <- Dirs, not lists:member(text(Dir), Otp)]),
            true;
        false ->
            {error, bad_path}
    end.

add_path(Dir) -> add_pathz(Dir).
add_pathz(Dir) -> add(Dir, fun(Path, D) -> delete_dir(Path, D) ++ [D] end).
add_patha(Dir) -> add(Dir, fun(Path, D) -> [D | delete_dir(Path, D)] end).

add(Dir, Put) ->
    case is_directory(Dir) of
        true ->
            Name = text(Dir),
            lists:member(Name, otp_path()) orelse set_own_path(Put(own_path(), Name)),
            true;
        false ->
            {error, bad_directory}
    end.

is_directory(Dir) ->
    try prim_file:read_file_info(text(Dir)) of
        {ok, Info} -> element(3, Info) =:= directory;
        {error, _} -> false
    catch
        error:_ -> false
    end.

delete_dir(Path, Dir) -> [D || D <- Path, D =/= Dir].

add_paths(Dirs) -> add_pathsz(Dirs).
add_pathsz(Dirs) -> lists:foreach(fun add_pathz/1, Dirs).
add_pathsa(Dirs) -> lists:foreach(fun add_patha/1, Dirs).

del_path(Name) when is_atom(Name); is_list(Name) ->
    Path = own_path(),
    Text = text(Name),
    case [D || D <- Path, D =/= Text, app_of(D) =/= Text] of
        Path -> false;
        Rest ->
            set_own_path(Rest),
            true
    end;
del_path(_) ->
    {error, bad_name}.

app_of(Dir) ->
    case lists:reverse(filename:split(Dir)) of
        ["ebin", App | _] -> lists:takewhile(fun(C) -> C =/= $- end, App);
        [App | _] -> App;
        [] -> ""
    end.

replace_path(Name, Dir) ->
    case is_directory(Dir) of
        true ->
            Rest = [D || D <- own_path(), app_of(D) =/= text(Name)],
            set_own_path(Rest ++ [text(Dir)]),
            true;
        false ->
            {error, bad_directory}
    end.

rehash() -> ok.

where_is_file(Name) -> where_is_file(get_path(), Name).
where_is_file(Path, Name) -> in_path(Path, text(Name)).

in_path([Dir | Path], Name) ->
    File = filename:append(Dir, Name),
    case prim_file:read_file_info(File) of
        {ok, _} when Dir =:= "." -> absolute(Name);
        {ok, _} -> absolute(File);
        {error, _} -> in_path(Path, Name)
    end;
in_path([], _) ->
    non_existing.

absolute(File) -> filename:absname(text(File)).

text(Name) when is_atom(Name) -> atom_to_list(Name);
text(Name) when is_binary(Name) -> unicode:characters_to_list(Name);
text(Name) -> lists:flatten(Name).

setting(Name, Default) ->
    case reverl:setting(Name) of
        undefined -> Default;
        Value -> Value
    end.

%% Directories of applications

root_dir() -> filename:dirname(lib_dir()).

lib_dir() ->
    case lib_dir(stdlib) of
        {error, _} -> "/lib";
        Dir -> filename:dirname(Dir)
    end.

%% The module is made of the application's resource file when it is called.
lib_dir(App) when is_atom(App) ->
    Module = list_to_atom("reverl_app:" ++ atom_to_list(App)),
    try
        Module:dir()
    catch
        error:undef -> {error, bad_name}
    end;
lib_dir(App) when is_list(App) ->
    lib_dir(list_to_atom(App)).

lib_dir(App, Sub) ->
    case lib_dir(App) of
        {error, _} = Error -> Error;
        Dir -> filename:append(Dir, atom_to_list(Sub))
    end.

priv_dir(App) -> lib_dir(App, priv).
compiler_dir() -> lib_dir(compiler).

%% Modules of these directories are not replaced unless a program insists.
is_sticky(Module) when is_atom(Module) ->
    erlang:module_loaded(Module) andalso sticks(Module, setting(code_sticky, #{})).

sticks(Module, Known) ->
    case maps:get(Module, Known, undefined) of
        undefined ->
            File = first_file(Module),
            is_list(File) andalso is_sticky_dir(filename:dirname(File), Known);
        Is ->
            Is
    end.

is_sticky_dir(Dir, Known) ->
    case maps:get(Dir, Known, undefined) of
        undefined -> lists:member(app_of(Dir), ["kernel", "stdlib", "compiler"])
            andalso lists:prefix(lib_dir(), Dir);
        Is -> Is
    end.

stick(What, Is) ->
    reverl:set(code_sticky, (setting(code_sticky, #{}))#{What => Is}),
    true.

stick_mod(Module) -> stick(Module, true).
unstick_mod(Module) -> stick(Module, false).

stick_dir(Dir) ->
    stick(text(Dir), true),
    ok.

unstick_dir(Dir) ->
    stick(text(Dir), false),
    ok.

%% Other questions

get_mode() -> interactive.
is_module_native(_Module) -> false.
module_status() -> [{M, module_status(M)} || M <- erlang:loaded()].
module_status(Modules) when is_list(Modules) -> [{M, module_status(M)} || M <- Modules];
module_status(Module) when is_atom(Module) ->
    case erlang:module_loaded(Module) of
        true -> loaded;
        false -> not_loaded
    end.
modified_modules() -> [].
objfile_extension() -> ".beam".
clash() -> ok.
module_md5(Code) ->
    case beam_lib:md5(Code) of
        {ok, {_, Sum}} -> Sum;
        {error, _, _} -> undefined
    end.
get_chunk(Code, Name) ->
    case beam_lib:chunks(Code, [Name]) of
        {ok, {_, [{_, Chunk}]}} -> list_to_binary([Chunk]);
        {error, _, _} -> undefined
    end.
get_doc(Module) when is_atom(Module) ->
    case which(Module) of
        non_existing -> {error, non_existing};
        _ -> {error, missing}
    end.
start_link() -> {error, {already_started, whereis(code_server)}}.
stop() -> init:stop().
set_primary_archive(_, _, _, _) -> ok.
