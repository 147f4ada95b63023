%% Value: []
-module(process_info_items).
-export([main/0]).

item(I) -> try process_info(self(), I) of _ -> ok catch _:E -> E end.

main() ->
    Items = [min_heap_size, garbage_collection, garbage_collection_info,
             message_queue_data, max_heap_size, fullsweep_after, last_calls,
             catchlevel, trace, sequential_trace_token, binary, backtrace,
             current_stacktrace, error_handler, memory, messages, monitors,
             monitored_by, parent, suspending, min_bin_vheap_size, magic_ref],
    [{I, R} || I <- Items, R <- [item(I)], R =/= ok].
