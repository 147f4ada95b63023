//! Races that are not between two messages: a time-out and a message, an exit signal and the steps
//! of the process that it ends, two accesses of a name, a table or another shared thing.

use crate::feasible::Delivery;
use crate::history::{EventKind, History};
use reverl_causal::object::Object;
use reverl_causal::{Chain, Edge, EventRef, Execution, ProcId, SignalId, System, fold};
use std::collections::HashMap;

/// Two things that could have happened in another order, besides messages that race.
pub enum Conflict {
    /// The receive timed out; this message would have been taken if it had come earlier.
    LateMessage { timeout: EventRef, message: SignalId },
    /// The receive took a message; it could have timed out before that came.
    CouldTimeOut { receive: EventRef },
    /// An exit signal ended the process, which could have got further or less far.
    Killed { exit: EventRef, signal: SignalId },
    /// Two processes accessed one thing, nothing but chance decided in what order.
    Access { object: Object, first: EventRef, second: EventRef },
}

/// Every conflict of an execution.
pub fn conflicts(system: &System) -> Vec<Conflict> {
    let mut found = vec![];
    let history = History::of(system.execution(), Delivery::Pair);
    for p in 0..history.receives.len() {
        timeouts(system, &history, ProcId(p as u32), &mut found);
    }
    for proc in system.execution().ids() {
        let p = system.execution().proc(proc);
        if let Some(by) = p.exit().and_then(|e| e.killed_by) {
            let exit = EventRef::action(proc, p.actions.len() - 1);
            let signal = p.deliveries[by as usize].signal;
            found.push(Conflict::Killed { exit, signal });
        }
    }
    accesses(system.execution(), &mut found);
    found
}

fn timeouts(system: &System, history: &History, proc: ProcId, found: &mut Vec<Conflict>) {
    let p = proc.0 as usize;
    for &receive in &history.receives[p] {
        let EventKind::Receive { taken, step } = history.events[receive].kind else { continue };
        let actions = &system.execution().proc(proc).actions;
        let index = actions.partition_point(|a| a.step < step);
        let event = EventRef::action(proc, index);
        if taken.is_some() {
            if system.program().code.waits_finitely(actions[index].pc) {
                found.push(Conflict::CouldTimeOut { receive: event });
            }
            continue;
        }
        let later = |id: &SignalId| {
            let arrived = system.execution().signal(*id).delivery();
            let deliveries = &system.execution().proc(proc).deliveries;
            let after =
                arrived.is_none_or(|i| deliveries[i as usize].after_actions() > event.index());
            after && !history.is_from(history.sent_by[id], receive)
        };
        let late: Vec<SignalId> = history.inbox[p].iter().copied().filter(later).collect();
        let fits = system.matches_at(proc, step - 1, &late);
        let fitting = late.into_iter().zip(fits).filter(|(_, fits)| *fits);
        found.extend(fitting.map(|(message, _)| Conflict::LateMessage { timeout: event, message }));
    }
}

/// For each process, how many of its actions are known: not through shared things.
type Knowledge = HashMap<ProcId, u32>;

/// Neighbouring accesses of a shared thing by two processes that do not commute and that nothing
/// else puts in order.
fn accesses(execution: &Execution, found: &mut Vec<Conflict>) {
    let shared = |object: &Object| !matches!(object, Object::Life(_) | Object::TrapExit(_));
    let mut wanted: HashMap<EventRef, Option<Knowledge>> = HashMap::new();
    let mut pairs = vec![];
    for (object, history) in execution.objects().iter().filter(|(object, _)| shared(object)) {
        for two in history.accesses.windows(2) {
            if two[0].event.proc != two[1].event.proc && !two[0].mode.commutes(two[1].mode) {
                pairs.push((*object, two[0].event, two[1].event));
                wanted.insert(two[1].event, None);
            }
        }
    }
    if pairs.is_empty() {
        return;
    }
    know(execution, &mut wanted);
    pairs.sort_by_key(|(_, first, _)| execution.order_of(*first));
    for (object, first, second) in pairs {
        let known = wanted[&second].as_ref().and_then(|k| k.get(&first.proc)).copied();
        if known.is_none_or(|n| n <= first.index()) {
            found.push(Conflict::Access { object, first, second });
        }
    }
}

/// What each wanted event knew.
fn know(execution: &Execution, wanted: &mut HashMap<EventRef, Option<Knowledge>>) {
    let events = execution.events();
    let follows = |edge: Edge| !matches!(edge, Edge::Object | Edge::Look) && fold::tells(edge);
    let merge = |known: &mut Knowledge, other: &Knowledge| {
        for (proc, n) in other {
            let own = known.entry(*proc).or_default();
            *own = (*own).max(*n);
        }
    };
    fold::carry(execution, events, follows, merge, |event, known: &mut Knowledge| {
        if event.chain() == Chain::Action {
            known.insert(event.proc, event.index() + 1);
        }
        if let Some(place) = wanted.get_mut(&event) {
            *place = Some(known.clone());
        }
    });
}
