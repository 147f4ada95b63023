//! The registry of names.

use super::{Reply, Row};
use crate::execution::{Effect, EventRef, ProcId};
use crate::object::{Mode, Object, Value};
use crate::system::System;
use reverl_term::{Atom, Term, atoms};

pub const TABLE: &[Row] = &[
    ("erlang", "register", 2, register),
    ("erlang", "unregister", 1, unregister),
    ("erlang", "whereis", 1, whereis),
    ("reverl", "whereis", 1, whereis),
    ("reverl", "whereis_on", 2, |s, p, a| match (a[0].as_atom(), a[1].as_atom()) {
        (Some(name), Some(node)) => {
            let first = s.first_signal(p);
            let found = s.whereis_on(p, name, node).map(|proc| s.pid(proc));
            let value = found.unwrap_or(Term::atom(atoms::UNDEFINED));
            let effect = Effect { signals: s.finish_signals(p, first), ..Effect::default() };
            Reply { answer: Ok(value), effect }
        }
        _ => Reply::badarg(),
    }),
    ("erlang", "registered", 0, |s, p, _| registered(s, p, |name| !name.starts_with("#Port<"))),
    ("reverl", "registered", 0, |s, p, _| registered(s, p, |_| true)),
];

fn whereis(s: &mut System, p: ProcId, a: &[Term]) -> Reply {
    let Some(name) = a[0].as_atom() else { return Reply::badarg() };
    let found = s.whereis(p, name).map(|proc| s.pid(proc));
    Reply::value(found.unwrap_or(Term::atom(atoms::UNDEFINED)))
}

/// The names that are wanted: those of ports are not the program's.
fn registered(s: &mut System, p: ProcId, is_wanted: impl Fn(&str) -> bool) -> Reply {
    let event = s.upcoming(p);
    let node = s.node_of(p);
    s.execution.objects.read(Object::Registry(node), event);
    let names = s.execution.names(node);
    let wanted = names.into_iter().map(|(name, _)| name).filter(|name| is_wanted(name.name()));
    Reply::value(Term::list(wanted.map(Term::atom)))
}

fn register(s: &mut System, p: ProcId, a: &[Term]) -> Reply {
    let (Some(name), Some(pid)) = (a[0].as_atom(), a[1].as_pid()) else {
        return Reply::badarg_because("none");
    };
    if name == atoms::UNDEFINED {
        return Reply::badarg_because("none");
    }
    // Only processes of the same node can be registered.
    let found = s.execution.find(pid).filter(|to| s.node_of(*to) == s.node_of(p));
    let Some(to) = found else { return Reply::badarg_because("notalive") };
    let event = s.upcoming(p);
    s.execution.objects.read(Object::NameOf(to), event);
    if s.running(to).name.is_some() {
        return Reply::badarg_because("registered_name");
    }
    if s.whereis(p, name).is_some() {
        return Reply::badarg_because("none");
    }
    s.execution.objects.read(Object::Life(to), event);
    if s.has_exited(to) {
        return Reply::badarg_because("notalive");
    }
    s.set_name(to, name, event, Value::Proc(to));
    s.running_mut(to).name = Some(name);
    let first = s.first_signal(p);
    s.tell_name(p, to, "register", name);
    told(s, p, first)
}

fn unregister(s: &mut System, p: ProcId, a: &[Term]) -> Reply {
    let Some(name) = a[0].as_atom() else { return Reply::badarg() };
    let Some(of) = s.whereis(p, name) else { return Reply::badarg() };
    let event = s.upcoming(p);
    s.set_name(of, name, event, Value::Nothing);
    s.running_mut(of).name = None;
    let first = s.first_signal(p);
    s.tell_name(p, of, "unregister", name);
    told(s, p, first)
}

/// That is all, but for what it tells tracers.
fn told(s: &System, p: ProcId, first: u32) -> Reply {
    let signals = s.finish_signals(p, first);
    Reply { answer: Ok(Term::bool(true)), effect: Effect { signals, ..Effect::default() } }
}

impl System {
    /// A process gets or loses a name: that is about both.
    pub(crate) fn set_name(&mut self, of: ProcId, name: Atom, event: EventRef, value: Value) {
        let node = self.node_of(of);
        let objects = &mut self.execution.objects;
        objects.write(Object::Name(node, name), event, value);
        objects.write(Object::NameOf(of), event, Value::Nothing);
        objects.access(Object::Registry(node), event, Mode::WritePart);
    }
}
