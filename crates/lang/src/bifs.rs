//! Names the language gives without asking: auto-imported BIFs, guard BIFs, built-in types.
//!
//! The tables were made by asking `erl_internal` of OTP 25, and are sorted for binary search;
//! `min/2` and `max/2` are guard BIFs only from OTP 26 on, `is_integer/3` and
//! `is_record/1` from OTP 29 on;
//! `dynamic()` is a type of OTP 26.

use reverl_term::Atom;

/// A function of `erlang` that needs no module name.
struct Bif {
    name: &'static str,
    arity: u32,
    guard: bool,
}

const fn plain(name: &'static str, arity: u32) -> Bif {
    Bif { name, arity, guard: false }
}

const fn guard(name: &'static str, arity: u32) -> Bif {
    Bif { name, arity, guard: true }
}

/// Whether this function of `erlang` can be called without its module name.
pub fn is_auto_imported(name: Atom, arity: u32) -> bool {
    find(name.name(), arity).is_some()
}

/// Whether it has always been so. A program whose own function hides one of these must say that
/// it means to; the newer ones came when programs had functions of these names.
pub fn is_old_bif(name: Atom, arity: u32) -> bool {
    is_auto_imported(name, arity) && NEWER.binary_search(&(name.name(), arity)).is_err()
}

/// Whether this function of `erlang` may be called in a guard.
pub fn is_guard_bif(name: Atom, arity: u32) -> bool {
    find(name.name(), arity).is_some_and(|bif| bif.guard)
}

/// The old type tests (`integer(X)`), still legal in guards where no function hides them.
pub fn is_old_type_test(name: Atom, arity: u32) -> bool {
    let one = [
        "atom",
        "binary",
        "float",
        "function",
        "integer",
        "list",
        "number",
        "pid",
        "port",
        "reference",
        "tuple",
    ];
    match arity {
        1 => one.contains(&name.name()),
        2 => name.name() == "record",
        _ => false,
    }
}

/// Whether `name(..)` with so many arguments is a type of the language.
pub fn is_builtin_type(name: &str, arity: usize) -> bool {
    TYPES.binary_search(&(name, arity)).is_ok()
}

fn find(name: &str, arity: u32) -> Option<&'static Bif> {
    let at = BIFS.binary_search_by(|bif| (bif.name, bif.arity).cmp(&(name, arity)));
    at.ok().map(|i| &BIFS[i])
}

#[rustfmt::skip]
static BIFS: &[Bif] = &[
    guard("abs", 1), plain("alias", 0), plain("alias", 1), plain("apply", 2), plain("apply", 3),
    plain("atom_to_binary", 1), plain("atom_to_binary", 2), plain("atom_to_list", 1),
    guard("binary_part", 2), guard("binary_part", 3), plain("binary_to_atom", 1),
    plain("binary_to_atom", 2), plain("binary_to_existing_atom", 1),
    plain("binary_to_existing_atom", 2), plain("binary_to_float", 1),
    plain("binary_to_integer", 1), plain("binary_to_integer", 2), plain("binary_to_list", 1),
    plain("binary_to_list", 3), plain("binary_to_term", 1), plain("binary_to_term", 2),
    guard("bit_size", 1), plain("bitstring_to_list", 1), guard("byte_size", 1), guard("ceil", 1),
    plain("check_old_code", 1), plain("check_process_code", 2), plain("check_process_code", 3),
    plain("date", 0), plain("delete_module", 1), plain("demonitor", 1), plain("demonitor", 2),
    plain("disconnect_node", 1), guard("element", 2), plain("erase", 0), plain("erase", 1),
    plain("error", 1), plain("error", 2), plain("error", 3), plain("exit", 1), plain("exit", 2),
    plain("exit", 3), plain("exit_signal", 2), plain("exit_signal", 3),
    guard("float", 1), plain("float_to_binary", 1), plain("float_to_binary", 2),
    plain("float_to_list", 1), plain("float_to_list", 2), guard("floor", 1),
    plain("garbage_collect", 0), plain("garbage_collect", 1), plain("garbage_collect", 2),
    plain("get", 0), plain("get", 1), plain("get_keys", 0), plain("get_keys", 1),
    plain("group_leader", 0), plain("group_leader", 2), plain("halt", 0), plain("halt", 1),
    plain("halt", 2), guard("hd", 1), plain("integer_to_binary", 1),
    plain("integer_to_binary", 2), plain("integer_to_list", 1), plain("integer_to_list", 2),
    plain("iolist_size", 1), plain("iolist_to_binary", 1), plain("is_alive", 0),
    guard("is_atom", 1), guard("is_binary", 1), guard("is_bitstring", 1), guard("is_boolean", 1),
    guard("is_float", 1), guard("is_function", 1), guard("is_function", 2),
    guard("is_integer", 1), guard("is_integer", 3), guard("is_list", 1), guard("is_map", 1),
    guard("is_map_key", 2),
    guard("is_number", 1), guard("is_pid", 1), guard("is_port", 1), plain("is_process_alive", 1),
    guard("is_record", 1), guard("is_record", 2), guard("is_record", 3), guard("is_reference", 1), guard("is_tuple", 1),
    guard("length", 1), plain("link", 1), plain("link", 2), plain("list_to_atom", 1), plain("list_to_binary", 1),
    plain("list_to_bitstring", 1), plain("list_to_existing_atom", 1), plain("list_to_float", 1),
    plain("list_to_integer", 1), plain("list_to_integer", 2), plain("list_to_pid", 1),
    plain("list_to_port", 1), plain("list_to_ref", 1), plain("list_to_tuple", 1),
    plain("load_module", 2), plain("make_ref", 0), guard("map_get", 2), guard("map_size", 1),
    guard("max", 2), guard("min", 2), plain("module_loaded", 1), plain("monitor", 2),
    plain("monitor", 3), plain("monitor_node", 2), guard("node", 0), guard("node", 1),
    plain("nodes", 0), plain("nodes", 1), plain("nodes", 2), plain("now", 0),
    plain("open_port", 2), plain("pid_to_list", 1), plain("port_close", 1),
    plain("port_command", 2), plain("port_command", 3), plain("port_connect", 2),
    plain("port_control", 3), plain("port_to_list", 1), plain("pre_loaded", 0),
    plain("process_flag", 2), plain("process_flag", 3), plain("process_info", 1),
    plain("process_info", 2), plain("processes", 0), plain("purge_module", 1), plain("put", 2),
    plain("ref_to_list", 1), plain("register", 2), plain("registered", 0), guard("round", 1),
    guard("self", 0), plain("setelement", 3), guard("size", 1), plain("spawn", 1),
    plain("spawn", 2), plain("spawn", 3), plain("spawn", 4), plain("spawn_link", 1),
    plain("spawn_link", 2), plain("spawn_link", 3), plain("spawn_link", 4),
    plain("spawn_monitor", 1), plain("spawn_monitor", 2), plain("spawn_monitor", 3),
    plain("spawn_monitor", 4), plain("spawn_opt", 2), plain("spawn_opt", 3),
    plain("spawn_opt", 4), plain("spawn_opt", 5), plain("spawn_request", 1),
    plain("spawn_request", 2), plain("spawn_request", 3), plain("spawn_request", 4),
    plain("spawn_request", 5), plain("spawn_request_abandon", 1), plain("split_binary", 2),
    plain("statistics", 1), plain("term_to_binary", 1), plain("term_to_binary", 2),
    plain("term_to_iovec", 1), plain("term_to_iovec", 2), plain("throw", 1), plain("time", 0),
    guard("tl", 1), guard("trunc", 1), guard("tuple_size", 1), plain("tuple_to_list", 1),
    plain("unalias", 1), plain("unlink", 1), plain("unregister", 1), plain("whereis", 1),
];

