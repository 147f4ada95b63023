//! Module `logger`. OTP's own does the work; it is started when a program says or sets something
//! itself. Until then what OTP's modules report goes nowhere, so that a small program stays small,
//! and without OTP nothing is logged at all.

use super::{Builtin, function, shortcut};
use reverl_term::{Term, atoms};

macro_rules! silent {
    ($($name:literal $arity:literal),* $(,)?) => {
        &[
            function("logger", "allow", 1, |_, _| Ok(Term::bool(false))),
            shortcut("logger", "allow", 2, |a| reports(&a[1]).then(|| Term::bool(false))),
            $(function("logger", $name, $arity, |_, _| Ok(Term::atom(atoms::OK)))),*
        ]
    };
}

pub const TABLE: &[Builtin] = silent![
    "log" 2, "log" 3, "log" 4, "macro_log" 3, "macro_log" 4, "macro_log" 5,
    "emergency" 1, "emergency" 2, "emergency" 3, "alert" 1, "alert" 2, "alert" 3,
    "critical" 1, "critical" 2, "critical" 3, "error" 1, "error" 2, "error" 3,
    "warning" 1, "warning" 2, "warning" 3, "notice" 1, "notice" 2, "notice" 3,
    "info" 1, "info" 2, "info" 3, "debug" 1, "debug" 2, "debug" 3,
    "set_primary_config" 1, "set_primary_config" 2, "set_module_level" 2,
    "set_application_level" 2, "add_handler" 3, "remove_handler" 1, "set_handler_config" 2,
    "set_handler_config" 3, "update_primary_config" 1, "update_handler_config" 2,
];

/// Modules of OTP's that report what they do.
const REPORTERS: &[&str] = &[
    "application_controller",
    "application_master",
    "code_server",
    "dets_utils",
    "disk_log",
    "error_logger",
    "gen",
    "gen_event",
    "gen_fsm",
    "gen_server",
    "gen_statem",
    "global",
    "inet_db",
    "kernel",
    "net_kernel",
    "proc_lib",
    "rpc",
    "supervisor",
    "supervisor_bridge",
    "sys",
    "timer",
];

fn reports(module: &Term) -> bool {
    module.as_atom().is_some_and(|name| REPORTERS.contains(&name.name()))
}
