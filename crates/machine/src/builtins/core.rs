//! Module `erlang`: what guards use, control, the process itself.

use super::{Builtin, Context, Control, Native, Value, function};
use crate::raise::{Class, Raise, Top};
use reverl_term::{Term, View, num};

/// The process behind standard input and output.
pub const CONSOLE_PID: u32 = 64;

pub const TABLE: &[Builtin] = &[
    function("erlang", "hd", 1, |_, a| a[0].as_cons().map(|c| c.0.clone()).ok_or_else(Raise::badarg)),
    function("erlang", "tl", 1, |_, a| a[0].as_cons().map(|c| c.1.clone()).ok_or_else(Raise::badarg)),
    function("erlang", "length", 1, |_, a| {
        a[0].list_len().map(|n| Term::int(n as i64)).ok_or_else(Raise::badarg)
    }),
    function("erlang", "element", 2, element),
    function("erlang", "integer_to_list", 1, |_, a| {
        num::format_int(&a[0], 10).map(|s| Term::string(&s)).ok_or_else(Raise::badarg)
    }),
    function("erlang", "self", 0, |c, _| Ok(Term::pid(c.local.pid))),
    function("reverl", "is_console", 1, |c, a| Ok(Term::bool(is_console(c, &a[0])))),
    function("erlang", "group_leader", 0, |c, _| Ok(c.local.group_leader.clone())),
    function("erlang", "error", 1, |_, a| Err(Raise::of_caller(Class::Error, a[0].clone()))),
    function("erlang", "error", 2, |_, a| Err(error_with_args(a))),
    function("erlang", "error", 3, |_, a| Err(error_with_args(a))),
    function("erlang", "exit", 1, |_, a| Err(Raise::of_caller(Class::Exit, a[0].clone()))),
    function("erlang", "throw", 1, |_, a| Err(Raise::of_caller(Class::Throw, a[0].clone()))),
    Builtin { module: "erlang", name: "apply", arity: 2, native: Native::Control(Control::ApplyFun) },
    Builtin { module: "erlang", name: "apply", arity: 3, native: Native::Control(Control::Apply) },
];

fn element(_: &mut Context, a: &[Term]) -> Value {
    match (a[0].as_small(), a[1].view()) {
        (Some(i), View::Tuple(t)) if i >= 1 && i as usize <= t.len() => Ok(t[i as usize - 1].clone()),
        _ => Err(Raise::badarg()),
    }
}

fn error_with_args(a: &[Term]) -> Raise {
    let top = if a[1].is_atom_eq(reverl_term::Atom::new("none")) {
        Top::Caller
    } else {
        Top::CallerArgs(a[1].clone())
    };
    Raise { class: Class::Error, reason: a[0].clone(), top }
}

/// Whether output to this device can go straight out: it is, or leads to, the console.
fn is_console(c: &Context, device: &Term) -> bool {
    match device.as_atom().map(reverl_term::Atom::name) {
        Some("standard_io") => c.local.group_leader.as_pid().is_some_and(|p| p.id == CONSOLE_PID),
        Some("user" | "standard_error") => true,
        _ => device.as_pid().is_some_and(|p| p.id == CONSOLE_PID),
    }
}
