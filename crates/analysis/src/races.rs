//! Message races: for each receive, the other messages that it could have taken (paper 004,
//! Def. 5, with the receive in place of the delivery: what is sent after a message was delivered
//! but before it was looked at can still come first).

mod feasibility;

use feasibility::Feasibility;
use reverl_causal::execution::SignalKind;
use reverl_causal::{ActionKind, Chain, EventRef, Execution, ProcId, SignalId, System, fold};
use std::collections::HashMap;
use std::ops::Range;

/// A message that raced with the one that was received.
pub struct Racing {
    /// The message that could have been taken.
    pub message: SignalId,
    /// The receive can take it, everything else being as it was; if it does not match, the race is
    /// only potential.
    pub is_actual: bool,
}

/// A receive, and what could have been received there instead.
pub struct Race {
    /// The receive.
    pub receive: EventRef,
    /// The message that it took.
    pub taken: SignalId,
    /// In order of arrival; what never arrived comes last.
    pub racing: Vec<Racing>,
}

/// A message to the process in question.
struct Sent {
    id: SignalId,
    /// How many receives of the process came before it was sent.
    after: u32,
    /// How many messages of the process to itself did.
    after_own: u32,
    /// The number of the receive that took it; `NEVER` if none did.
    taken_by: u32,
    /// The next message of its sender, by its place in `Inbox::sent`.
    next: Option<u32>,
    /// The first receive that took a later message of its sender.
    passed_by: u32,
}

const NEVER: u32 = u32::MAX;

impl Sent {
    fn new(id: SignalId, known: Known) -> Sent {
        let Known { receives, own } = known;
        Sent { id, after: receives, after_own: own, taken_by: NEVER, next: None, passed_by: NEVER }
    }
}

/// What an event knows of the process in question.
#[derive(Clone, Copy, Default)]
struct Known {
    receives: u32,
    /// Messages of the process to itself.
    own: u32,
}

/// A receive of the process in question.
pub struct Receive {
    /// The receive.
    pub event: EventRef,
    /// `None` if it timed out.
    pub taken: Option<SignalId>,
    /// The step in which it took it.
    pub step: u64,
    /// It is the process's n-th receive, from 1.
    nth: u32,
}

/// What was sent to a process, and what it took.
///
/// One pass over the execution is enough: of the clock of each event only the entry of the
/// process in question is kept, so the cost does not grow with the number of processes.
#[derive(Default)]
pub struct Inbox {
    sent: Vec<Sent>,
    /// All that it received.
    pub receives: Vec<Receive>,
}

impl Inbox {
    /// The inbox of a process.
    pub fn of(execution: &Execution, traffic: &Traffic, proc: ProcId) -> Inbox {
        let mut inbox = Inbox::default();
        let latest = |known: &mut Known, other: &Known| {
            known.receives = known.receives.max(other.receives);
            known.own = known.own.max(other.own);
        };
        let mut own = 0;
        // What happened before the process was there knows of none of its receives.
        let events = traffic.span(execution, proc).filter_map(|place| execution.event(place));
        fold::carry(execution, events, fold::tells, latest, |event, known: &mut Known| {
            if event.proc == proc && event.chain() == Chain::Action {
                inbox.receive(execution, event);
                known.receives = inbox.receives.len() as u32;
            }
            let to_it = |id: &SignalId| execution.signal(*id).to() == Some(proc);
            let messages = execution.signals_of(event).filter(to_it);
            for id in messages.filter(|id| is_message(execution, *id)) {
                inbox.sent.push(Sent::new(id, *known));
                // It is there at once, so whoever knows of it comes later.
                own += u32::from(execution.stream(id) == (proc, None));
                known.own = if event.proc == proc { own } else { known.own };
            }
        });
        // By arrival; what never arrived comes last.
        inbox.sent.sort_by_key(|s| arrival(execution, s.id));
        inbox.join_senders(execution);
        inbox
    }

    /// Finds for each message what became of it and of those that its sender sent later.
    fn join_senders(&mut self, execution: &Execution) {
        let mut last_of = HashMap::new();
        let mut by_number: Vec<u32> = (0..self.sent.len() as u32).collect();
        by_number.sort_by_key(|i| std::cmp::Reverse(self.sent[*i as usize].id.k));
        for i in by_number {
            let id = self.sent[i as usize].id;
            let next = last_of.insert(execution.stream(id), i);
            let later = next.map(|n| &self.sent[n as usize]);
            let passed_by = later.map_or(NEVER, |later| later.passed_by.min(later.taken_by));
            let action = execution.signal(id).receive();
            let find = |action| self.receives.binary_search_by_key(&action, |r| r.event.index());
            let taken_by = action.and_then(|action| find(action).ok()).map(|r| r as u32 + 1);
            let sent = &mut self.sent[i as usize];
            (sent.next, sent.passed_by) = (next, passed_by);
            sent.taken_by = taken_by.unwrap_or(NEVER);
        }
    }

    fn receive(&mut self, execution: &Execution, event: EventRef) {
        let Some(action) = execution.action(event) else { return };
        let taken = match action.what() {
            ActionKind::Receive(signal) => Some(signal),
            ActionKind::Timeout => None,
            _ => return,
        };
        let nth = self.receives.len() as u32 + 1;
        self.receives.push(Receive { event, taken, step: action.step, nth });
    }

