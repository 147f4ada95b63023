-module(why_closed_over).
-export([main/0]).

main() ->
    [call(Wish) || Wish <- [cheese]].

call(Sku) ->
    for(13, {take, Sku}).

for(Id, Request) ->
    Fun = fun(N) -> work(N, Request) end,
    Fun(Id).

work(_, {take, Thing}) ->
    done(Thing),
    ok.

done(_) -> ok.
