//! Nodes: they are started, connected, watched and stopped.

use super::{Reply, Row};
use crate::cluster::LineState;
use crate::execution::{Effect, Entry, NodeId, ProcId, SignalKind};
use crate::object::{Object, Value};
use crate::signals::exit_message;
use crate::system::System;
use reverl_machine::Raise;
use reverl_term::{Atom, Term, View, atoms};

pub const TABLE: &[Row] = &[
    ("erlang", "nodes", 0, |s, p, _| nodes(s, p, &Term::atom_named("visible"))),
    ("erlang", "nodes", 1, |s, p, a| nodes(s, p, &a[0])),
    ("reverl", "connection", 1, connection),
    ("reverl", "start_node", 2, |s, p, a| start(s, p, a).unwrap_or_else(Reply::badarg)),
    ("reverl", "stop_node", 1, |s, p, a| stop(s, p, a).unwrap_or_else(Reply::badarg)),
    ("reverl", "connect", 1, |s, p, a| connect(s, p, a).unwrap_or_else(Reply::badarg)),
    ("reverl", "disconnect", 1, |s, p, a| disconnect(s, p, a).unwrap_or_else(Reply::badarg)),
    ("reverl", "watch_nodes", 3, watch),
    ("reverl", "fate", 0, fate),
];

/// The names of nodes of these kinds, as a process sees them.
fn nodes(s: &mut System, p: ProcId, which: &Term) -> Reply {
    let kinds = if which.is_list() { which.to_vec() } else { Some(vec![which.clone()]) };
    let names = kinds.as_ref().and_then(|kinds| kinds.iter().map(Term::as_atom).collect());
    let names: Option<Vec<Atom>> = names;
    let Some(kinds) = names else { return Reply::badarg() };
    let known = ["this", "known", "visible", "hidden", "connected"];
    if !kinds.iter().all(|kind| known.contains(&kind.name())) {
        return Reply::badarg();
    }
    let (event, here) = (s.upcoming(p), s.node_of(p));
    if s.has_nodes() {
        s.execution.objects.read(Object::Peers(here), event);
    }
    let has = |kind: &str| kinds.iter().any(|k| k.name() == kind);
    let own = (has("this") || has("known")).then(|| s.node(p));
    let peers = s.peers(here).into_iter().filter(|other| match s.is_hidden(*other) {
        true => has("hidden") || has("connected") || has("known"),
        false => has("visible") || has("connected") || has("known"),
    });
    // A node that was named while it ran still knows what it was called before.
    let former = has("known") && here == NodeId::FIRST && s.node(p) != atoms::NONODE;
    let names = own.into_iter().chain(peers.map(|other| s.name_of_node(other)));
    let names = names.chain(former.then_some(atoms::NONODE));
    let names: Vec<Term> = names.map(Term::atom).collect();
    Reply::value(Term::list(names))
}

/// Which connection to a node there is, by a number that no other had, and whether it is hidden.
fn connection(s: &mut System, p: ProcId, a: &[Term]) -> Reply {
    let (event, here) = (s.upcoming(p), s.node_of(p));
    let other = a[0].as_atom().and_then(|name| s.node_named(name, event));
    let undefined = Reply::value(Term::atom(atoms::UNDEFINED));
    let Some(other) = other.filter(|other| *other != here) else { return undefined };
    s.execution.objects.read(Object::Peers(here), event);
    let line = s.execution.line(here, other);
    if line.state != LineState::Up {
        return undefined;
    }
    let number = Term::int(s.connection_number(here, other) as i64);
    Reply::value(Term::tuple(vec![number, Term::bool(s.is_hidden(other))]))
}

/// A new node, connected to the one that starts it.
fn start(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let (name, event) = (a[0].as_atom()?, s.upcoming(p));
    let first = s.first_signal(p);
    let pair = |tag, value| Term::tuple(vec![Term::atom(tag), value]);
    if s.node(p) == atoms::NONODE {
        return Some(Reply::value(pair(atoms::ERROR, Term::atom_named("not_alive"))));
    }
    if s.node_named(name, event).is_some() {
        let running = pair(Atom::new("already_running"), a[0].clone());
        return Some(Reply::value(pair(atoms::ERROR, running)));
    }
    let (module, function) = (Atom::new("reverl_cluster"), Atom::new("node"));
    let entry = Entry::Call { module, name: function, args: Term::list([a[1].clone()]) };
    let process = s.start_node(p, name, entry);
    s.execution.objects.write(Object::NodeNamed(name), event, Value::Proc(process));
    s.reach(event, s.node_of(p), NodeId(process.0));
    let signals = s.finish_signals(p, first);
    let effect = Effect { spawned: Some(process), signals, ..Effect::default() };
    Some(Reply { answer: Ok(pair(atoms::OK, s.pid(process))), effect })
}

/// A node is ended: its process is told to end, whatever the connection.
fn stop(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let event = s.upcoming(p);
    let found = s.node_named(a[0].as_atom()?, event);
    let process = found.and_then(|node| s.execution.process_of(node));
    Some(match process {
        Some(process) => end_node(s, p, process),
        None => Reply::bool(false),
    })
}

fn end_node(s: &mut System, p: ProcId, process: ProcId) -> Reply {
    let first = s.first_signal(p);
    let reason = Term::atom(atoms::KILL);
    let message = exit_message(s.pid(p), reason.clone());
    s.put_signal(p, Some(process), SignalKind::Exit { linked: false, reason }, message);
    let signals = s.finish_signals(p, first);
    Reply { answer: Ok(Term::bool(true)), effect: Effect { signals, ..Effect::default() } }
}

