%% Value: {[1,2],[1,2]}
-module(generator_size_name).
-export([main/0]).

main() ->
    X = 32,
    {[X || <<X:X>> <= <<1:32, 2:32>>],
     [X || <<X:X>> <- [<<1:32>>, <<2:32>>, <<3:8>>]]}.
