%% A queue of jobs. The job of a worker that ends before it has finished goes back to the queue. One
%% worker goes home after a job: whether that job is done twice depends on who is served when.
-module(jobs).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

-record(queue, {waiting = [], running = #{}, done = []}).

main() ->
    {ok, Queue} = gen_server:start_link({local, jobs}, ?MODULE, [1, 2, 3], []),
    [spawn(fun() -> worker(Queue) end) || _ <- [a, b]],
    [1, 2, 3] = wait(Queue, 3).

wait(Queue, Count) ->
    case gen_server:call(Queue, done) of
        Done when length(Done) =:= Count -> lists:sort(Done);
        _ -> timer:sleep(10), wait_more(Queue, Count)
    end.

wait_more(Queue, Count) ->
    Queue ! {tell, self(), Count},
    receive {all_done, Done} -> lists:sort(Done) end.

worker(Queue) ->
    case gen_server:call(Queue, take) of
        none -> ok;
        2 -> gen_server:cast(Queue, {finished, self(), 2});
        Job -> gen_server:cast(Queue, {finished, self(), Job}), worker(Queue)
    end.

init(Jobs) -> {ok, #queue{waiting = Jobs}}.

handle_call(take, _From, Queue = #queue{waiting = []}) ->
    {reply, none, Queue};
handle_call(take, {Worker, _}, Queue = #queue{waiting = [Job | Waiting], running = Running}) ->
    monitor(process, Worker),
    {reply, Job, Queue#queue{waiting = Waiting, running = Running#{Worker => Job}}};
handle_call(done, _From, Queue) ->
    {reply, Queue#queue.done, Queue}.

%% The planted bug: a job that is finished stays among those that run.
handle_cast({finished, _Worker, Job}, Queue = #queue{done = Done}) ->
    {noreply, Queue#queue{done = [Job | Done]}}.

handle_info({'DOWN', _, process, Worker, _}, Queue = #queue{running = Running, waiting = Waiting}) ->
    case maps:take(Worker, Running) of
        {Job, Left} -> {noreply, Queue#queue{running = Left, waiting = [Job | Waiting]}};
        error -> {noreply, Queue}
    end;
handle_info({tell, Whom, Count}, Queue = #queue{done = Done}) when length(Done) >= Count ->
    Whom ! {all_done, Done},
    {noreply, Queue};
handle_info({tell, _, _}, Queue) ->
    {noreply, Queue}.
