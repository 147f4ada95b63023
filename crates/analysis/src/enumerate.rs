//! Enumerating executions from kept moments instead of running each from the beginning.
//!
//! Where everybody waits and only one process has anything to take, nobody can send it more
//! before it takes something: all that its receive can take is there. So each choice is tried in
//! turn from the same moment, no execution comes twice, and nothing need be remembered. Where
//! several processes can go on, races decide: that part is left to reversing them.

use crate::feasible::{Choice, Delivery};
use crate::history::{History, Log, MessageName, Taken, name_of};
use crate::realise::all_matches;
use reverl_causal::execution::Execution;
use reverl_causal::system::Moment;
use reverl_causal::{ProcId, SignalId, System, What};

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

pub fn standing(run: &mut System, steps: u64) -> Standing {
    if !run.settle(steps) {
        return if run.halted().is_some() { Standing::Over } else { Standing::CutOff };
    }
    if run.has_pending_timers() {
        return Standing::Several;
    }
    let mut found: Option<(ProcId, Vec<Take>)> = None;
    for p in 0..run.execution.procs.len() as u32 {
        let proc = ProcId(p);
        if !run.execution.proc(proc).is_spawned || !run.is_waiting(proc) {
            continue;
        }
        let takes = takes(run, proc);
        if takes.is_empty() {
            continue;
        }
        if found.is_some() {
            return Standing::Several;
        }
        found = Some((proc, takes));
    }
    found.map_or(Standing::Over, |(proc, takes)| Standing::One(proc, takes))
}

/// Of each sender the first message that matches; then the time-out.
fn takes(run: &mut System, proc: ProcId) -> Vec<Take> {
    let mut found: Vec<Take> = vec![];
    for i in 0..run.held_count(proc) {
        let id = run.held_at(proc, i);
        let same_sender = |t: &Take| t.is_some_and(|other| other.from == id.from);
        if !found.iter().any(same_sender) && run.would_take(proc, id) {
            found.push(Some(id));
        }
    }
    if run.patience(proc).is_some() {
        found.push(None);
    }
    found
}

/// A choice that is still to be tried, and where from.
struct Open {
    moment: Moment,
    proc: ProcId,
    /// Taken from the end.
    left: Vec<Take>,
    may_be_impossible: bool,
    place: Place,
}

/// Where in the search an execution is.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// How many choices were not the first one.
    pub changes: u32,
    /// Which part of all executions is thought to be here.
    pub share: f64,
}

impl Default for Place {
    fn default() -> Place {
        Place { changes: 0, share: 1.0 }
    }
}

/// The moments to go back to, the latest last.
pub struct Walk {
    open: Vec<Open>,
    delivery: Delivery,
    /// A message was taken before an earlier one of the same sender: from then on not every
    /// choice can really happen.
    skipped: bool,
    pub place: Place,
    most_changes: u32,
    /// Choices were left out because they would be too many changes.
    pub left_out: bool,
}

impl Walk {
    pub fn new(delivery: Delivery, place: Place, most_changes: u32) -> Walk {
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
            let place = Place { changes: self.place.changes + 1, ..self.place };
            self.open.push(Open { moment, proc, left: takes, may_be_impossible, place });
        }
        self.take(run, proc, first)
    }

    fn take(&mut self, run: &mut System, proc: ProcId, take: Take) -> bool {
        match take {
            Some(id) => {
                let earlier = (0..run.held_count(proc)).map(|i| run.held_at(proc, i));
                self.skipped |= earlier.take_while(|e| *e != id).any(|e| e.from == id.from);
                run.offer(proc, id);
            }
            None => run.let_time_out(proc),
        }
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
    pub fn give(&mut self) -> Option<(Log, Place)> {
        let open = self.open.first_mut()?;
        let place = open.place;
        let execution = open.moment.execution();
        let take = open.left.pop()?;
        let mut log = log_of(execution);
        let taken = match take {
            Some(id) => Taken::Message(MessageName { from: name_of(execution, id.from), k: id.k }),
            None => Taken::Timeout,
        };
        log.0.entry(name_of(execution, open.proc)).or_default().push(taken);
        if open.left.is_empty() {
            self.open.remove(0);
        }
        Some((log, place))
    }
}

/// Whether what was taken so far can really have been taken.
pub fn is_possible(run: &mut System, delivery: Delivery) -> bool {
    let history = History::of(&run.execution);
    let matches = all_matches(run, &history);
    let kept = history.deeds.iter().map(Vec::len).collect();
    Choice { history: &history, kept, changed: None }.order(&matches, delivery).is_some()
}

/// What each receive has taken so far.
pub fn log_of(execution: &Execution) -> Log {
    let mut log = Log::default();
    for proc in execution.ids() {
        let taken = execution.proc(proc).actions.iter().filter_map(|a| match a.what() {
            What::Receive(id) => {
                Some(Taken::Message(MessageName { from: name_of(execution, id.from), k: id.k }))
            }
            What::Timeout => Some(Taken::Timeout),
            _ => None,
        });
        let taken: Vec<Taken> = taken.collect();
        if !taken.is_empty() {
            log.0.insert(name_of(execution, proc), taken);
        }
    }
    log
}