impl System {
    /// The end of the node that a process runs on, if that has a process of its own.
    pub(super) fn halt_node(&mut self, p: ProcId) -> Option<Reply> {
        let process = self.execution.process_of(self.node_of(p))?;
        Some(end_node(self, p, process))
    }
}

fn connect(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let name = a[0].as_atom()?;
    if s.node(p) == atoms::NONODE {
        return Some(Reply::value(Term::atom_named("ignored")));
    }
    let (event, here, first) = (s.upcoming(p), s.node_of(p), s.first_signal(p));
    let there = s.node_named(name, event);
    let is_reached = there.is_some_and(|there| s.reach(event, here, there));
    let signals = s.finish_signals(p, first);
    let effect = Effect { signals, ..Effect::default() };
    Some(Reply { answer: Ok(Term::bool(is_reached)), effect })
}

fn disconnect(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let name = a[0].as_atom()?;
    if s.node(p) == atoms::NONODE {
        return Some(Reply::value(Term::atom_named("ignored")));
    }
    let (event, here, first) = (s.upcoming(p), s.node_of(p), s.first_signal(p));
    let there = s.node_named(name, event).filter(|there| *there != here);
    s.execution.objects.read(Object::Peers(here), event);
    let is_up = |there: &NodeId| s.execution.line(here, *there).state == LineState::Up;
    let there = there.filter(is_up);
    let was_up = there.is_some_and(|there| s.part(event, here, there, LineState::Down));
    let signals = s.finish_signals(p, first);
    let effect = Effect { signals, ..Effect::default() };
    Some(Reply { answer: Ok(Term::bool(was_up)), effect })
}

/// Who wants to be told of nodes that come and go: of all, of those of a kind, or of one by its
/// name; and in which form. Each `true` is one more message; `false` ends all of them, or one of a
/// single node.
fn watch(s: &mut System, p: ProcId, a: &[Term]) -> Reply {
    let (Some(on), Some(what)) = (a[0].as_bool(), a[1].as_atom()) else { return Reply::badarg() };
    let (event, here, first) = (s.upcoming(p), s.node_of(p), s.first_signal(p));
    let row = Term::tuple(vec![s.pid(p), a[1].clone(), a[2].clone()]);
    let mut rows = match s.execution.objects.read(Object::NodeWatchers(here), event) {
        Value::Term(rows) => rows.to_vec().unwrap_or_default(),
        _ => vec![],
    };
    let of_kind = ["all", "visible", "hidden"].contains(&what.name());
    match on {
        true => rows.push(row),
        false if of_kind => rows.retain(|other| *other != row),
        false => {
            if let Some(i) = rows.iter().position(|r| *r == row) {
                rows.remove(i);
            }
        }
    }
    s.execution.objects.write(Object::NodeWatchers(here), event, Value::Term(Term::list(rows)));
    // A node that cannot be reached is down at once.
    if on && !of_kind {
        let there = s.node_named(what, event);
        if !there.is_some_and(|there| s.reach(event, here, there)) {
            let down = Term::tuple(vec![Term::atom_named("nodedown"), a[1].clone()]);
            forget(s, p, here, &Term::tuple(vec![s.pid(p), a[1].clone(), a[2].clone()]));
            s.put_signal(p, Some(p), SignalKind::Message, down);
        }
    }
    let signals = s.finish_signals(p, first);
    Reply { answer: Ok(Term::bool(true)), effect: Effect { signals, ..Effect::default() } }
}

/// What OTP's `net_kernel:monitor_nodes` is made of: answers how often it was asked for before.
pub(super) fn watch_by_flag(s: &mut System, p: ProcId, on: &Term, options: &Term) -> Reply {
    let kind = options.as_map().and_then(|map| map.get(&Term::atom_named("node_type")).cloned());
    let kind = kind.unwrap_or_else(|| Term::atom_named("visible"));
    let row = Term::tuple(vec![s.pid(p), kind.clone(), options.clone()]);
    let rows = match s.execution.objects.value(Object::NodeWatchers(s.node_of(p))) {
        Value::Term(rows) => rows.to_vec().unwrap_or_default(),
        _ => vec![],
    };
    let before = rows.iter().filter(|other| **other == row).count();
    let Reply { answer, effect } = watch(s, p, &[on.clone(), kind, options.clone()]);
    Reply { answer: answer.map(|_| Term::int(before as i64)), effect }
}

fn forget(s: &mut System, p: ProcId, here: NodeId, row: &Term) {
    let event = s.upcoming(p);
    let rows = match s.execution.objects.value(Object::NodeWatchers(here)) {
        Value::Term(rows) => rows.to_vec().unwrap_or_default(),
        _ => return,
    };
    let rows: Vec<Term> = rows.into_iter().filter(|r| r != row).collect();
    s.execution.objects.write(Object::NodeWatchers(here), event, Value::Term(Term::list(rows)));
}

/// What happens to the connections of a node. Nobody answers but who is outside.
fn fate(s: &mut System, p: ProcId, _: &[Term]) -> Reply {
    let first = s.first_signal(p);
    let told = match &s.in_hand.given {
        Some(Ok(told)) => told.clone(),
        _ => Term::nil(),
    };
    if !matches!(told.view(), View::Tuple(_)) {
        return Reply::raise(Raise::badarg());
    }
    s.disturbed(p, &told);
    let signals = s.finish_signals(p, first);
    Reply { answer: Ok(told), effect: Effect { signals, ..Effect::default() } }
}
