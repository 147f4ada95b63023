-module(pool).
-export([main/0, worker/2]).

main() ->
    Jobs = [1, 2, boom, 4],
    Started = [start(J) || J <- Jobs],
    Results = collect(Started, []),
    {Results, total(Results)}.

start(Job) ->
    {Pid, Ref} = spawn_monitor(?MODULE, worker, [self(), Job]),
    {Pid, Ref, Job}.

worker(Parent, Job) ->
    Parent ! {done, self(), work(Job)}.

work(boom) -> exit(crashed);
work(N) -> square(N).

square(N) -> N * N.

collect([], Results) -> lists:reverse(Results);
collect([{Pid, Ref, Job} | Rest], Results) ->
    Result = wait(Pid, Ref),
    collect(Rest, [{Job, Result} | Results]).

wait(Pid, Ref) ->
    receive
        {done, Pid, Value} ->
            erlang:demonitor(Ref, [flush]),
            {ok, Value};
        {'DOWN', Ref, process, Pid, Reason} ->
            {failed, Reason}
    end.

total(Results) -> lists:sum([V || {_, {ok, V}} <- Results]).
