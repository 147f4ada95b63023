//! Enumerating executions from kept moments instead of running each from the beginning.
//!
//! Where everybody waits and only one process has anything to take, nobody can send it more
//! before it takes something: all that its receive can take is there. So each choice is tried in
//! turn from the same moment, no execution comes twice, and nothing need be remembered. Where
//! several processes can go on, races decide: that part is left to reversing them.

use crate::explore::Bounds;
use crate::feasible::{Choice, Delivery};
use crate::follow::{GRACE, first_timeout, run_all, takes, waiting};
use crate::history::History;
use crate::observation::{Observation, ObservationLog, message_name, name_of, receives_of};
use crate::realise::all_matches;
use reverl_causal::system::Moment;
use reverl_causal::{ProcId, SignalId, Step, System};
use std::collections::HashMap;

/// What a receive can take next; `None` is its time-out.
pub type Take = Option<SignalId>;

/// Where a run stands when nothing moves by itself.
pub enum Standing {
    /// Nothing can happen any more.
    Over,
    /// The bound on steps was reached.
    CutOff,
    /// One process takes one of these next, whatever the others do.
    One(ProcId, Vec<Take>),
    /// Several can go on.
    Several,
}

pub fn standing(run: &mut System, bounds: &Bounds) -> Standing {
    let steps = bounds.steps;
    while !run_all(run, steps.min(run.execution().steps() + GRACE)) {
        if run.halted().is_some() {
            return Standing::Over;
        }
        if run.execution().steps() > steps {
            return Standing::CutOff;
        }
        if !run.held_exits().is_empty() {
            return Standing::Several;
        }
    }
    if run.next_timer().is_some() || !run.held_exits().is_empty() {
        return Standing::Several;
    }
    let mut found: Option<(ProcId, Vec<Take>)> = None;
    for p in 0..run.execution().procs().len() as u32 {
        let proc = ProcId(p);
        if !run.execution().proc(proc).is_spawned || !run.is_waiting(proc) {
            continue;
        }
        let takes = takes(run, proc, bounds.timeouts);
        if takes.is_empty() {
            continue;
        }
        if found.is_some() {
            return Standing::Several;
        }
        found = Some((proc, takes));
    }
    if let Some((proc, takes)) = found {
        return Standing::One(proc, takes);
    }
    let waiting = waiting(run);
    let next = first_timeout(run, waiting, bounds.timeouts);
    next.map_or(Standing::Over, |(_, proc)| Standing::One(proc, vec![None]))
}

/// A choice that is still to be tried, and where from.
struct Open {
    moment: Moment,
    proc: ProcId,
    /// Observation from the end.
    left: Vec<Take>,
    may_be_impossible: bool,
    place: Share,
}

/// Where in the search an execution is.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// How many choices were not the first one.
    pub changes: u32,
    /// Which part of all executions is thought to be here.
    pub share: f64,
}

impl Default for Share {
    fn default() -> Share {
        Share { changes: 0, share: 1.0 }
    }
}

/// The moments to go back to, the latest last.
pub struct Walk {
    open: Vec<Open>,
    delivery: Delivery,
    /// A message was taken before an earlier one of the same sender, or before one that the process
    /// had sent itself: from then on not every choice can really happen.
    skipped: bool,
    pub place: Share,
    most_changes: u32,
    /// Choices were left out because they would be too many changes.
    pub left_out: bool,
}

impl Walk {
    pub fn new(delivery: Delivery, place: Share, most_changes: u32) -> Walk {
        Walk { open: vec![], delivery, skipped: false, place, most_changes, left_out: false }
    }

