//! Which names a program finds on every node: those of the processes of OTP's `kernel`. They are
//! started when somebody looks for them, by `crates/machine/erl/reverl_kernel.erl`.

use crate::builtins::Builtin;
use crate::builtins::nature::{Look, Nature, Registration};
use reverl_term::{Atom, Term};
use std::collections::HashSet;
use std::sync::OnceLock;

/// `crates/machine/erl/reverl_kernel.erl` knows how each is started. `inet_db` is not among them: its timer
/// would go on for ever.
pub const NAMES: &[&str] = &[
    "application_controller",
    "code_server",
    "erl_prim_loader",
    "erl_signal_server",
    "erts_code_purger",
    "file_server_2",
    "global_name_server",
    "init",
    "kernel_refc",
    "kernel_safe_sup",
    "kernel_sup",
    "logger",
    "logger_handler_watcher",
    "logger_proxy",
    "logger_std_h_default",
    "logger_sup",
    "rex",
    "socket_registry",
    "standard_error",
    "standard_error_sup",
];

/// Whether a call could find one of them: its definition in `crates/machine/erl/erlang.erl` runs then.
pub(crate) fn concerns(builtin: &Builtin, args: &[Term]) -> bool {
    match builtin.nature {
        Nature::Name(Registration::Whereis) if builtin.module == "erlang" => {
            args[0].as_atom().is_some_and(is_name)
        }
        Nature::Look(Look::Registered) => builtin.module == "erlang",
        _ => false,
    }
}

fn is_name(name: Atom) -> bool {
    static ATOMS: OnceLock<HashSet<Atom>> = OnceLock::new();
    ATOMS.get_or_init(|| NAMES.iter().map(|name| Atom::new(name)).collect()).contains(&name)
}
