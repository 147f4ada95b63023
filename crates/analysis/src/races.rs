//! Message races: for each receive, the other messages that it could have taken.

use crate::feasible::Delivery;
use crate::history::{Did, History};
use reverl_causal::{EventRef, ProcId, SignalId, System};

/// A message that raced with the one that was received (paper 004, Def. 5).
pub struct Racing {
    pub message: SignalId,
    /// It matches the receive; if not, the race is only potential.
    pub is_actual: bool,
}

pub struct Race {
    pub receive: EventRef,
    pub taken: SignalId,
    /// By sender, in order of sending.
    pub racing: Vec<Racing>,
}

/// The race set of every receive of the execution that has one.
pub fn races(system: &System) -> Vec<Race> {
    let history = History::of(&system.execution, Delivery::Pair);
    let mut found = vec![];
    for (p, receives) in history.receives.iter().enumerate() {
        let proc = ProcId(p as u32);
        for &receive in receives {
            let Did::Receive { taken: Some(taken), step } = history.events[receive].did else {
                continue;
            };
            let own = system.execution.signal(taken).delivery();
            let others: Vec<SignalId> = history.inbox[p]
                .iter()
                .copied()
                .filter(|id| {
                    let arrived = system.execution.signal(*id).delivery();
                    let later = arrived.is_none() || arrived > own;
                    let caused = history.is_from(history.sent_by[id], receive);
                    *id != taken && later && !caused
                })
                .collect();
            if others.is_empty() {
                continue;
            }
            let matches = system.matches_at(proc, step - 1, &others);
            let actions = &system.execution.proc(proc).actions;
            let index = actions.partition_point(|a| a.step < step);
            let racing = others.iter().zip(matches);
            let racing = racing.map(|(message, is_actual)| Racing { message: *message, is_actual });
            let receive = EventRef::action(proc, index);
            found.push(Race { receive, taken, racing: racing.collect() });
        }
    }
    found
}
