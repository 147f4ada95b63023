%% Value: {0,0}
-module(system_info_items).
-export([main/0]).

t(F, I) -> try erlang:F(I) of _ -> ok catch _:E -> E end.

main() ->
    S = [allocated_areas, allocator, alloc_util_allocators, c_compiler_used,
         cpu_topology, {cpu_topology, defined}, delayed_node_table_gc, dist,
         dynamic_trace_probes, ets_count, garbage_collection, heap_sizes,
         info, loaded, max_heap_size, message_queue_data,
         multi_scheduling_blockers, normal_multi_scheduling_blockers,
         os_monotonic_time_source, os_system_time_source,
         outstanding_system_requests_limit, port_parallelism, procs,
         scheduler_bind_type, scheduler_bindings, system_logger,
         tolerant_timeofday, update_cpu_info],
    T = [active_tasks_all, microstate_accounting, run_queue_lengths_all,
         scheduler_wall_time_all, total_active_tasks_all,
         total_run_queue_lengths_all],
    {length([I || I <- S, t(system_info, I) =/= ok]),
     length([I || I <- T, t(statistics, I) =/= ok])}.
