//! All nondeterminism passes through here: which process runs, which signal arrives, which
//! timer fires. A schedule is plain data; the same schedule gives the same execution.

use crate::execution::ProcId;
use crate::system::System;

/// One thing that can happen now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// The process runs, up to so many steps.
    Run { proc: ProcId, steps: u64 },
    /// The oldest signal from one process to another arrives.
    Deliver { from: ProcId, to: ProcId },
    /// Nothing else can happen, or it is due: the earliest timer fires.
    Fire,
}

pub trait Schedule {
    /// What happens next; `None` when nothing can.
    fn next(&mut self, system: &mut System) -> Option<Choice>;

    /// Signals arrive at the moment they are sent, as on one BEAM node.
    fn instant_delivery(&self) -> bool {
        true
    }
}

/// How many steps a process runs before the next one's turn: about the 4,000 function calls
/// that a BEAM scheduler gives.
pub const SLICE: u64 = 24_000;

/// Round robin with instant delivery: what a BEAM with one scheduler does.
#[derive(Default)]
pub struct RoundRobin;

impl Schedule for RoundRobin {
    fn next(&mut self, system: &mut System) -> Option<Choice> {
        if system.timer_is_due() {
            return Some(Choice::Fire);
        }
        // Only after another schedule: what is on its way arrives first.
        if let Some((from, to)) = system.first_in_network() {
            return Some(Choice::Deliver { from, to });
        }
        match system.next_ready() {
            Some(proc) => Some(Choice::Run { proc, steps: SLICE }),
            None => system.has_timers().then_some(Choice::Fire),
        }
    }
}

/// What goes first when signals are on their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    None,
    Processes,
    Deliveries,
}

/// A random choice among all that can happen, from a seed.
pub struct Random {
    state: u64,
    preference: Preference,
    instant: bool,
}

impl Random {
    pub fn new(seed: u64, preference: Preference, instant: bool) -> Random {
        // Spread the seed: small ones must not give related schedules.
        let state = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        Random { state, preference, instant }
    }

    /// xorshift64*
    fn draw(&mut self, n: usize) -> usize {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        (self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }
}

impl Schedule for Random {
    fn next(&mut self, system: &mut System) -> Option<Choice> {
        if system.timer_is_due() {
            return Some(Choice::Fire);
        }
        let mut enabled = system.enabled();
        let is_run = |c: &Choice| matches!(c, Choice::Run { .. });
        match self.preference {
            Preference::Processes if enabled.iter().any(is_run) => enabled.retain(is_run),
            Preference::Deliveries if enabled.iter().any(|c| !is_run(c)) => {
                enabled.retain(|c| !is_run(c));
            }
            _ => {}
        }
        if enabled.is_empty() {
            return system.has_timers().then_some(Choice::Fire);
        }
        let chosen = enabled[self.draw(enabled.len())];
        Some(match chosen {
            // A few steps at a time, so that processes interleave finely.
            Choice::Run { proc, .. } => Choice::Run { proc, steps: 1 + self.draw(200) as u64 },
            other => other,
        })
    }

    fn instant_delivery(&self) -> bool {
        self.instant
    }
}
