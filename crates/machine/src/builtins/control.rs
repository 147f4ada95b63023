//! Module `erlang`: exceptions, calls, and the console.

use super::nature::Nature;
use super::{Builtin, Context, Control, Native, function};
use crate::raise::{Class, Raise, TRACE_DEPTH, Top};
use reverl_term::{Pid, Term, View, fmt};

/// The process behind standard input and output.
pub const CONSOLE_PID: u32 = 64;

/// The rows of this file.
pub const TABLE: &[Builtin] = &[
    function("erlang", "error", 1, |_, a| Err(Raise::of_caller(Class::Error, a[0].clone()))),
    function("erlang", "error", 2, |_, a| Err(error_with_args(a))),
    function("erlang", "error", 3, |_, a| Err(error_with_args(a))),
    function("erlang", "nif_error", 1, |_, a| Err(Raise::error(a[0].clone()))),
    function("erlang", "nif_error", 2, |_, a| Err(Raise::error(a[0].clone()))),
    function("erlang", "exit", 1, |_, a| Err(Raise::of_caller(Class::Exit, a[0].clone()))),
    function("erlang", "throw", 1, |_, a| Err(Raise::of_caller(Class::Throw, a[0].clone()))),
    function("erlang", "raise", 3, |c, a| match (Class::from_term(&a[0]), trace(c, &a[2])) {
        (Some(class), Some(trace)) => {
            Err(Raise { class, reason: a[1].clone(), top: Top::Trace(trace) })
        }
        // Wrong arguments are the one thing that makes it return.
        _ => Ok(Term::atom(reverl_term::atoms::BADARG)),
    }),
    function("reverl", "console", 0, |_, _| Ok(Term::pid(Pid::local(CONSOLE_PID, 0)))),
    function("reverl", "is_console", 1, |c, a| Ok(Term::bool(is_console(c, &a[0])))),
    function("reverl", "display_text", 1, |_, a| {
        let text = fmt::format_string("~0p", &a[..1]).unwrap_or_else(|_| fmt::write(&a[0]));
        Ok(Term::binary(format!("{text}\n").as_bytes()))
    }),
    control("erlang", "apply", 2, Control::ApplyFun),
    control("erlang", "apply", 3, Control::Apply),
    // The two halves of `hibernate`.
    control("reverl", "forget_callers", 0, Control::ForgetCallers),
    control("reverl", "keep_message", 1, Control::KeepMessage),
];

fn error_with_args(a: &[Term]) -> Raise {
    let info = a.get(2).and_then(|options| {
        let is_info = |o: &&Term| {
            matches!(o.view(), View::Tuple([key, info])
                if key.is_atom_eq(reverl_term::atoms::ERROR_INFO) && info.as_map().is_some())
        };
        options.list_iter().find(is_info).cloned()
    });
    let none = a[1].is_atom_eq(reverl_term::atoms::NONE);
    let top = match (none, info) {
        (true, None) => Top::Caller,
        (true, Some(info)) => Top::CallerInfo(None, info),
        (false, None) => Top::CallerArgs(a[1].clone()),
        (false, Some(info)) => Top::CallerInfo(Some(a[1].clone()), info),
    };
    Raise { class: Class::Error, reason: a[0].clone(), top }
}

/// A stack trace as `erlang:raise/3` accepts it.
fn trace(c: &Context, t: &Term) -> Option<Term> {
    let entries = t.to_vec()?;
    let is_call = |f: &Term, args: &Term| {
        (f.is_atom() || f.as_fun().is_some()) && (args.is_list() || args.as_usize().is_some())
    };
    let valid = |entry: &Term| match entry.as_tuple() {
        Some([m, f, args]) => m.is_atom() && is_call(f, args) || is_call(m, f) && args.is_list(),
        Some([m, f, args, location]) => m.is_atom() && is_call(f, args) && location.is_list(),
        Some([fun, args]) => is_call(fun, args),
        _ => false,
    };
    if !entries.iter().all(valid) {
        return None;
    }
    let located = |entry: Term| match entry.as_tuple() {
        Some([m, f, args]) if m.is_atom() => {
            Term::tuple(vec![m.clone(), f.clone(), args.clone(), Term::nil()])
        }
        Some([fun, args]) => Term::tuple(vec![fun.clone(), args.clone(), Term::nil()]),
        _ => entry,
    };
    let depth = c.local.seen.as_ref().and_then(|edition| edition.trace_depth);
    let most = depth.unwrap_or(TRACE_DEPTH);
    let entries: Vec<Term> = entries.into_iter().take(most).map(located).collect();
    Some(Term::list(entries))
}

/// Whether output to this device can go straight out: it is, or leads to, the console.
fn is_console(c: &Context, device: &Term) -> bool {
    match device.as_atom().map(reverl_term::Atom::name) {
        Some("standard_io") => c.local.group_leader.as_pid().is_some_and(|p| p.id == CONSOLE_PID),
        Some("user" | "standard_error") => true,
        _ => device.as_pid().is_some_and(|p| p.id == CONSOLE_PID),
    }
}

/// A row for a call that the machine itself carries out.
const fn control(module: &'static str, name: &'static str, arity: u8, control: Control) -> Builtin {
    let native = Native::Control(control);
    Builtin { module, name, arity, native, nature: Nature::Pure, since: 0 }
}
