%% Whole files, where there is no OTP.
-module(file).
-export([read_file/1, write_file/2, write_file/3, delete/1, rename/2, read_file_info/1]).
-export([list_dir/1, make_dir/1, del_dir/1, get_cwd/0, set_cwd/1]).

read_file(Name) -> prim_file:read_file(Name).
write_file(Name, Data) -> prim_file:write_file(Name, Data).

write_file(Name, Data, Modes) ->
    case prim_file:open(Name, [write | Modes]) of
        {ok, File} ->
            ok = prim_file:write(File, Data),
            prim_file:close(File);
        Error ->
            Error
    end.

delete(Name) -> prim_file:delete(Name).
rename(From, To) -> prim_file:rename(From, To).
read_file_info(Name) -> prim_file:read_file_info(Name).
list_dir(Name) -> prim_file:list_dir(Name).
make_dir(Name) -> prim_file:make_dir(Name).
del_dir(Name) -> prim_file:del_dir(Name).
get_cwd() -> prim_file:get_cwd().
set_cwd(Name) -> prim_file:set_cwd(Name).
