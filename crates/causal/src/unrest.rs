//! A schedule in which connections are lost and nodes end at random, from a seed; otherwise it does
//! what another schedule does.

use crate::cluster::{Disturbance, LineState};
use crate::dice::Dice;
use crate::execution::{NodeId, ProcId};
use crate::schedule::Schedule;
use crate::step::{Input, Step};
use crate::system::System;
use reverl_term::{Term, atoms};

/// How much may go wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// How many connections are cut, at most. What is cut heals, which is not counted.
    pub splits: u32,
    /// How many nodes end, at most.
    pub crashes: u32,
}

/// As another schedule, with faults at random moments.
pub struct Unrest<S> {
    calm: S,
    dice: Dice,
    left: Faults,
    /// In how many choices a fault is one.
    one_in: usize,
}

impl Faults {
    /// Whether nothing may go wrong.
    pub fn is_none(self) -> bool {
        self == Faults::default()
    }
}

impl<S: Schedule> Unrest<S> {
    /// The faults that this seed means.
    pub fn new(calm: S, seed: u64, faults: Faults, one_in: usize) -> Unrest<S> {
        Unrest { calm, dice: Dice::new(seed), left: faults, one_in }
    }

    fn fault(&mut self, system: &System) -> Option<Step> {
        if self.left.is_none() || self.dice.draw(self.one_in) != 0 {
            return None;
        }
        let nodes: Vec<NodeId> =
            system.execution().nodes().filter(|node| runs_something(system, *node)).collect();
        if nodes.len() < 2 {
            return None;
        }
        let one = nodes[self.dice.draw(nodes.len())];
        let other = nodes[self.dice.draw(nodes.len())];
        if self.left.crashes > 0 && self.dice.draw(4) == 0 {
            let process = system.execution().process_of(one)?;
            let can_end = system.can_disturb(process);
            self.left.crashes -= u32::from(can_end);
            let reason = Input::of_value(&Term::atom(atoms::KILLED));
            return can_end.then_some(Step::End { proc: process, reason });
        }
        let kind = match system.execution().line(one, other).state {
            LineState::Cut => Disturbance::Healed,
            LineState::Up if self.left.splits > 0 => {
                self.left.splits -= 1;
                if self.dice.draw(2) == 0 { Disturbance::Cut } else { Disturbance::Lost }
            }
            _ => return None,
        };
        system.disturb(kind, &[one], &[other]).pop()
    }
}

/// Whether a process of the program runs on a node: otherwise nobody there can notice anything.
fn runs_something(system: &System, node: NodeId) -> bool {
    let execution = system.execution();
    let is_own = |proc: &ProcId| {
        let p = execution.proc(*proc);
        p.node == node && !p.is_system && !system.has_exited(*proc) && !system.is_of_node(*proc)
    };
    execution.ids().any(|proc| is_own(&proc))
}

impl<S: Schedule> Schedule for Unrest<S> {
    fn next(&mut self, system: &mut System) -> Option<Step> {
        match system.next_end_with_node() {
            Some(end) => Some(end),
            None => self.fault(system).or_else(|| self.calm.next(system)),
        }
    }

    fn instant_delivery(&self) -> bool {
        self.calm.instant_delivery()
    }
}
