%% Value: [{error_handler,badarg},{fullsweep_after,badarg},{min_heap_size,badarg},{min_bin_vheap_size,badarg},{max_heap_size,badarg},{message_queue_data,badarg},{save_calls,badarg},{sensitive,badarg},{async_dist,badarg}]
-module(process_flag_values).
-export([main/0]).

set({F, V}) -> try process_flag(F, V) of _ -> accepted catch _:E -> E end.

main() ->
    [{F, set({F, V})} || {F, V} <-
        [{error_handler, 1}, {fullsweep_after, x}, {min_heap_size, x},
         {min_bin_vheap_size, -1}, {max_heap_size, x},
         {message_queue_data, x}, {save_calls, x}, {sensitive, 1},
         {async_dist, x}]].
