//! Races that are not between two messages: a time-out and a message, an exit signal and the steps
//! of the process that it ends, two accesses of a name, a table or another shared thing.

use crate::feasible::Delivery;
use crate::history::{Did, History};
use reverl_causal::object::Object;
use reverl_causal::{EventRef, Execution, ProcId, SignalId, System, What};
use std::collections::HashMap;

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

pub fn conflicts(system: &System) -> Vec<Conflict> {
    let mut found = vec![];
    let history = History::of(&system.execution, Delivery::Pair);
    for p in 0..history.receives.len() {
        timeouts(system, &history, ProcId(p as u32), &mut found);
    }
    for proc in system.execution.ids() {
        let p = system.execution.proc(proc);
        if let Some(by) = p.exit().and_then(|e| e.killed_by) {
            let exit = EventRef::action(proc, p.actions.len() - 1);
            let signal = p.deliveries[by as usize].signal;
            found.push(Conflict::Killed { exit, signal });
        }
    }
    accesses(&system.execution, &mut found);
    found
}

fn timeouts(system: &System, history: &History, proc: ProcId, found: &mut Vec<Conflict>) {
    let p = proc.0 as usize;
    for &receive in &history.receives[p] {
        let Did::Receive { taken, step } = history.events[receive].did else { continue };
        let actions = &system.execution.proc(proc).actions;
        let index = actions.partition_point(|a| a.step < step);
        let event = EventRef::action(proc, index);
        if taken.is_some() {
            if system.program().code.waits_finitely(actions[index].pc) {
                found.push(Conflict::CouldTimeOut { receive: event });
            }
            continue;
        }
        let later = |id: &SignalId| {
            let arrived = system.execution.signal(*id).delivery();
            let deliveries = &system.execution.proc(proc).deliveries;
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

/// For each process, how many actions of others it knows of: through messages and spawns alone.
type Knowledge = HashMap<ProcId, u32>;

/// Neighbouring accesses of a shared thing by two processes, one of them a write, that no message
/// puts in order.
fn accesses(execution: &Execution, found: &mut Vec<Conflict>) {
    let shared = |object: &Object| !matches!(object, Object::Life(_) | Object::TrapExit(_));
    let mut wanted: HashMap<EventRef, Option<Knowledge>> = HashMap::new();
    let mut pairs = vec![];
    for (object, history) in execution.objects.map.iter().filter(|(object, _)| shared(object)) {
        let real = |e: EventRef| execution.proc(e.proc).actions.len() > e.index() as usize;
        let all: Vec<_> = history.accesses.iter().filter(|a| real(a.event)).collect();
        for two in all.windows(2) {
            if two[0].event.proc != two[1].event.proc && (two[0].write || two[1].write) {
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
    let mut now: Vec<Knowledge> = vec![Knowledge::new(); execution.procs.len()];
    let mut sent: HashMap<SignalId, Knowledge> = HashMap::new();
    for event in execution.events() {
        let Some(action) = execution.action(event) else { continue };
        let p = event.proc.0 as usize;
        now[p].insert(event.proc, event.index() + 1);
        let signals = match action.what() {
            What::Receive(id) => {
                for (proc, n) in sent.get(&id).cloned().unwrap_or_default() {
                    let known = now[p].entry(proc).or_default();
                    *known = (*known).max(n);
                }
                0..0
            }
            What::Send(k) => k..k + 1,
            What::Request(answered) => {
                if let Some(child) = answered.effect.spawned {
                    now[child.0 as usize] = now[p].clone();
                }
                answered.effect.signals.clone()
            }
            What::Exit(exited) => exited.signals.clone(),
            What::Timeout => 0..0,
        };
        for k in signals {
            sent.insert(SignalId { from: event.proc, k }, now[p].clone());
        }
        if let Some(known) = wanted.get_mut(&event) {
            *known = Some(now[p].clone());
        }
    }
}
