%% Modules in several versions, in the replay of a node: what a call of module `code` answered there
%% says which version of a module became current.
-module(reverl_versions).
-export([changed/3, use/2, undefined_function/3]).

%% The answer of a call, after the machine has made the change that it tells of.
changed(Function, Args, Answer) ->
    change(Function, Args, Answer),
    Answer.

%% What `cover` adds to a module is not part of the program: that is in the module's file.
change(load_binary, [_, cover_compiled, _], {module, Module}) ->
    change(load_file, [Module], {module, Module});
change(Load, _, {module, Module}) when Load =:= load_binary; Load =:= load_module; Load =:= load_abs ->
    case reverl:recorded(reverl, version, [Module]) of
        none -> restore(Module);
        Version -> use(Module, Version)
    end;
change(load_file, _, {module, Module}) ->
    purge(Module),
    reverl:restore_code(Module);
change(ensure_loaded, _, {module, Module}) ->
    restore(Module);
change(delete, [Module], true) ->
    purge(Module),
    reverl:delete_code(Module);
change(Purge, [Module], _) when Purge =:= purge; Purge =:= soft_purge ->
    purge(Module);
change(system_flag, [backtrace_depth, Depth], Before) when is_integer(Before) ->
    reverl:set_trace_depth(Depth);
change(_, _, _) ->
    ok.

%% The version with this number becomes current.
use(Module, Version) ->
    purge(Module),
    reverl:use_code(Module, Version).

%% A module that was deleted is loaded from its file when somebody needs it.
restore(Module) ->
    case reverl:code_state(Module) of
        elsewhere ->
            purge(Module),
            reverl:restore_code(Module);
        _ ->
            ok
    end.

purge(Module) ->
    erlang:check_old_code(Module) andalso reverl:purge_code(Module).

%% What OTP's `error_handler` does. How a node loads a module is not recorded.
undefined_function(Module, Function, Args) ->
    restore(Module),
    Exports = case reverl:code_state(Module) of
        current -> reverl:exports(Module);
        _ -> []
    end,
    Handler = {'$handle_undefined_function', 2},
    case lists:member({Function, length(Args)}, Exports) of
        true -> apply(Module, Function, Args);
        false ->
            case lists:member(Handler, Exports) of
                true -> Module:'$handle_undefined_function'(Function, Args);
                false -> erlang:raise(error, undef, [{Module, Function, Args, []}])
            end
    end.
