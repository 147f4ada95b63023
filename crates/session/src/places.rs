//! Names that people type: processes, messages, events.

use crate::describe;
use crate::error::NotFound;
use crate::event::EventKind;
use crate::names;
use crate::session::Session;
use reverl_causal::{ActionKind, EventRef, Execution, ProcId, SignalId};

/// A process: `<0.83.0>`, `83`, a spawn path, a registered name, or as people call it.
pub fn process(session: &Session, word: &str) -> Result<ProcId, NotFound> {
    let system = &session.system;
    let execution = system.execution();
    // The first number is that of its node, which its own number tells too.
    let inside = word.strip_prefix('<').and_then(|w| w.strip_suffix(".0>"));
    let number = inside.and_then(|w| w.split_once('.')).map_or(word, |(_, number)| number);
    let found: Vec<ProcId> = execution
        .ids()
        .filter(|p| {
            let proc = execution.proc(*p);
            number.parse() == Ok(proc.pid.id)
                || &*proc.path == word
                || system.running(*p).name().is_some_and(|n| n.name() == word)
        })
        .collect();
    // What it was called before it ended, or by what it does.
    let found = match found.is_empty() {
        true => execution.ids().filter(|p| names::called(system, *p) == word).collect(),
        false => found,
    };
    match found.as_slice() {
        [one] => Ok(*one),
        [] => {
            let own = execution.ids().filter(|p| !execution.proc(*p).is_system);
            let known: Vec<String> = own.take(8).map(|p| describe::pid(system, p)).collect();
            Err(NotFound::Process { word: word.into(), known })
        }
        many => {
            let meanings = many.iter().map(|p| describe::pid(system, *p)).collect();
            Err(NotFound::AmbiguousProcess { word: word.into(), meanings })
        }
    }
}

/// A message: `#84.2` is the second signal that `<0.84.0>` sent.
pub fn message(session: &Session, word: &str) -> Result<SignalId, NotFound> {
    let bad = || NotFound::NotAMessage(word.into());
    let (pid, k) = word.trim_start_matches('#').split_once('.').ok_or_else(bad)?;
    let from = process(session, pid)?;
    let k: u32 = k.parse().map_err(|_| bad())?;
    let sent = session.execution().proc(from).signals.len() as u32;
    if k == 0 || k > sent {
        let sender = describe::pid(&session.system, from);
        return Err(NotFound::Message { word: word.into(), sender, sent });
    }
    Ok(SignalId { from, k: k - 1 })
}

/// The event that sent this signal.
pub fn send_event(execution: &Execution, id: SignalId) -> EventRef {
    EventRef::action(id.from, execution.signal(id).sent_by() as usize)
}

/// The event that put it into the mailbox, if it has arrived.
pub fn delivery_event(execution: &Execution, id: SignalId) -> Option<EventRef> {
    let signal = execution.signal(id);
    Some(EventRef::delivery(signal.to()?, signal.delivery()? as usize))
}

/// The event that took it out of the mailbox, if it was received.
pub fn receive_event(execution: &Execution, id: SignalId) -> Option<EventRef> {
    let signal = execution.signal(id);
    Some(EventRef::action(signal.to()?, signal.receive()? as usize))
}

/// The event that made this process; none for the first one.
pub fn spawn_event(execution: &Execution, proc: ProcId) -> Option<EventRef> {
    let (parent, action) = execution.proc(proc).parent?;
    Some(EventRef::action(parent, action as usize))
}

/// The event with which this process ended, if it has.
pub fn exit_event(execution: &Execution, proc: ProcId) -> Option<EventRef> {
    let p = execution.proc(proc);
    p.exit().map(|_| EventRef::action(proc, p.actions.len() - 1))
}

/// The registration of a name, the last one up to the cut or else the first after it.
pub fn register_event(session: &Session, name: &str) -> Option<EventRef> {
    let execution = session.execution();
    let is_it = |e: &EventRef| match execution.action(*e).map(|a| a.what()) {
        Some(ActionKind::Request(answered)) => {
            describe::kind(&session.system, *e) == EventKind::Register
                && answered.args[0].as_atom().is_some_and(|a| a.name() == name)
        }
        _ => false,
    };
    let all: Vec<EventRef> = execution.events().filter(is_it).collect();
    let inside = all.iter().rev().find(|e| session.cut.contains(execution, **e));
    inside.or(all.first()).copied()
}
