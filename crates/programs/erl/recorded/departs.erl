%% A compiler that knows that a function never returns leaves out the calls behind it, so a stack has fewer
%% frames on a node than where the program is interpreted. What is done with the number of frames differs.
-module(departs).
-export([printed/0, decided/0]).

%% Only what is printed differs.
printed() ->
    ask(fun() -> io:format("~p frames~n", [frames()]) end).

%% From here on another thing is done.
decided() ->
    ask(fun() ->
        case frames() of
            N when N > 4 -> make_ref();
            _ -> erlang:unique_integer()
        end
    end).

%% In a process of its own nothing else is on the stack.
ask(Question) ->
    {Pid, Ref} = spawn_monitor(fun() -> exit({answer, Question()}) end),
    receive {'DOWN', Ref, process, Pid, {answer, Answer}} -> Answer end.

frames() ->
    try outer() catch error:deep:Stack -> length(Stack) end.

outer() -> inner(), ok.
inner() -> innermost(), ok.
innermost() -> error(deep).
