//! Random executions instead of all: by which schedule, what that promises, and how much of what
//! raced was seen in both orders.

use super::{Checks, FailureRules, Findings, Keeper, SearchError};
use reverl_analysis::explore::{Summary, Visit};
use reverl_analysis::feasible::Delivery;
use reverl_analysis::history::History;
use reverl_causal::sampling::{Arrival, PartialOrder, Priorities};
use reverl_causal::schedule::{Preference, Random, RoundRobin, Schedule};
use reverl_causal::unrest::{Faults, Unrest};
use reverl_causal::{Execution, ProcId, SignalId, System};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use ts_rs::TS;

/// How executions are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// Any step that is possible, all alike.
    Uniform,
    /// Priorities with few changes, for failures of this depth.
    Priorities { depth: u32 },
    /// A priority for everything that can happen.
    PartialOrder,
}

/// Random executions instead of all.
pub struct Walks {
    pub count: u64,
    pub seed: u64,
    /// Steps after which one is cut off.
    pub steps: u64,
    pub delivery: Delivery,
    pub rules: FailureRules,
    pub sampling: Sampling,
    /// Timers that come in fewer milliseconds may come early.
    pub early: u64,
    /// What may go wrong with nodes and their connections.
    pub faults: Faults,
}

/// How often a fault is tried in a walk; not every try is one.
const TRIES: usize = 8;

/// What was drawn, and what that promises.
#[derive(Clone, Debug, Default, Serialize, TS)]
pub struct Sampled {
    pub walks: u64,
    /// With how many priorities at the most, and choices among them; 0 for other schedules.
    pub agents: u64,
    pub choices: u64,
    /// The probability that one walk shows a failure of the depth that was asked for, at the least.
    pub bound: Option<f64>,
    /// Pairs of messages that arrived one after the other and need not have.
    pub pairs: usize,
    /// Those that were seen in both orders.
    pub both_orders: usize,
}

impl Sampled {
    /// The probability that such a failure was shown by one of all walks.
    pub fn total(&self) -> Option<f64> {
        self.bound.map(|one| 1.0 - (1.0 - one).powf(self.walks as f64))
    }
}

impl Walks {
    /// Walks, each with a seed of its own; executions that were seen before do not count.
    pub fn walk(
        &self,
        system: &System,
        checks: &Checks,
        keeper: &mut dyn Keeper,
        goes_on: &dyn Fn(&Findings) -> bool,
    ) -> Result<(Findings, Summary, Sampled), SearchError> {
        let mut findings = Findings::by(self.rules.clone());
        let mut summary = Summary::default();
        let mut sampled = Sampled::default();
        let mut orders = Orders::default();
        let mut seen = HashSet::new();
        let length = self.length(system);
        let one_in = self.rarity(system);
        for number in 0..self.count {
            let mut run = system.beginning();
            let seed = self.seed.wrapping_add(number);
            self.draw(&mut run, seed, length, one_in, &mut sampled);
            sampled.walks += 1;
            let is_cut_off = run.execution().steps() >= self.steps;
            if seen.insert(History::of(run.execution()).log().fingerprint()) {
                orders.note(run.execution());
                summary.executions += 1;
                summary.cut_off += u64::from(is_cut_off);
                let visit = Visit { system: &mut run, is_cut_off, number };
                let known = findings.kinds();
                findings.judge(visit, self.delivery, checks, keeper)?;
                let new = findings.groups_mut()[known..].iter_mut();
                new.for_each(|group| group.seed = Some(seed));
            }
            if !goes_on(&findings) {
                break;
            }
        }
        (sampled.pairs, sampled.both_orders) = orders.count();
        if let Sampling::Priorities { depth } = self.sampling {
            let chances = sampled.choices.max(length).max(1) as f64;
            sampled.bound =
                Some(1.0 / (sampled.agents.max(1) as f64 * chances.powi(depth as i32 - 1)));
        }
        Ok((findings, summary, sampled))
    }

    /// One execution by the schedule that a seed means.
    fn draw(&self, run: &mut System, seed: u64, length: u64, one_in: usize, sampled: &mut Sampled) {
        let instant = self.delivery == Delivery::Instant;
        let arrival = Arrival { instant, early: self.early };
        let mut go = |schedule: &mut dyn Schedule| {
            let mut schedule = Unrest::new(schedule, seed, self.faults, one_in);
            run.run(&mut schedule, &mut |s| s.execution().steps() < self.steps);
        };
        match self.sampling {
            Sampling::Uniform => go(&mut Random::new(seed, Preference::None, instant)),
            Sampling::PartialOrder => go(&mut PartialOrder::new(seed, arrival)),
            Sampling::Priorities { depth } => {
                let mut schedule = Priorities::new(seed, depth, length, arrival);
                go(&mut schedule);
                let (agents, choices) = schedule.size();
                sampled.agents = sampled.agents.max(agents);
                sampled.choices = sampled.choices.max(choices);
            }
        }
    }

    /// In how many choices a fault is tried once: a walk has about as many as a plain execution has
    /// events.
    fn rarity(&self, system: &System) -> usize {
        if self.faults.is_none() {
            return 1;
        }
        let mut plain = system.beginning();
        plain.run(&mut RoundRobin, &mut |s| s.execution().steps() < self.steps);
        (plain.execution().event_count() / TRIES).max(2)
    }

    /// About how many choices an execution has: as many as the first one. It must not depend on the
    /// seed, which would then mean another execution when it is given alone.
    fn length(&self, system: &System) -> u64 {
        match self.sampling {
            Sampling::Priorities { .. } => {
                let first = Walks {
                    sampling: Sampling::Priorities { depth: 1 },
                    rules: self.rules.clone(),
                    ..*self
                };
                let mut sampled = Sampled::default();
                let calm = Walks { faults: Faults::default(), ..first };
                calm.draw(&mut system.beginning(), 0, 1, 1, &mut sampled);
                sampled.choices
            }
            _ => 0,
        }
    }
}

/// A message by the place of its sender in the tree of spawns and its number.
type MessageName = (Rc<str>, u32);

/// In which orders neighbouring messages of different senders arrived.
#[derive(Default)]
struct Orders {
    /// Receiver and both messages, the lesser first: whether they came so, and the other way.
    seen: HashMap<(Rc<str>, MessageName, MessageName), [bool; 2]>,
}

impl Orders {
    fn note(&mut self, execution: &Execution) {
        let path = |proc: ProcId| execution.proc(proc).path.clone();
        let name = |id: SignalId| (path(id.from), id.k);
        for proc in execution.ids().filter(|proc| !execution.proc(*proc).is_system) {
            for pair in execution.proc(proc).deliveries.iter().collect::<Vec<_>>().windows(2) {
                let (first, second) = (pair[0].signal, pair[1].signal);
                if first.from == second.from {
                    continue;
                }
                let (first, second) = (name(first), name(second));
                let is_turned = first > second;
                let (a, b) = if is_turned { (second, first) } else { (first, second) };
                self.seen.entry((path(proc), a, b)).or_default()[usize::from(is_turned)] = true;
            }
        }
    }

    /// All pairs, and those that came in both orders.
    fn count(&self) -> (usize, usize) {
        let both = self.seen.values().filter(|orders| orders[0] && orders[1]);
        (self.seen.len(), both.count())
    }
}
