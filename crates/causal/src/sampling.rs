//! Random schedules that are better than a uniform choice at finding what only few orders show.
//!
//! `Priorities` is PCT (Burckhardt et al., ASPLOS 2010) for messages: processes and the queues between
//! them have random priorities, and the first that can go on always does; at `depth - 1` random
//! moments whoever goes on falls behind all others. If a failure needs `depth` things to come in a
//! certain order, one run of n agents and k choices shows it with a probability of at least
//! 1 / (n * k^(depth - 1)). `PartialOrder` is partial-order sampling (Yuan et al., CAV 2018): what can
//! happen has a random priority, drawn anew whenever something happens that it competes with, so that
//! orders nobody can tell apart are not drawn again and again.

use crate::dice::Dice;
use crate::execution::{ActionKind, ProcId, SignalId};
use crate::schedule::{SLICE, Schedule};
use crate::step::{Step, Until};
use crate::system::System;
use std::collections::HashMap;

/// What all samplers are told.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// Signals arrive at the moment they are sent.
    pub instant: bool,
    /// A timer that comes in fewer milliseconds may come before what else can happen.
    pub early: u64,
}

/// Who can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Agent {
    Process(ProcId),
    Queue { from: ProcId, to: ProcId },
    Clock,
}

impl Agent {
    fn of(step: &Step) -> Agent {
        match step {
            Step::Run { proc, .. } => Agent::Process(*proc),
            Step::Deliver { signal, to } => Agent::Queue { from: signal.from, to: *to },
            _ => Agent::Clock,
        }
    }
}

/// All that a sampler chooses among: one action of a process, an arrival, the next timer.
fn choices(system: &System, arrival: Arrival) -> Vec<Step> {
    let mut choices = system.enabled();
    let has_clock = choices.iter().any(|step| Agent::of(step) == Agent::Clock);
    let is_near = system.next_timer_in().is_some_and(|ms| ms < arrival.early);
    if !has_clock && is_near {
        choices.extend(system.next_timer());
    }
    for step in &mut choices {
        if let Step::Run { proc, until } = step {
            *until = Until::Action(system.running(*proc).process.steps() + SLICE);
        }
    }
    choices
}

/// Priorities with few changes.
pub struct Priorities {
    dice: Dice,
    arrival: Arrival,
    ranks: HashMap<Agent, u64>,
    /// The numbers of the choices at which whoever goes on falls behind, the last first.
    changes: Vec<u64>,
    /// How many choices there were.
    choices: u64,
}

impl Priorities {
    /// For failures of this depth, in runs of about so many choices.
    pub fn new(seed: u64, depth: u32, length: u64, arrival: Arrival) -> Priorities {
        let mut dice = Dice::new(seed);
        let mut change = || 1 + dice.draw(length.max(1) as usize) as u64;
        let mut changes: Vec<u64> = (1..depth).map(|_| change()).collect();
        changes.sort_unstable_by(|a, b| b.cmp(a));
        Priorities { dice, arrival, ranks: HashMap::new(), changes, choices: 0 }
    }

    /// How many agents there were, and how many choices among them.
    pub fn size(&self) -> (u64, u64) {
        (self.ranks.len() as u64, self.choices)
    }

    fn rank(&mut self, agent: Agent) -> u64 {
        let Priorities { dice, ranks, .. } = self;
        // Above all that have fallen behind.
        *ranks.entry(agent).or_insert_with(|| dice.next() | 1 << 63)
    }

    fn first(&mut self, steps: &[Step]) -> usize {
        let ranks = steps.iter().map(|step| self.rank(Agent::of(step)));
        let ranks: Vec<u64> = ranks.collect();
        (0..ranks.len()).max_by_key(|i| ranks[*i]).unwrap_or(0)
    }
}

impl Schedule for Priorities {
    fn next(&mut self, system: &mut System) -> Option<Step> {
        if let Some(first) = system.due_timer().or_else(|| system.next_to_itself()) {
            return Some(first);
        }
        let mut steps = choices(system, self.arrival);
        if steps.is_empty() {
            return None;
        }
        self.choices += 1;
        let mut first = self.first(&steps);
        while self.changes.last().is_some_and(|at| *at <= self.choices) {
            self.changes.pop();
            let behind = self.changes.len() as u64;
            self.ranks.insert(Agent::of(&steps[first]), behind);
            first = self.first(&steps);
        }
        Some(steps.swap_remove(first))
    }

    fn instant_delivery(&self) -> bool {
        self.arrival.instant
    }
}

/// Something that can happen, as long as it has not happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Pending {
    /// The next action of a process, which is its so-many-th.
    Action(ProcId, usize),
    Arrival(SignalId, ProcId),
    Clock,
}

impl Pending {
    fn of(system: &System, step: &Step) -> Pending {
        match step {
            Step::Run { proc, .. } => {
                Pending::Action(*proc, system.execution().proc(*proc).actions.len())
            }
            Step::Deliver { signal, to } => Pending::Arrival(*signal, *to),
            _ => Pending::Clock,
        }
    }

    /// Whether it matters which of the two comes first, for all that is known before they happen.
    fn competes(self, other: Pending, system: &System) -> bool {
        match (self, other) {
            (Pending::Arrival(_, to), Pending::Arrival(_, other)) => to == other,
            (Pending::Action(proc, n), Pending::Action(..)) => is_shared(system, proc, n),
            (Pending::Action(proc, _), Pending::Arrival(_, to))
            | (Pending::Arrival(_, to), Pending::Action(proc, _)) => proc == to,
            _ => false,
        }
    }
}

/// Whether an action that has happened asked for something that others may change.
fn is_shared(system: &System, proc: ProcId, action: usize) -> bool {
    let action = system.execution().proc(proc).actions.get(action);
    action.is_some_and(|action| matches!(action.what(), ActionKind::Request(_)))
}

/// A priority for everything that can happen.
pub struct PartialOrder {
    dice: Dice,
    arrival: Arrival,
    ranks: HashMap<Pending, u64>,
    last: Option<Pending>,
}

impl PartialOrder {
    /// The schedule that this seed means.
    pub fn new(seed: u64, arrival: Arrival) -> PartialOrder {
        PartialOrder { dice: Dice::new(seed), arrival, ranks: HashMap::new(), last: None }
    }

    /// What competes with the last thing that happened is drawn anew.
    fn draw_anew(&mut self, system: &System) {
        let Some(last) = self.last.take() else { return };
        self.ranks.remove(&last);
        self.ranks.retain(|pending, _| !last.competes(*pending, system));
    }
}

impl Schedule for PartialOrder {
    fn next(&mut self, system: &mut System) -> Option<Step> {
        if let Some(first) = system.due_timer().or_else(|| system.next_to_itself()) {
            return Some(first);
        }
        self.draw_anew(system);
        let mut steps = choices(system, self.arrival);
        let pending: Vec<Pending> = steps.iter().map(|step| Pending::of(system, step)).collect();
        let PartialOrder { dice, ranks, .. } = self;
        let rank = |pending: &Pending| *ranks.entry(*pending).or_insert_with(|| dice.next());
        let drawn: Vec<u64> = pending.iter().map(rank).collect();
        let first = (0..drawn.len()).max_by_key(|i| drawn[*i])?;
        self.last = Some(pending[first]);
        Some(steps.swap_remove(first))
    }

    fn instant_delivery(&self) -> bool {
        self.arrival.instant
    }
}
