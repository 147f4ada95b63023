%% A process that ends with a tuple as its value.
-module(ended_value).
-export([main/0]).
main() ->
    done(self()).
done(R) ->
    Q = {R, 1},
    Q.
