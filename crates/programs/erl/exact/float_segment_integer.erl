%% Value: {match,match}
-module(float_segment_integer).
-export([main/0]).

main() ->
    {case <<1.0:64/float>> of <<1:64/float>> -> match; _ -> no end,
     case <<1.0:32/float>> of <<1:32/float>> -> match; _ -> no end}.
