//! Module `logger`: a program's log events go nowhere, so that what it prints is its own.

use super::{Builtin, function};
use reverl_term::{Term, atoms};

macro_rules! silent {
    ($($name:literal $arity:literal),* $(,)?) => {
        &[
            function("logger", "allow", 1, |_, _| Ok(Term::bool(false))),
            function("logger", "allow", 2, |_, _| Ok(Term::bool(false))),
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