    /// Takes the first choice and keeps the others. False if it cannot really happen.
    pub fn choose(&mut self, run: &mut System, proc: ProcId, mut takes: Vec<Take>) -> bool {
        if self.place.changes >= self.most_changes && takes.len() > 1 {
            self.left_out = true;
            takes.truncate(1);
        }
        self.place.share /= takes.len() as f64;
        let first = takes.remove(0);
        if !takes.is_empty() {
            takes.reverse();
            let moment = run.moment();
            let may_be_impossible = self.skipped;
            let place = Share { changes: self.place.changes + 1, ..self.place };
            self.open.push(Open { moment, proc, left: takes, may_be_impossible, place });
        }
        self.take(run, proc, first)
    }

    fn take(&mut self, run: &mut System, proc: ProcId, take: Take) -> bool {
        if let Some(id) = take {
            let held = run.held_for(proc);
            let mut earlier = held.iter().take_while(|e| **e != id);
            let has_own = || held.iter().any(|e| *e != id && e.from == proc);
            self.skipped |= earlier.any(|e| e.from == id.from) || has_own();
        }
        do_take(run, proc, take);
        (self.delivery == Delivery::Pair && !self.skipped) || is_possible(run, self.delivery)
    }

    /// Goes back to the latest choice that is left. False if there is none.
    pub fn back(&mut self, run: &mut System) -> bool {
        while let Some(mut open) = self.open.pop() {
            let Some(next) = open.left.pop() else { continue };
            run.resume(open.moment);
            let proc = open.proc;
            self.skipped = open.may_be_impossible;
            self.place = open.place;
            if !open.left.is_empty() {
                open.moment = run.moment();
                self.open.push(open);
            }
            if self.take(run, proc, next) {
                return true;
            }
        }
        false
    }

    /// Gives the earliest open choice away: the log that leads to it, and its place.
    pub fn give(&mut self) -> Option<(ObservationLog, Share)> {
        let open = self.open.first_mut()?;
        let place = open.place;
        let execution = open.moment.execution();
        let take = open.left.pop()?;
        let mut log = receives_of(execution);
        let taken = match take {
            Some(id) => Observation::Message(message_name(execution, id)),
            None => Observation::Timeout,
        };
        log.add(name_of(execution, open.proc), taken);
        if open.left.is_empty() {
            self.open.remove(0);
        }
        Some((log, place))
    }
}

/// A receive takes what it can take.
fn do_take(run: &mut System, proc: ProcId, take: Take) {
    let step = match take {
        Some(message) => Step::Take { proc, message },
        None => Step::TimeOut { proc },
    };
    let done = run.step(&step);
    debug_assert!(done.is_ok(), "it was among what the receive can take");
}

/// Whether what was taken so far can really have been taken.
pub fn is_possible(run: &mut System, delivery: Delivery) -> bool {
    let history = History::of(run.execution(), delivery);
    let matches = all_matches(run, &history);
    let kept = vec![true; history.events.len()];
    Choice { history: &history, kept, extra: None }.order(&matches, delivery).is_some()
}

/// Whether enumeration alone comes to the execution with this log: at no point several processes
/// could go on. The system must be at its beginning.
pub fn is_enumerated(
    run: &mut System,
    log: &ObservationLog,
    bounds: &Bounds,
    delivery: Delivery,
) -> bool {
    run.hold(delivery == Delivery::Pair);
    let mut done: HashMap<ProcId, usize> = HashMap::new();
    loop {
        let (proc, takes) = match standing(run, bounds) {
            Standing::One(proc, takes) => (proc, takes),
            Standing::Several => return false,
            Standing::Over | Standing::CutOff => return true,
        };
        let nth = done.entry(proc).or_default();
        let own = log.0.get(&name_of(run.execution(), proc));
        let wanted = own.and_then(|taken| taken.get(*nth)).copied();
        *nth += 1;
        let is_it = |take: &&Take| match take {
            Some(id) => wanted == Some(Observation::Message(message_name(run.execution(), *id))),
            None => wanted == Some(Observation::Timeout),
        };
        match takes.iter().find(is_it).copied() {
            Some(take) => do_take(run, proc, take),
            None => return false,
        }
    }
}
