//! Who is traced, and of which calls and messages is told. Which functions those are belongs to what
//! all processes see of the code; how a process is traced is a look at that process.

use super::{Reply, Row};
use crate::execution::ProcId;
use crate::object::Object;
use crate::system::System;
use crate::tracing::{Flags, Note, Traced};
use reverl_machine::match_spec::Spec;
use reverl_machine::tracing::{Filter, Rule};
use reverl_term::{Atom, Term, atoms};
use std::rc::Rc;

pub const TABLE: &[Row] = &[
    ("reverl", "trace_pattern", 5, |s, p, a| pattern(s, p, a).unwrap_or_else(Reply::badarg)),
    ("reverl", "trace_messages", 2, |s, p, a| messages(s, p, a).unwrap_or_else(Reply::badarg)),
    ("reverl", "trace_process", 4, |s, p, a| process(s, p, a).unwrap_or_else(Reply::badarg)),
    ("reverl", "trace_new", 3, |s, p, a| new(s, p, a).unwrap_or_else(Reply::badarg)),
    ("reverl", "trace_of", 1, |s, p, a| of(s, p, a).unwrap_or_else(Reply::badarg)),
    ("reverl", "trace_delivered", 2, |s, p, a| delivered(s, p, a).unwrap_or_else(Reply::badarg)),
    ("reverl", "told", 0, |_, _, _| Reply::badarg()),
];

fn ok() -> Option<Reply> {
    Some(Reply::value(Term::atom(atoms::OK)))
}

fn filter(spec: &Term) -> Option<Filter> {
    let compiled = match spec.as_bool() {
        Some(false) => None,
        _ => Some(Rc::new(Spec::of_trace(spec)?)),
    };
    let text = if spec.as_bool() == Some(true) { Term::nil() } else { spec.clone() };
    Some(Filter { text, spec: compiled })
}

/// `trace_pattern(Module, Name, Arity, Spec, IsLocal)`, with `'_'` for any.
fn pattern(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let named = |t: &Term| t.as_atom().filter(|a| *a != atoms::UNDERSCORE);
    let rule = Rule {
        module: named(&a[0]),
        name: named(&a[1]),
        arity: a[2].as_usize().map(|n| n as u32),
        filter: filter(&a[3])?,
        is_local: a[4].as_bool()?,
    };
    let mut edition = s.edition();
    let patterns = edition.traced.as_deref().cloned().unwrap_or_default();
    edition.traced = Some(Rc::new(patterns.with(rule)));
    s.set_edition(p, edition);
    ok()
}

/// `trace_messages(send | 'receive', Spec)`
fn messages(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let filter = Some(filter(&a[1])?).filter(|_| a[1].as_bool() != Some(true));
    let mut edition = s.edition();
    let mut patterns = edition.traced.as_deref().cloned().unwrap_or_default();
    match a[0].as_atom()?.name() {
        "send" => patterns.send = filter,
        _ => patterns.receive = filter,
    }
    edition.traced = Some(Rc::new(patterns));
    s.set_edition(p, edition);
    ok()
}

/// The flags of a list, if it has no others.
fn flags(list: &Term) -> Option<Flags> {
    let named = |t: &Term| t.as_atom().and_then(Flags::named);
    list.to_vec()?.iter().try_fold(Flags::default(), |all, t| Some(all.set(named(t)?, true)))
}

