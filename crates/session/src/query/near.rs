//! The processes that have to do with an event: who sent what led to it, and who heard of it, the
//! nearest first. Everything that happened before is its past, but few of it matters.

use crate::describe;
use crate::event::EventWeight;
use crate::session::Session;
use reverl_causal::{Chain, EventRef, ProcId, SignalId};
use std::collections::HashSet;

/// So many processes are near.
const MOST: usize = 16;
/// So many events of each process are looked at, before and after.
const BACK: usize = 60;
/// How many messages away.
const HOPS: usize = 2;

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
            // Who started it is near, but not all that it has started.
            let parent = execution.proc(at.proc).parent.map(|(parent, _)| parent);
            let parent = parent.filter(|p| !execution.proc(*p).is_system && !known.contains(p));
            if let Some(parent) = parent.filter(|_| found.len() < MOST) {
                known.insert(parent);
                found.push(parent);
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
            // Of a message that was not received, any event of its receiver does.
            let taken = signal
                .to()
                .map(|to| EventRef::action(to, signal.receive().unwrap_or_default() as usize));
            [Some(sent), taken]
        };
        if describe::weight(system, event) == EventWeight::Internal {
            return vec![];
        }
        let child = execution.child_of(event).map(|child| EventRef::action(child, 0));
        let message = describe::message_of(system, event).into_iter();
        message.flat_map(ends).flatten().chain(child).collect()
    };
    let mut all: Vec<EventRef> = recent.flat_map(touching).collect();
    // Of each process the latest.
    let mut seen = HashSet::new();
    all.retain(|e| seen.insert(e.proc));
    all.retain(|e| {
        e.proc != at.proc && (e.index() as usize) < execution.proc(e.proc).actions.len().max(1)
    });
    all
}
