//! What a message is to OTP: a call, a cast, a reply, a report of somebody's end. It is told by its
//! shape, and a reply by the call that it answers.

use super::start::Start;
use crate::describe::short;
use crate::names;
use crate::outcome::without_traces;
use reverl_causal::execution::SignalKind;
use reverl_causal::{ProcId, SignalId, System};
use reverl_term::{Atom, Term, View, exact_eq};
use serde::Serialize;
use ts_rs::TS;

/// So many signals of a caller are looked through for the call that a reply answers.
const MOST_BACK: usize = 200;

/// So many signals of a server are looked through for the reply to a call.
const MOST_FORWARD: usize = 5_000;

/// What a message is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// It waits for a reply.
    Call,
    Cast,
    Reply,
    /// An event for the handlers of an event manager.
    Notify,
    /// A call of `sys`: it is handled by the behaviour, not by the callback module.
    System,
    /// A process tells its starter that it has started.
    Started,
    /// A request to print or read, or its answer.
    Io,
    Down,
    Exit,
    Timer,
    /// Any other message to a process with a behaviour.
    Info,
    /// Any other message.
    Plain,
}

impl Protocol {
    /// The word for it, if it needs one.
    pub fn word(self) -> &'static str {
        match self {
            Protocol::Call => "call",
            Protocol::Cast => "cast",
            Protocol::Reply => "reply",
            Protocol::Notify => "event",
            Protocol::System => "system call",
            Protocol::Started => "start",
            Protocol::Io => "io",
            Protocol::Down => "DOWN",
            Protocol::Exit => "EXIT",
            Protocol::Timer => "timer",
            Protocol::Info => "info",
            Protocol::Plain => "",
        }
    }
}

/// A message as its behaviour understands it.
pub struct Recognised {
    pub protocol: Protocol,
    /// What a person wrote of it.
    pub content: Term,
    /// Of a reply: the call that it answers.
    pub call: Option<SignalId>,
}

impl Recognised {
    /// What this message means in OTP's terms.
    pub fn of(system: &System, id: SignalId) -> Recognised {
        let execution = system.execution();
        let (message, to) = (&execution.signal(id).message, execution.signal(id).to());
        let plain = |protocol| Recognised { protocol, content: message.clone(), call: None };
        match execution.kind(id) {
            SignalKind::Down => return plain(Protocol::Down),
            SignalKind::Exit { .. } => return plain(Protocol::Exit),
            SignalKind::Timer => return plain(Protocol::Timer),
            _ => {}
        }
        if let Some((protocol, content)) = by_shape(message) {
            return Recognised { protocol, content: content.clone(), call: None };
        }
        if let Some((call, content)) = reply(system, id) {
            return Recognised { protocol: Protocol::Reply, content, call: Some(call) };
        }
        let has_behaviour = |to: ProcId| Start::of(system, to).behaviour.is_some();
        plain(if to.is_some_and(has_behaviour) { Protocol::Info } else { Protocol::Plain })
    }

    /// What it is in words, without who and where.
    pub fn words(&self, system: &System) -> String {
        match (self.protocol, self.content.as_tuple()) {
            (Protocol::Down, Some([_, _, _, who, reason])) => {
                format!("DOWN of {}: {}", named(system, who), short(&without_traces(reason)))
            }
            (Protocol::Exit, Some([_, who, reason])) => {
                format!("EXIT of {}: {}", named(system, who), short(&without_traces(reason)))
            }
            (Protocol::Plain, _) => short(&self.content),
            (protocol, _) => format!("{} {}", protocol.word(), short(&self.content)),
        }
    }
}

/// What people call the process that a term names.
fn named(system: &System, who: &Term) -> String {
    let found = who.as_pid().and_then(|pid| system.execution().find(pid));
    found.map_or_else(|| short(who), |proc| names::called(system, proc))
}

/// The protocol that the shape of a message tells, and what of it a person wrote.
fn by_shape(message: &Term) -> Option<(Protocol, &Term)> {
    let parts = message.as_tuple()?;
    let tag = parts.first()?;
    let name = tag.as_atom().map_or("", |atom| atom.name());
    Some(match (name, parts) {
        ("$gen_call", [_, from, request]) if is_from(from) => (Protocol::Call, request),
        ("$gen_cast", [_, request]) => (Protocol::Cast, request),
        ("notify", [_, event]) => (Protocol::Notify, event),
        ("system", [_, from, request]) if is_from(from) => (Protocol::System, request),
        ("ack" | "nack", [_, pid, result]) if pid.as_pid().is_some() => (Protocol::Started, result),
        ("io_request", [_, _, _, request]) => (Protocol::Io, request),
        ("io_reply", [_, _, reply]) => (Protocol::Io, reply),
        // Event managers are called with the caller's pid for a label.
        ("", [label, from, request]) if label.as_pid().is_some() && is_from(from) => {
            (Protocol::Call, request)
        }
        _ => return None,
    })
}

/// `{Pid, Tag}`, the client of a call.
fn is_from(from: &Term) -> bool {
    matches!(from.as_tuple(), Some([pid, tag]) if pid.as_pid().is_some() && is_tag(tag))
}

/// A reference, alone or behind `alias`.
fn is_tag(tag: &Term) -> bool {
    match tag.view() {
        View::Ref(_) => true,
        View::Cons(alias, reference) => {
            alias.is_atom_eq(Atom::new("alias")) && matches!(reference.view(), View::Ref(_))
        }
        _ => false,
    }
}

/// The tag of a call: what its reply begins with.
fn tag_of_call(message: &Term) -> Option<&Term> {
    match by_shape(message)? {
        (Protocol::Call | Protocol::System, _) => message.as_tuple()?[1].as_tuple()?.get(1),
        _ => None,
    }
}

/// The call that a message answers, and the answer.
fn reply(system: &System, id: SignalId) -> Option<(SignalId, Term)> {
    let signal = system.execution().signal(id);
    let [tag, answer] = signal.message.as_tuple()? else { return None };
    if !is_tag(tag) {
        return None;
    }
    let from = signal.to()?;
    let caller = system.execution().proc(from);
    // The call was sent before its reply came.
    let arrived = signal.delivery().map(|i| caller.deliveries[i as usize].after_actions());
    let end = signal.receive().or(arrived).unwrap_or(u32::MAX);
    let signals = &caller.signals;
    let end = signals.partition_point(|s| s.sent_by() < end);
    let last = end.saturating_sub(MOST_BACK)..end;
    let is_it = |k: &usize| tag_of_call(&signals[*k].message).is_some_and(|t| exact_eq(t, tag));
    let k = last.rev().find(is_it)?;
    Some((SignalId { from, k: k as u32 }, answer.clone()))
}

/// The reply to a call, if one was sent.
pub fn reply_to(system: &System, call: SignalId) -> Option<SignalId> {
    let execution = system.execution();
    let tag = tag_of_call(&execution.signal(call).message)?;
    let server = execution.signal(call).to()?;
    // It comes after the receive of the call.
    let handled = execution.signal(call).receive()?;
    let signals = &execution.proc(server).signals;
    let first = signals.partition_point(|s| s.sent_by() < handled);
    (first..signals.len()).take(MOST_FORWARD).find_map(|k| {
        let parts = signals[k].message.as_tuple()?;
        let is_it = parts.len() == 2 && exact_eq(&parts[0], tag);
        is_it.then_some(SignalId { from: server, k: k as u32 })
    })
}
