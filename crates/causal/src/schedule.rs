//! Who goes first when several things can happen. A schedule chooses among what is enabled; the
//! same schedule gives the same execution.

use crate::dice::Dice;
use crate::step::{Step, Until};
use crate::system::System;

/// Chooses what happens next.
pub trait Schedule {
    /// What happens next; `None` when nothing can.
    fn next(&mut self, system: &mut System) -> Option<Step>;

    /// Signals arrive at the moment they are sent, as on one BEAM node.
    fn instant_delivery(&self) -> bool {
        true
    }
}

impl<S: Schedule + ?Sized> Schedule for &mut S {
    fn next(&mut self, system: &mut System) -> Option<Step> {
        (**self).next(system)
    }

    fn instant_delivery(&self) -> bool {
        (**self).instant_delivery()
    }
}

impl<S: Schedule + ?Sized> Schedule for Box<S> {
    fn next(&mut self, system: &mut System) -> Option<Step> {
        (**self).next(system)
    }

    fn instant_delivery(&self) -> bool {
        (**self).instant_delivery()
    }
}

/// How many steps a process runs before the next one's turn: about the 4,000 function calls
/// that a BEAM scheduler gives.
pub const SLICE: u64 = 24_000;

/// Processes run and nothing arrives, in the order of their turns (000's "normalise"). Time goes on
/// only when there is nothing that could arrive.
#[derive(Default)]
pub struct AllButDeliveries;

impl Schedule for AllButDeliveries {
    fn next(&mut self, system: &mut System) -> Option<Step> {
        if let Some(end) = system.next_end_with_node() {
            return Some(end);
        }
        let Some(proc) = system.next_ready() else {
            let is_delivery = |step: &Step| matches!(step, Step::Deliver { .. });
            return system.enabled().into_iter().find(|step| !is_delivery(step));
        };
        let limit = system.running(proc).process.steps() + SLICE;
        Some(Step::Run { proc, until: Until::Steps(limit) })
    }

    fn instant_delivery(&self) -> bool {
        false
    }
}

/// Round robin with instant delivery: what a BEAM with one scheduler does.
#[derive(Default)]
pub struct RoundRobin;

impl Schedule for RoundRobin {
    fn next(&mut self, system: &mut System) -> Option<Step> {
        // What is on its way (only after another schedule) arrives first.
        let first = system.due_timer().or_else(|| system.first_in_network());
        first.or_else(|| run_for(system, SLICE)).or_else(|| system.next_timer())
    }
}

/// The process whose turn it is runs for so many steps.
fn run_for(system: &mut System, steps: u64) -> Option<Step> {
    let proc = system.next_ready()?;
    let limit = system.running(proc).process.steps().saturating_add(steps);
    Some(Step::Run { proc, until: Until::Steps(limit) })
}

/// As another schedule, but a process gives control back after each action.
pub struct ByAction<'s>(pub &'s mut dyn Schedule);

impl Schedule for ByAction<'_> {
    fn next(&mut self, system: &mut System) -> Option<Step> {
        Some(match self.0.next(system)? {
            Step::Run { proc, until } => Step::Run { proc, until: Until::Action(until.limit()) },
            other => other,
        })
    }

    fn instant_delivery(&self) -> bool {
        self.0.instant_delivery()
    }
}

/// What goes first when signals are on their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// All alike.
    None,
    /// Processes run before signals arrive.
    Processes,
    /// Signals arrive before processes run.
    Deliveries,
}

/// A random choice among all that can happen, from a seed.
pub struct Random {
    dice: Dice,
    preference: Preference,
    instant: bool,
}

impl Random {
    /// The schedule that this seed means.
    pub fn new(seed: u64, preference: Preference, instant: bool) -> Random {
        Random { dice: Dice::new(seed), preference, instant }
    }
}

impl Schedule for Random {
    fn next(&mut self, system: &mut System) -> Option<Step> {
        if let Some(first) = system.due_timer().or_else(|| system.next_to_itself()) {
            return Some(first);
        }
        let mut enabled = system.enabled();
        let is_run = |s: &Step| matches!(s, Step::Run { .. });
        match self.preference {
            Preference::Processes if enabled.iter().any(is_run) => enabled.retain(is_run),
            Preference::Deliveries if enabled.iter().any(|s| !is_run(s)) => {
                enabled.retain(|s| !is_run(s));
            }
            _ => {}
        }
        // A timer that is the only thing that can happen is not a choice.
        if !enabled.iter().any(|s| matches!(s, Step::Run { .. } | Step::Deliver { .. })) {
            return enabled.pop();
        }
        let chosen = enabled.swap_remove(self.dice.draw(enabled.len()));
        Some(match chosen {
            // A few steps at a time, so that processes interleave finely.
            Step::Run { proc, .. } => {
                let limit = system.running(proc).process.steps() + 1 + self.dice.draw(200) as u64;
                let until = match self.instant {
                    true => Until::Steps(limit),
                    // What it sends itself arrives before it goes on.
                    false => Until::Action(limit),
                };
                Step::Run { proc, until }
            }
            other => other,
        })
    }

    fn instant_delivery(&self) -> bool {
        self.instant
    }
}