/// `trace_process(Pid, On, Flags, Tracer)`: the step from which on its calls count, `dead`, or `taken`
/// if somebody else traces it.
fn process(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let (on, flags) = (a[1].as_bool()?, flags(&a[2])?);
    let dead = || Some(Reply::value(Term::atom_named("dead")));
    let Some(of) = s.execution.find(a[0].as_pid()?) else { return dead() };
    let event = s.upcoming(p);
    s.execution.objects.read(Object::Life(of), event);
    if s.has_exited(of) {
        return dead();
    }
    s.execution.look_at(of, event);
    let tracer = a[3].as_pid().and_then(|pid| s.execution.find(pid));
    let before = s.traced(of).cloned();
    let is_other = |t: &Traced| Some(t.tracer) != tracer;
    if let Some(other) = before.as_ref().filter(|t| is_other(t)) {
        s.execution.objects.read(Object::Life(other.tracer), event);
    }
    let before = before.filter(|t| !s.has_exited(t.tracer));
    if on && before.as_ref().is_some_and(is_other) {
        return Some(Reply::value(Term::atom_named("taken")));
    }
    // Where it stood then is kept: it need not stand there when this is replayed.
    let given = match &s.in_hand.given {
        Some(Ok(since)) => since.as_usize().map(|since| since as u64),
        _ => None,
    };
    let since = given.unwrap_or(s.running(of).process.steps());
    let set = before.as_ref().map_or(Flags::default(), |t| t.flags).set(flags, on);
    let traced = match before {
        Some(traced) => Some(Traced { flags: set, ..traced }),
        None => tracer.map(|tracer| Traced { flags: set, tracer, since, looked_at: None }),
    };
    s.set_traced(of, traced.filter(|t| t.flags != Flags::default()));
    Some(Reply::value(Term::int(since as i64)))
}

/// `trace_new(On, Flags, Tracer)`: whoever is spawned from now on.
fn new(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let (on, flags) = (a[0].as_bool()?, flags(&a[1])?);
    let (event, node) = (s.upcoming(p), s.node_of(p));
    s.look_at_population(event, node);
    let tracer = s.execution.find(a[2].as_pid()?)?;
    let before = s.present.traced_new.as_ref();
    let flags = before.map_or(Flags::default(), |t| t.flags).set(flags, on);
    let traced = Traced { flags, tracer, since: 0, looked_at: None };
    s.present.traced_new = Some(traced).filter(|t| t.flags != Flags::default());
    s.present.has_tracing = true;
    ok()
}

/// `trace_of(Pid | new)`: `{Flags, Tracer}`, or `dead`.
fn of(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let event = s.upcoming(p);
    let traced = match a[0].as_pid() {
        None => {
            let node = s.node_of(p);
            s.look_at_population(event, node);
            s.present.traced_new.clone()
        }
        Some(pid) => {
            let of = s.execution.find(pid).filter(|of| !s.has_exited(*of));
            let Some(of) = of else { return Some(Reply::value(Term::atom_named("dead"))) };
            s.execution.objects.read(Object::Life(of), event);
            s.execution.look_at(of, event);
            s.traced(of).cloned()
        }
    };
    let (flags, tracer) = match traced.filter(|t| !s.has_exited(t.tracer)) {
        Some(traced) => (traced.flags.list(), s.pid(traced.tracer)),
        None => (Term::nil(), Term::nil()),
    };
    Some(Reply::value(Term::tuple(vec![flags, tracer])))
}

/// `trace_delivered(Pid, Reference)`: a message comes when all that the process has told so far has arrived.
fn delivered(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let what = vec![Term::atom(Atom::new("trace_delivered")), a[0].clone(), a[1].clone()];
    let message = Term::tuple(what);
    let of = a[0].as_pid().and_then(|pid| s.execution.find(pid));
    let event = s.upcoming(p);
    if let Some(of) = of {
        s.execution.objects.read(Object::Life(of), event);
    }
    match of.filter(|of| !s.has_exited(*of) && *of != p) {
        Some(of) => {
            s.present.has_tracing = true;
            s.note(of, event, Note::Delivered(p, message));
            ok()
        }
        None => {
            let first = s.first_signal(p);
            s.put_signal(p, Some(p), crate::execution::SignalKind::Message, message);
            let mut reply = ok()?;
            reply.effect.signals = s.finish_signals(p, first);
            Some(reply)
        }
    }
}
