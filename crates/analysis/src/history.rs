//! The history of an execution as exploration sees it: deeds that others can notice, what put
//! them in order, and where nothing but chance did.
//!
//! Arrivals of messages are no events here: what matters of them is only what receives take
//! (`crate::feasible` finds the orders of arrival that fit). The arrival of an exit signal is one,
//! and so is the firing of a timer.

mod builder;

use crate::feasible::Delivery;
use crate::follow::{NamedStep, act, take};
use crate::footprint::{AccessMode, Footprint, Resource, is_about_others};
use crate::observation::{Observation, ObservationLog, ProcName, hash_of, message_name, name_of};
use reverl_causal::execution::SignalKind;
use reverl_causal::object::Object;
use reverl_causal::{ActionKind, Chain, EventRef, Execution, ProcId, SignalId, Step};
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

/// How many events of each chain happened before.
pub type Clock = Vec<u32>;

/// The entry of a clock.
pub fn at(clock: &Clock, chain: usize) -> u32 {
    clock.get(chain).copied().unwrap_or(0)
}

/// What an event was, as far as orders are concerned.
#[derive(Clone, Copy, Debug)]
pub enum EventKind {
    /// A send, a request, an exit.
    Act,
    /// A receive ended.
    Receive {
        /// The message that it took; `None` for a time-out.
        taken: Option<SignalId>,
        /// The step that it is.
        step: u64,
    },
    /// An exit signal arrives.
    Arrive(SignalId),
    /// The timer fires that the process's action of this number started.
    Fire(u32),
}

/// An event with what was known when it happened.
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// Who acts; at whom a signal arrives; whose timer fires.
    pub proc: ProcId,
    /// Each process is a chain, and so is each arrival and each timer.
    pub chain: usize,
    /// Its number in its chain, from 1.
    pub index: u32,
    /// What happened before it.
    pub clock: Clock,
    /// What directly comes before it, messages aside.
    pub after: Vec<usize>,
    /// Of those, what could as well have come after it.
    pub races: Vec<usize>,
    /// Processes that it ends.
    pub kills: Vec<ProcId>,
    /// The same for the same event of another execution, if what came before it is the same.
    pub label: u64,
}

impl Event {
    /// The process that acts; an arrival is nobody's act.
    pub fn actor(&self) -> Option<ProcId> {
        matches!(self.kind, EventKind::Act | EventKind::Receive { .. }).then_some(self.proc)
    }
}

/// How a signal gets to its receiver.
#[derive(Clone, Copy, Debug)]
pub enum Travel {
    /// A message of the program.
    Message,
    /// An exit signal, and the event of its arrival.
    Exit(Option<usize>),
    /// A message of the clock, there when the timer fires.
    Timer(usize),
    /// A link or monitor.
    Tie,
}

/// An execution as the search sees it.
#[derive(Default)]
pub struct History {
    /// The names of the processes, by their numbers.
    pub names: Vec<ProcName>,
    /// All events, in an order in which they happened.
    pub events: Vec<Event>,
    /// The receives of each process, by their events.
    pub receives: Vec<Vec<usize>>,
    /// Messages that were sent to each process, in order of sending.
    pub inbox: Vec<Vec<SignalId>>,
    /// All signals that were sent to each process.
    pub travels: Vec<Vec<(SignalId, Travel)>>,
    /// The event that sent each signal.
    pub sent_by: HashMap<SignalId, usize>,
    /// Exit signals that arrived at each process, with the event of their arrival.
    exits: Vec<Vec<(SignalId, usize)>>,
    /// The event that ended each process.
    pub end: Vec<Option<usize>>,
    /// Orders that are not explored were met.
    pub unexplored: BTreeSet<&'static str>,
    log: ObservationLog,
}

impl History {
    /// The history of this execution.
    pub fn of(execution: &Execution, delivery: Delivery) -> History {
        let mut telling = builder::HistoryBuilder::new(execution, delivery);
        for event in execution.events() {
            match event.chain() {
                Chain::Action => telling.action(event),
                Chain::Delivery => telling.delivery(event),
            }
        }
        telling.timers_for_nobody();
        telling.history
    }