/// Those that are auto-imported since R14.
#[rustfmt::skip]
static NEWER: &[(&str, u32)] = &[
    ("alias", 0), ("alias", 1), ("atom_to_binary", 1), ("binary_part", 2), ("binary_part", 3),
    ("binary_to_atom", 1), ("binary_to_existing_atom", 1), ("binary_to_float", 1),
    ("binary_to_integer", 1), ("binary_to_integer", 2), ("binary_to_term", 2), ("ceil", 1),
    ("check_old_code", 1), ("check_process_code", 3), ("demonitor", 1), ("demonitor", 2),
    ("error", 1), ("error", 2), ("error", 3), ("exit", 3), ("exit_signal", 2), ("exit_signal", 3),
    ("float_to_binary", 1), ("float_to_binary", 2),
    ("float_to_list", 2), ("floor", 1), ("garbage_collect", 2), ("get_keys", 0), ("halt", 2),
    ("integer_to_binary", 1), ("integer_to_binary", 2), ("integer_to_list", 2), ("is_integer", 3),
    ("is_map", 1),
    ("is_map_key", 2), ("is_record", 1), ("link", 2), ("list_to_integer", 2), ("list_to_port", 1), ("list_to_ref", 1),
    ("map_get", 2), ("map_size", 1), ("max", 2), ("min", 2), ("monitor", 2), ("monitor", 3),
    ("nodes", 2), ("port_command", 3), ("port_to_list", 1), ("ref_to_list", 1),
    ("spawn_monitor", 2), ("spawn_monitor", 4), ("spawn_request", 1), ("spawn_request", 2),
    ("spawn_request", 3), ("spawn_request", 4), ("spawn_request", 5), ("spawn_request_abandon", 1),
    ("term_to_iovec", 1), ("term_to_iovec", 2), ("unalias", 1),
];

#[rustfmt::skip]
static TYPES: &[(&str, usize)] = &[
    ("any", 0), ("arity", 0), ("atom", 0), ("binary", 0), ("bitstring", 0), ("bool", 0),
    ("boolean", 0), ("byte", 0), ("char", 0), ("dynamic", 0), ("float", 0), ("function", 0),
    ("identifier", 0), ("integer", 0), ("iodata", 0), ("iolist", 0), ("list", 0), ("list", 1),
    ("map", 0), ("maybe_improper_list", 0), ("maybe_improper_list", 2), ("mfa", 0), ("module", 0),
    ("neg_integer", 0), ("nil", 0), ("no_return", 0), ("node", 0), ("non_neg_integer", 0),
    ("none", 0), ("nonempty_binary", 0), ("nonempty_bitstring", 0), ("nonempty_improper_list", 2),
    ("nonempty_list", 0), ("nonempty_list", 1), ("nonempty_maybe_improper_list", 0),
    ("nonempty_maybe_improper_list", 2), ("nonempty_string", 0), ("number", 0), ("pid", 0),
    ("port", 0), ("pos_integer", 0), ("reference", 0), ("string", 0), ("term", 0), ("timeout", 0),
    ("tuple", 0),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted() {
        assert!(BIFS.is_sorted_by_key(|bif| (bif.name, bif.arity)));
        assert!(TYPES.is_sorted());
        assert!(NEWER.is_sorted());
        assert!(NEWER.iter().all(|(name, arity)| find(name, *arity).is_some()));
    }

    #[test]
    fn guard_bifs_are_told_apart() {
        assert!(is_guard_bif(Atom::new("length"), 1));
        assert!(is_auto_imported(Atom::new("spawn"), 3));
        assert!(!is_guard_bif(Atom::new("spawn"), 3));
        assert!(!is_auto_imported(Atom::new("foo"), 1));
    }
}
