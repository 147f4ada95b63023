//! Message races: for each receive, the other messages that it could have taken (paper 004,
//! Def. 5, with the receive in place of the delivery: what is sent after a message was delivered
//! but before it was looked at can still come first).

use reverl_causal::{ActionKind, Chain, EventRef, Execution, ProcId, SignalId, System, fold};

/// A message that raced with the one that was received.
pub struct Racing {
    pub message: SignalId,
    /// It matches the receive; if not, the race is only potential.
    pub is_actual: bool,
}

pub struct Race {
    pub receive: EventRef,
    pub taken: SignalId,
    /// In order of arrival; what never arrived comes last.
    pub racing: Vec<Racing>,
}

/// A message to the process in question.
struct Sent {
    id: SignalId,
    /// How many receives of the process came before it was sent.
    after: u32,
}

/// A receive of the process in question that took a message.
pub struct Taken {
    pub event: EventRef,
    pub signal: SignalId,
    step: u64,
    /// It is the process's n-th receive, from 1; time-outs count.
    nth: u32,
}

/// What was sent to a process, and what it took.
///
/// One pass over the execution is enough: of the clock of each event only the entry of the
/// process in question is kept, so the cost does not grow with the number of processes.
#[derive(Default)]
pub struct Inbox {
    sent: Vec<Sent>,
    pub taken: Vec<Taken>,
}

impl Inbox {
    pub fn of(execution: &Execution, proc: ProcId) -> Inbox {
        let mut inbox = Inbox::default();
        let latest = |known: &mut u32, other: &u32| *known = (*known).max(*other);
        let events = execution.events();
        let mut nth = 0;
        fold::carry(execution, events, fold::tells, latest, |event, known: &mut u32| {
            if event.proc == proc && event.chain() == Chain::Action {
                nth += u32::from(inbox.take(execution, event, nth + 1));
                *known = nth;
            }
            let to_it = |id: &SignalId| execution.signal(*id).to() == Some(proc);
            let messages = execution.signals_of(event).filter(to_it);
            let messages = messages.filter(|id| is_message(execution, *id));
            inbox.sent.extend(messages.map(|id| Sent { id, after: *known }));
        });
        // By arrival; what never arrived comes last.
        inbox.sent.sort_by_key(|s| arrival(execution, s.id));
        inbox
    }

    /// Whether an action is a receive or its time-out; if it took something, that is kept.
    fn take(&mut self, execution: &Execution, event: EventRef, nth: u32) -> bool {
        let Some(action) = execution.action(event) else { return false };
        match action.what() {
            ActionKind::Receive(signal) => {
                self.taken.push(Taken { event, signal, step: action.step, nth });
                true
            }
            ActionKind::Timeout => true,
            _ => false,
        }
    }

    /// The messages that race with the one that was taken: they arrived later or never, and were
    /// not sent because of this receive.
    pub fn racing<'a>(
        &'a self,
        execution: &'a Execution,
        taken: &Taken,
    ) -> impl Iterator<Item = SignalId> + 'a {
        let (own, nth) = (arrival(execution, taken.signal), taken.nth);
        let later = self.sent.partition_point(|s| arrival(execution, s.id) <= own);
        self.sent[later..].iter().filter(move |s| s.after < nth).map(|s| s.id)
    }
}

/// The race of a receive with these messages.
pub fn race(system: &System, taken: &Taken, others: Vec<SignalId>) -> Race {
    let matches = system.matches_at(taken.event.proc, taken.step - 1, &others);
    let racing = others.into_iter().zip(matches);
    let racing = racing.map(|(message, is_actual)| Racing { message, is_actual }).collect();
    Race { receive: taken.event, taken: taken.signal, racing }
}

/// The race set of every receive of the execution that has one.
pub fn races(system: &System) -> Vec<Race> {
    let mut found = vec![];
    for proc in system.execution().ids() {
        let inbox = Inbox::of(system.execution(), proc);
        for taken in &inbox.taken {
            let others: Vec<SignalId> = inbox.racing(system.execution(), taken).collect();
            if !others.is_empty() {
                found.push(race(system, taken, others));
            }
        }
    }
    found
}

fn arrival(execution: &Execution, id: SignalId) -> u32 {
    execution.signal(id).delivery().unwrap_or(u32::MAX)
}

/// Whether a signal became a message in a mailbox, or would have.
fn is_message(execution: &Execution, id: SignalId) -> bool {
    let signal = execution.signal(id);
    match (signal.to(), signal.delivery()) {
        (Some(to), Some(i)) => execution.proc(to).deliveries[i as usize].in_mailbox(),
        _ => execution.kind(id).is_message(),
    }
}
