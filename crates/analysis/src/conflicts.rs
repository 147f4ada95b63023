//! Races that are not between two messages: a time-out and a message, an exit signal and the steps
//! of the process that it ends, two accesses of a name, a table or another shared thing.

use crate::races::{Inbox, Traffic};
use reverl_causal::object::Object;
use reverl_causal::{
    Action, ActionKind, Edge, EventRef, Execution, ProcId, SignalId, System, fold,
};

/// Two things that could have happened in another order, besides messages that race.
pub enum Conflict {
    /// The receive timed out; this message would have been taken if it had come earlier.
    LateMessage {
        /// The receive that ended without a message.
        timeout: EventRef,
        /// The message that it could have taken.
        message: SignalId,
    },
    /// The receive took a message; it could have timed out before that came.
    CouldTimeOut {
        /// The receive that took a message.
        receive: EventRef,
    },
    /// An exit signal ended the process, which could have got further or less far.
    Killed {
        /// The end of the process.
        exit: EventRef,
        /// The exit signal that ended it.
        signal: SignalId,
    },
    /// Two processes accessed one thing, nothing but chance decided in what order.
    Access {
        /// What both touch.
        object: Object,
        /// The one that came first.
        first: EventRef,
        /// The other one.
        second: EventRef,
    },
}

/// Every conflict of an execution.
pub fn conflicts(system: &System) -> Vec<Conflict> {
    let mut found = vec![];
    let traffic = Traffic::of(system.execution());
    for proc in system.execution().ids() {
        timeouts(system, &traffic, proc, &mut found);
    }
    for proc in system.execution().ids() {
        let p = system.execution().proc(proc);
        if let Some(by) = p.exit().and_then(|e| e.killing_signal()) {
            let exit = EventRef::action(proc, p.actions.len() - 1);
            let signal = p.deliveries[by as usize].signal;
            found.push(Conflict::Killed { exit, signal });
        }
    }
    accesses(system.execution(), &mut found);
    found
}

fn timeouts(system: &System, traffic: &Traffic, proc: ProcId, found: &mut Vec<Conflict>) {
    let actions = &system.execution().proc(proc).actions;
    let mut timed_out = false;
    for (i, action) in actions.iter().enumerate() {
        match action.what() {
            ActionKind::Receive(_) if could_time_out(system, proc, action) => {
                found.push(Conflict::CouldTimeOut { receive: EventRef::action(proc, i) });
            }
            ActionKind::Timeout => timed_out = true,
            _ => {}
        }
    }
    if timed_out {
        late_messages(system, &Inbox::of(system.execution(), traffic, proc), found);
    }
}

/// Whether a receive has an `after`, and its time is not `infinity`.
fn could_time_out(system: &System, proc: ProcId, receive: &Action) -> bool {
    let has_after = system.program().code.has_after(receive.pc);
    has_after && system.timeout_at(proc, receive.step - 1).is_some()
}

/// The messages that receives which timed out would have taken.
fn late_messages(system: &System, inbox: &Inbox, found: &mut Vec<Conflict>) {
    for receive in inbox.receives.iter().filter(|receive| receive.taken.is_none()) {
        let (timeout, late) = (receive.event, inbox.late(system.execution(), receive));
        let fits = system.matches_at(timeout.proc, receive.step - 1, &late);
        let fitting = late.into_iter().zip(fits).filter(|(_, fits)| *fits);
        found.extend(fitting.map(|(message, _)| Conflict::LateMessage { timeout, message }));
    }
}

/// Neighbouring accesses of a shared thing by two processes that do not commute and that nothing
/// else puts in order.
fn accesses(execution: &Execution, found: &mut Vec<Conflict>) {
    let shared = |object: &Object| !matches!(object, Object::Life(_) | Object::TrapExit(_));
    let mut pairs = vec![];
    for (object, history) in execution.objects().iter().filter(|(object, _)| shared(object)) {
        for two in history.accesses.windows(2) {
            if two[0].event.proc != two[1].event.proc && !two[0].mode.commutes(two[1].mode) {
                pairs.push((*object, two[0].event, two[1].event));
            }
        }
    }
    pairs.sort_by_key(|(_, first, _)| execution.order_of(*first));
    for (object, first, second) in pairs {
        if !knows_of(execution, second, first) {
            found.push(Conflict::Access { object, first, second });
        }
    }
}

/// Whether an event comes from an earlier one, not through shared things.
fn knows_of(execution: &Execution, event: EventRef, earlier: EventRef) -> bool {
    let places = execution.order_of(earlier) as usize..=execution.order_of(event) as usize;
    let between = places.filter_map(|place| execution.event(place));
    let follows = |edge: Edge| !matches!(edge, Edge::Object | Edge::Look) && fold::tells(edge);
    let either = |known: &mut bool, other: &bool| *known |= *other;
    let mut found = false;
    fold::carry(execution, between, follows, either, |at, known: &mut bool| {
        *known |= at == earlier;
        found = *known;
    });
    found
}