    /// Whether an event is, or comes after, another.
    pub fn is_from(&self, event: usize, origin: usize) -> bool {
        let origin = &self.events[origin];
        at(&self.events[event].clock, origin.chain) >= origin.index
    }

    /// The event that put a message on its way into the mailbox of a process.
    pub fn origin(&self, to: usize, id: SignalId) -> usize {
        let arrived = self.exits[to].iter().find(|(other, _)| *other == id);
        arrived.map_or_else(|| self.sent_by[&id], |(_, arrived)| *arrived)
    }

    /// What each process took and saw.
    pub fn log(&self) -> ObservationLog {
        self.log.clone()
    }

    /// The same for executions that differ only in the order of events that do not touch each
    /// other; of those events for which `kept` holds.
    pub fn fingerprint(&self, kept: impl Fn(usize) -> bool) -> u64 {
        let kept = self.events.iter().enumerate().filter(|(i, _)| kept(*i));
        kept.fold(0, |sum, (_, event)| sum.wrapping_add(event.label))
    }

    /// How to come there.
    pub fn schedule(&self, execution: &Execution, kept: impl Fn(usize) -> bool) -> Vec<NamedStep> {
        let kept = self.events.iter().enumerate().filter(|(i, _)| kept(*i));
        kept.map(|(_, event)| {
            let name = self.names[event.proc.0 as usize];
            match event.kind {
                EventKind::Act => act(name),
                EventKind::Receive { taken, .. } => {
                    take(name, taken.map(|id| message_name(execution, id)))
                }
                EventKind::Arrive(id) => {
                    Step::Deliver { signal: message_name(execution, id), to: name }
                }
                EventKind::Fire(started_by) => Step::Fire { owner: name, started_by },
            }
        })
        .collect()
    }

    /// Exit signals that came too late, though the end of their receiver did not cause them:
    /// each with that end.
    pub fn too_late(&self) -> Vec<(SignalId, usize)> {
        let mut found = vec![];
        for (p, travels) in self.travels.iter().enumerate() {
            let Some(end) = self.end[p] else { continue };
            for (id, travel) in travels {
                if matches!(travel, Travel::Exit(None)) && !self.is_from(self.sent_by[id], end) {
                    found.push((*id, end));
                }
            }
        }
        found
    }

    /// Whether something else than which message a receive takes was left to chance.
    pub fn has_other_races(&self) -> bool {
        let raced = |e: &Event| !e.races.is_empty() || !e.kills.is_empty();
        self.events.iter().any(raced) || !self.too_late().is_empty()
    }
}

/// Whether nobody touched anything that is shared: only messages matter.
pub fn is_plain(execution: &Execution) -> bool {
    let is_private = |(object, history): (&Object, &reverl_causal::object::History)| match object {
        Object::Life(of) => history.accesses.iter().all(|a| a.event.proc == *of),
        Object::TrapExit(_) => true,
        _ => history.accesses.is_empty(),
    };
    let is_own = |a: &reverl_causal::Action| match a.what() {
        ActionKind::Request(answered) => !is_about_others(answered.nature()),
        _ => true,
    };
    execution.objects().iter().all(is_private)
        && execution.ids().all(|p| {
            let p = execution.proc(p);
            p.special_signals().all(|(_, kind)| *kind == SignalKind::Timer)
                && p.actions.iter().all(is_own)
        })
}

/// Whether an action is one that others can notice, or depends on them.
pub fn is_deed(execution: &Execution, event: EventRef, delivery: Delivery) -> bool {
    deed(execution, event, delivery).is_some()
}

/// What an action touches, if it is a deed.
fn deed(execution: &Execution, event: EventRef, delivery: Delivery) -> Option<Footprint> {
    let mut touched = Footprint::default();
    touched.of_action(execution, event, delivery);
    let is_deed = match execution.action(event)?.what() {
        ActionKind::Request(answered) => {
            let effect = &answered.effect;
            !touched.is_empty()
                || touched.unexplored.is_some()
                || touched.reads_clock
                || touched.starts_timer
                || effect.spawned.is_some()
                || !effect.signals.is_empty()
        }
        _ => true,
    };
    is_deed.then_some(touched)
}
