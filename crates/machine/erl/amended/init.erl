%% In the place of OTP's functions: the command line is not that of a node.
-module(init).

get_argument(root) -> {ok, [[code:root_dir()]]};
get_argument(progname) -> {ok, [["erl"]]};
get_argument(home) ->
    case os:getenv("HOME") of
        false -> error;
        Home -> {ok, [[Home]]}
    end;
get_argument(_) -> error.

get_arguments() -> [{Flag, Value} || Flag <- [root, progname, home], {ok, [Value]} <- [get_argument(Flag)]].

get_plain_arguments() -> [].
