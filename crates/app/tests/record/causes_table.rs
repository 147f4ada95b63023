//! The programs of `crates/programs/erl/recorded` that replay exactly on every release of OTP, with
//! the functions that are recorded.

pub const CAUSES: &[(&str, &[&str])] = &[
    ("alias_call", &["alias", "call"]),
    (
        "atom_maps",
        &["listed", "nested", "printed", "small", "pids", "references", "values", "encoded"],
    ),
    ("dictionary_order", &["atoms", "pids", "references", "shrunk"]),
    ("ended_before", &["killed", "linked", "in_vain", "links", "sends"]),
    ("raised_frames", &["built_in", "written"]),
    ("remote_request", &["asked", "called"]),
    ("exit_from_outside", &["kill", "bye", "left", "stopped"]),
    ("before_timeout", &["exits", "downs", "printed", "busy"]),
    ("flush_after_down", &["main"]),
    ("fun_values", &["patterns", "bodies", "funs", "texts", "frames"]),
    ("hibernates", &["served", "stopped"]),
    ("hidden_messages", &["timer", "outside", "port", "tcp"]),
    ("io_getopts", &["getopts", "consult"]),
    ("left_idle", &["main"]),
    ("list_loops", &["values", "frames", "failures", "depths"]),
    ("loaded_at_run_time", &["main"]),
    ("long_end", &["main"]),
    ("missing_module", &["caught", "tried"]),
    ("named_later", &["main"]),
    ("outside_links", &["linked", "watched", "nobody"]),
    ("port_links", &["unlinks", "links"]),
    ("recorded_funs", &["term", "table", "binary", "remote", "captured", "in_map"]),
    ("signal_replies", &["info", "links", "list", "gc", "check", "flag", "crash"]),
    ("unread_at_end", &["linked", "killed", "sending", "asking", "late_links", "suspended"]),
    (
        "versions_at_run_time",
        &["replaced", "mocked", "deleted", "servers", "without_debug_info", "kept_fun"],
    ),
    (
        "single_causes",
        &["alive", "counter", "request", "unused", "named", "big", "builtin", "walk"],
    ),
];