    /// The messages that race with the one that was taken: they have another sender, arrived later
    /// or never, were not taken before and not sent because of this receive.
    pub fn racing<'a>(
        &'a self,
        execution: &'a Execution,
        receive: &Receive,
    ) -> impl Iterator<Item = SignalId> + 'a {
        let own = receive.taken.map_or(u32::MAX, |taken| arrival(execution, taken));
        let later = self.sent.partition_point(|s| arrival(execution, s.id) <= own);
        let nth = receive.nth;
        let stream = receive.taken.map(|taken| execution.stream(taken));
        let is_other = move |id: SignalId| Some(execution.stream(id)) != stream;
        let races = move |s: &&Sent| s.after < nth && s.taken_by > nth && is_other(s.id);
        self.sent[later..].iter().filter(races).map(|s| s.id)
    }

    /// The messages that came after a receive had timed out, or never, and not because of it.
    pub fn late(&self, execution: &Execution, receive: &Receive) -> Vec<SignalId> {
        let deliveries = &execution.proc(receive.event.proc).deliveries;
        let is_late = |s: &&Sent| {
            let arrived = execution.signal(s.id).delivery().map(|i| deliveries[i as usize]);
            s.after < receive.nth
                && arrived.is_none_or(|d| d.after_actions() > receive.event.index())
        };
        self.sent.iter().filter(is_late).map(|s| s.id).collect()
    }

    /// Whether a receive can take this message instead, everything else being as it was.
    pub fn can_take(&self, system: &System, receive: EventRef, message: SignalId) -> bool {
        let Some(receive) = self.receives.iter().find(|r| r.event == receive) else { return false };
        let others = self.racing(system.execution(), receive).collect();
        let race = self.race(system, receive, others);
        let mut racing = race.iter().flat_map(|race| &race.racing);
        racing.any(|racing| racing.message == message && racing.is_actual)
    }

    /// The race of a receive with these messages, the first ones of `racing`. Those that match and
    /// cannot come first are left out.
    pub fn race(&self, system: &System, receive: &Receive, others: Vec<SignalId>) -> Option<Race> {
        let taken = receive.taken?;
        let matches = system.matches_at(receive.event.proc, receive.step - 1, &others);
        let fits = others.iter().zip(&matches).filter(|(_, fits)| **fits).map(|(id, _)| *id);
        let rivals: Vec<SignalId> = std::iter::once(taken).chain(fits).collect();
        let feasibility = Feasibility::new(system, self, receive, &rivals);
        let racing = others.into_iter().zip(matches).filter_map(|(message, fits)| {
            let is_actual = fits && feasibility.can_take(message);
            (is_actual || !fits).then_some(Racing { message, is_actual })
        });
        let racing: Vec<Racing> = racing.collect();
        let race = Race { receive: receive.event, taken, racing };
        (!race.racing.is_empty()).then_some(race)
    }
}

/// Who was sent messages, in how many streams, and until when.
pub struct Traffic {
    receivers: HashMap<ProcId, Receiver>,
}

struct Receiver {
    /// One of the streams that come to it.
    stream: (ProcId, Option<u32>),
    has_several: bool,
    /// The place of the last event that sent it something.
    last: u32,
}

impl Traffic {
    /// The traffic of an execution.
    pub fn of(execution: &Execution) -> Traffic {
        let mut receivers: HashMap<ProcId, Receiver> = HashMap::new();
        for from in execution.ids() {
            for (signal, k) in execution.proc(from).signals.iter().zip(0..) {
                let id = SignalId { from, k };
                let to = signal.to().filter(|_| is_message(execution, id));
                let Some(to) = to else { continue };
                let stream = execution.stream(id);
                let sent = EventRef::action(from, signal.sent_by() as usize);
                let new = Receiver { stream, has_several: false, last: 0 };
                let receiver = receivers.entry(to).or_insert(new);
                receiver.has_several |= receiver.stream != stream;
                receiver.last = receiver.last.max(execution.order_of(sent));
            }
        }
        Traffic { receivers }
    }

    /// Whether several streams of messages come to the process: no other can have a race.
    pub fn is_contested(&self, proc: ProcId) -> bool {
        self.receivers.get(&proc).is_some_and(|receiver| receiver.has_several)
    }

    /// The places of all events from the process's beginning to its last one and the last that
    /// sent it a message.
    fn span(&self, execution: &Execution, proc: ProcId) -> Range<usize> {
        let p = execution.proc(proc);
        let spawned = p.parent.map(|(parent, k)| EventRef::action(parent, k as usize));
        let first = spawned.map_or(0, |event| execution.order_of(event));
        let last_sent = self.receivers.get(&proc).map_or(0, |receiver| receiver.last);
        let last = p.actions.last().map_or(0, |action| action.order).max(last_sent);
        first as usize..last as usize + 1
    }
}

/// Tells the race set of every receive of the execution that has one.
pub fn races(system: &System, tell: &mut dyn FnMut(Race)) {
    let execution = system.execution();
    let traffic = Traffic::of(execution);
    for proc in execution.ids().filter(|proc| traffic.is_contested(*proc)) {
        let inbox = Inbox::of(execution, &traffic, proc);
        for receive in &inbox.receives {
            let others: Vec<SignalId> = inbox.racing(execution, receive).collect();
            inbox.race(system, receive, others).into_iter().for_each(&mut *tell);
        }
    }
}

fn arrival(execution: &Execution, id: SignalId) -> u32 {
    execution.signal(id).delivery().unwrap_or(u32::MAX)
}

/// Whether a signal became a message in a mailbox, or would have.
fn is_message(execution: &Execution, id: SignalId) -> bool {
    let signal = execution.signal(id);
    match (signal.to(), signal.delivery()) {
        (Some(to), Some(i)) => execution.proc(to).deliveries[i as usize].in_mailbox(),
        (Some(_), None) if *execution.kind(id) == SignalKind::Timer => true,
        _ => execution.kind(id).is_message(),
    }
}
