//! Which calls are inputs: what a process cannot compute from its code and its messages alone.

use reverl_machine::builtins::{self, Builtin};

/// Functions of module `erlang`, with any number of arguments.
const ERLANG: &[&str] = &[
    "make_ref",
    "unique_integer",
    "monitor",
    // It fails if there is nobody, and comes before or after an end.
    "link",
    "send_after",
    "start_timer",
    "whereis",
    "monotonic_time",
    "system_time",
    "timestamp",
    "now",
    "date",
    "time",
    "localtime",
    "universaltime",
    "time_offset",
    "universaltime_to_localtime",
    "localtime_to_universaltime",
    "nodes",
    "group_leader",
    "module_loaded",
    // Which functions are written in C differs between releases.
    "is_builtin",
    // The order of exports depends on what the node has loaded before.
    "get_module_info",
];

/// Functions of module `erlang` that OTP writes partly in Erlang: nothing inside is recorded.
const ERLANG_OPAQUE: &[&str] = &[
    "is_alive",
    "cancel_timer",
    "read_timer",
    "is_process_alive",
    "process_info",
    "processes",
    "processes_iterator",
    "processes_next",
    "registered",
    "statistics",
    "system_info",
    "system_flag",
    "system_profile",
    "loaded",
    "garbage_collect",
    "suspend_process",
    "resume_process",
    "open_port",
    "port_command",
    "port_control",
    "port_close",
    "port_connect",
    "port_call",
    "port_info",
    "ports",
    "memory",
    "get_cookie",
    "set_cookie",
    "load_nif",
    "check_process_code",
    "trace",
    "trace_pattern",
    "trace_info",
    "monitor_node",
];

/// Functions of module `erlang` that mean something on a node alone. Without one they have an
/// answer too, but a recording has theirs.
const OF_A_NODE: &[&str] = &[
    "port_get_data",
    "port_set_data",
    "seq_trace",
    "seq_trace_info",
    "seq_trace_print",
    "system_monitor",
    "alloc_info",
    "alloc_sizes",
    "set_cpu_topology",
    "gather_gc_info_result",
    "call_on_load_function",
    "finish_after_on_load",
    "setnode",
    "dmonitor_node",
    "delay_trap",
];

/// Whether it is one of those, or about connections or tags of a tracer.
fn is_of_a_node(name: &str) -> bool {
    OF_A_NODE.contains(&name) || name.starts_with("dist_") || name.starts_with("dt_")
}

/// Calls that a node may not make although the source does: the compiler leaves them out if nobody
/// uses their value, and an instruction takes the place of the last.
pub const LEFT_OUT: &[(&str, &str, u16)] = &[
    ("erlang", "date", 0),
    ("erlang", "time", 0),
    ("erlang", "group_leader", 0),
    ("erlang", "is_alive", 0),
    ("erlang", "nodes", 0),
    ("erlang", "processes", 0),
    ("erlang", "registered", 0),
    ("erlang", "get_cookie", 0),
    ("erlang", "ports", 0),
    ("os", "perf_counter", 0),
];

/// Functions of module `erlang` that ask another process by a signal, which it answers itself.
pub const ASKS: &[&str] =
    &["process_info", "garbage_collect", "check_process_code", "process_flag"];

/// Functions that code calls which `cover` compiled, beside what the program itself calls.
pub const OF_COVER: &[(&str, &str, u16)] = &[("erts_internal", "counters_add", 3)];

/// Whether it is the name that a compiler gives to a fun.
pub fn is_name_of_fun(name: &str) -> bool {
    name.len() > 1 && name.starts_with('-') && name.ends_with('-')
}

/// Modules that are not interpreted: their exported functions are inputs.
const OPAQUE: &[&str] = &[
    "code",
    "os",
    "init",
    "prim_file",
    "prim_socket",
    "prim_net",
    "prim_buffer",
    "zlib",
    "crypto",
    "erl_prim_loader",
    "asn1rt_nif",
];

/// The tracer's settings: rows `{Module, Function, Arity, Kind}`, as Erlang text.
pub fn rows() -> String {
    let mut rows = vec![];
    let mut row = |module: &str, name: &str, arity: &str, kind: &str| {
        rows.push(format!("{{{module}, {name}, {arity}, {kind}}}"));
    };
    ERLANG.iter().for_each(|name| row("erlang", name, "any", "input"));
    ERLANG_OPAQUE.iter().for_each(|name| row("erlang", name, "any", "opaque"));
    row("erlang", "alias", "1", "input");
    // The others end in this one; with a monitor there is a reference in its value.
    row("erlang", "spawn_opt", "4", "input");
    row("erts_internal", "spawn_request", "4", "input");
    // Of a process on another node.
    row("erts_internal", "dist_spawn_request", "4", "input");
    row("erlang", "process_flag", "3", "opaque");
    // A node that is given a name while it is recorded: what it makes from then on has that name.
    row("erlang", "setnode", "2", "naming");
    row("net_kernel", "terminate", "2", "unnaming");
    row("code", "load_binary", "3", "code");
    row("erlang", "load_module", "2", "code");
    // What such a module is compiled from, in case that its code does not tell.
    row("compile", "forms", "any", "compiling");
    row("compile", "noenv_forms", "any", "compiling");
    row("elixir_erl_compiler", "forms", "3", "compiling");
    row("elixir_erl_compiler", "noenv_forms", "3", "compiling");
    row("erlang", "halt", "any", "last");
    row("erlang", "function_exported", "3", "exported");
    row("erl_features", "keywords", "0", "hidden");
    // `demonitor` with `flush` takes a 'DOWN' out of the mailbox in its own way.
    row("erts_internal", "flush_monitor_messages", "3", "hidden");
    row("error_handler", "undefined_function", "3", "loading");
    row("error_handler", "undefined_lambda", "3", "loading_fun");
    // It asks all schedulers by messages.
    row("ets", "all", "0", "opaque");
    let is_input = |b: &Builtin| b.nature.is_shared() && (b.module, b.name) != ("ets", "all");
    let shared = builtins::all().iter().copied().filter(|b| is_input(b));
    shared.for_each(|b| row(b.module, b.name, &b.arity.to_string(), "input"));
    format!("[{}]", rows.join(",\n "))
}

/// The functions of module `erlang` that the machine has, as Erlang text: the values
/// of all others are recorded.
pub fn known() -> String {
    let own = builtins::all().iter().filter(|b| b.module == "erlang");
    let mut known: Vec<String> = own.map(|b| format!("{{'{}', {}}}", b.name, b.arity)).collect();
    let text = reverl_machine::library::find("erlang").map_or("", |l| l.text);
    let exports = text.lines().filter_map(|l| l.strip_prefix("-export([")?.strip_suffix("])."));
    for name in exports.flat_map(|l| l.split(", ")) {
        if let Some((name, arity)) = name.rsplit_once('/').filter(|(name, _)| !is_of_a_node(name)) {
            known.push(format!("{{'{}', {arity}}}", name.trim_matches('\'')));
        }
    }
    format!("[{}]", known.join(", "))
}

/// The modules that are not interpreted, as Erlang text.
pub fn opaque_modules() -> String {
    format!("[{}]", OPAQUE.join(", "))
}
