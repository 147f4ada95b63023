-module(relay).
-export([main/0, stage/2]).

main() ->
    Self = self(),
    Last = spawn(?MODULE, stage, [fun double/1, Self]),
    Middle = spawn(?MODULE, stage, [fun(N) -> N + 1 end, Last]),
    feed(Middle, [1, 2, 3]),
    gather(3).

feed(To, Items) ->
    [To ! {item, I} || I <- Items],
    To ! stop.

stage(F, Next) ->
    receive
        {item, I} ->
            Next ! {item, F(I)},
            stage(F, Next);
        stop ->
            Next ! stop,
            done
    end.

double(N) -> 2 * N.

gather(0) -> drain([]);
gather(N) ->
    X = receive {item, I} -> I after 500 -> none end,
    [scaled(X) | gather(N - 1)].

scaled(none) -> 0;
scaled(X) -> 10 * X.

drain(Seen) ->
    receive stop -> [stopped | Seen] after 100 -> Seen end.
