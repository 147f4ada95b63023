//! The processes that have to do with an event: who sent what led to it, and who heard of it, the
//! nearest first. Everything that happened before is its past, but few of it matters.

use crate::describe;
use crate::session::Session;
use reverl_causal::{Chain, EventRef, ProcId, SignalId};
use std::collections::HashSet;

/// So many processes are near.
const MOST: usize = 16;
/// So many events of each process are looked at, before and after.
const BACK: usize = 60;
/// How many messages away.
const HOPS: usize = 3;

/// The processes near an event, itself first.
pub fn near(session: &Session, event: EventRef) -> Vec<ProcId> {
    let execution = session.execution();
    let mut found = vec![event.proc];
    let mut known: HashSet<ProcId> = found.iter().copied().collect();
    // Who has to be looked at from which event on.
    let mut frontier = vec![event];
    for _ in 0..HOPS {
        let mut next = vec![];
        for at in frontier {
            for other in others(session, at) {
                let is_shown = !execution.proc(other.proc).is_system;
                if found.len() < MOST && is_shown && known.insert(other.proc) {
                    found.push(other.proc);
                    next.push(other);
                }
            }
        }
        frontier = next;
    }
    found
}

/// Events of other processes that the last ones of a process were about, the latest first.
fn others(session: &Session, at: EventRef) -> Vec<EventRef> {
    let (system, execution) = (&session.system, session.execution());
    let p = execution.proc(at.proc);
    let last = match at.chain() {
        Chain::Action => at.index() as usize + 1,
        Chain::Delivery => p.deliveries[at.index() as usize].after_actions() as usize,
    };
    let recent = (last.saturating_sub(BACK)..last).rev();
    let touching = |i: usize| -> Vec<EventRef> {
        let event = EventRef::action(at.proc, i);
        let ends = |id: SignalId| {
            let signal = execution.signal(id);
            let sent = EventRef::action(id.from, signal.sent_by() as usize);
            let taken = signal.to().zip(signal.receive().or(signal.delivery().map(|_| 0)));
            let taken = taken.map(|(to, i)| EventRef::action(to, i as usize));
            [Some(sent), taken]
        };
        let child = execution.child_of(event).map(|child| EventRef::action(child, 0));
        let message = describe::message_of(system, event).into_iter();
        let signals = message.chain(execution.signals_of(event)).flat_map(ends);
        signals.flatten().chain(child).collect()
    };
    let mut all: Vec<EventRef> = recent.flat_map(touching).collect();
    all.retain(|e| {
        e.proc != at.proc && (e.index() as usize) < execution.proc(e.proc).actions.len().max(1)
    });
    if let Some((parent, i)) = p.parent {
        all.push(EventRef::action(parent, i as usize));
    }
    all
}
