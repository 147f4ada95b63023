//! The history of an execution as exploration sees it: deeds that others can notice, what put
//! them in order, and where nothing but chance did.
//!
//! Arrivals of messages are no events here: what matters of them is only what receives take
//! (`crate::feasible` finds the orders of arrival that fit). The arrival of an exit signal is one,
//! and so is the firing of a timer.

mod builder;

pub use builder::merge;

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
    /// What happened before it, whatever the order of what it touches.
    pub base: Clock,
    /// What it touches, and how.
    pub(crate) touches: Vec<(Resource, AccessMode)>,
    /// Processes whose every deed is in conflict with it.
    pub(crate) bodies: Vec<ProcId>,
    /// What directly comes before it, messages aside.
    pub after: Vec<usize>,
    /// Where it is among all events of the execution; `None` if nobody was there to notice it.
    pub place: Option<usize>,
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
    /// The event since which each process traps exit signals.
    pub traps: Vec<Option<usize>>,
    /// Exit signals of processes that a process was linked to and which ended before it, if its own end
    /// would have ended them.
    pub(crate) spared: Vec<(usize, SignalId, ProcId)>,
    /// Signals that end whoever they reach, and those that end nobody.
    pub kills: Vec<SignalId>,
    pub(crate) harmless: Vec<SignalId>,
    /// Events that take a name away.
    unregisters: Vec<usize>,
    /// A name was given up that somebody else touches too.
    gives_up_names: bool,
    /// Orders that are not explored were met.
    pub unexplored: BTreeSet<&'static str>,
    /// Who touched each thing, in the order in which they happened.
    touchers: HashMap<Resource, Vec<(usize, AccessMode)>>,
    /// Who looked at all that a process is, or ended it.
    over: HashMap<ProcId, Vec<usize>>,
    log: ObservationLog,
}

impl History {
    /// The history of this execution.
    pub fn of(execution: &Execution) -> History {
        let mut telling = builder::HistoryBuilder::new(execution);
        for (place, event) in execution.events().enumerate() {
            telling.place = Some(place);
            match event.chain() {
                Chain::Action => telling.action(event),
                Chain::Delivery => telling.delivery(event),
            }
        }
        telling.place = None;
        telling.timers_for_nobody();
        telling.names_given_up();
        telling.history
    }

    /// Whether an event is, or comes after, another.
    pub fn is_from(&self, event: usize, origin: usize) -> bool {
        let origin = &self.events[origin];
        at(&self.events[event].clock, origin.chain) >= origin.index
    }

    /// The deeds of a process, in order.
    pub fn deeds(&self, proc: ProcId) -> impl Iterator<Item = usize> + '_ {
        let chain = proc.0 as usize;
        (0..self.events.len()).filter(move |i| self.events[*i].chain == chain)
    }

    /// Whether exit signals could end processes or be received, or names change hands: what comes before
    /// what then depends on more than two events at a time.
    pub fn is_involved(&self) -> bool {
        let is_harmless = |id: &SignalId| self.harmless.contains(id);
        let exits = self.travels.iter().enumerate().any(|(p, travels)| {
            let is_exit = |travel: &Travel| matches!(travel, Travel::Exit(_));
            travels.iter().any(|(id, travel)| {
                is_exit(travel) && (!is_harmless(id) || self.traps[p].is_some())
            })
        });
        exits || self.gives_up_names || !self.spared.is_empty()
    }

    /// Whether exit signals were sent.
    pub fn has_exits(&self) -> bool {
        self.travels.iter().flatten().any(|(_, travel)| matches!(travel, Travel::Exit(_)))
    }

    /// Whether an event is the arrival of an exit signal that ends nobody and was not received.
    pub fn is_unheard(&self, event: usize) -> bool {
        let e = &self.events[event];
        let EventKind::Arrive(id) = e.kind else { return false };
        let p = e.proc.0 as usize;
        let takes_it = |r: &usize| {
            matches!(self.events[*r].kind,
            EventKind::Receive { taken: Some(taken), .. } if taken == id)
        };
        self.harmless.contains(&id) && !self.receives[p].iter().any(takes_it)
    }

    /// Exit signals that arrived at a process, with the event of their arrival.
    pub fn exits_of(&self, proc: ProcId) -> impl Iterator<Item = (SignalId, usize)> + '_ {
        self.exits[proc.0 as usize].iter().copied()
    }

    /// Earlier events that an event is in conflict with, and that could as well come after it.
    pub fn rivals(&self, event: usize) -> Vec<usize> {
        let c = &self.events[event];
        let mut found = vec![];
        for (thing, mode) in &c.touches {
            let touchers = self.touchers.get(thing).into_iter().flatten();
            found.extend(touchers.filter(|(_, how)| how.conflicts(*mode)).map(|(e, _)| *e));
        }
        for body in &c.bodies {
            found.extend(self.deeds(*body));
            found.extend(self.over.get(body).into_iter().flatten());
        }
        if c.chain == c.proc.0 as usize {
            found.extend(self.over.get(&c.proc).into_iter().flatten());
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|e| {
            let other = &self.events[*e];
            *e < event && other.chain != c.chain && at(&c.base, other.chain) < other.index
        });
        found
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
pub fn is_deed(execution: &Execution, event: EventRef) -> bool {
    deed(execution, event).is_some()
}

/// What an action touches, if it is a deed.
fn deed(execution: &Execution, event: EventRef) -> Option<Footprint> {
    let mut touched = Footprint::default();
    touched.of_action(execution, event);
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
