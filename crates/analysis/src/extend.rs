//! What comes next in an execution that nobody leads: always the same after the same events, in
//! whatever order they happened.
//!
//! Whoever need not receive goes on first, so that a receive finds as much as it can to choose from;
//! then receives, early time-outs, exit signals; timers and other time-outs come when nothing else
//! can happen. Among equals the process goes first whose spawn path is the smaller.

use crate::explore::Bounds;
use crate::feasible::{Choice, Delivery};
use crate::follow::{GRACE, SLICE, let_arrive, skips, waiting};
use crate::history::History;
use crate::matching::MatchMemo;
use crate::observation::message_name;
use crate::timeouts::Timeouts;
use reverl_causal::{ProcId, SignalId, Step, System, Until};
use std::rc::Rc;

/// What a receive can take next; `None` is its time-out.
pub type Take = Option<SignalId>;

/// What comes next.
pub enum Next {
    /// Nothing can happen any more.
    Over,
    /// The bound on steps was reached.
    CutOff,
    /// A process takes one of these, the usual one first.
    Takes(ProcId, Vec<Take>),
    /// This happens.
    Step(Step),
}

/// How a run is led on, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Lead {
    pub delivery: Delivery,
    pub bounds: Bounds,
    /// A message was taken before an earlier one of the same sender, or before one that the process
    /// had sent itself: from then on not every choice can really happen.
    pub has_skipped: bool,
    /// Something was chosen while something else could have come before it.
    pub has_raced: bool,
}

impl Lead {
    pub fn new(delivery: Delivery, bounds: Bounds) -> Lead {
        Lead { delivery, bounds, has_skipped: false, has_raced: false }
    }

    /// What comes next. Everybody who need not receive has gone on.
    pub fn next(&mut self, run: &mut System) -> Next {
        if let Some(end) = self.settle(run) {
            return end;
        }
        let mut first: Option<(ProcId, Vec<Take>)> = None;
        let mut several = false;
        for proc in waiting_by_path(run) {
            let takes = takes(run, proc, self.bounds.timeouts);
            if takes.is_empty() {
                continue;
            }
            several |= first.is_some();
            let has_message = takes[0].is_some();
            match &first {
                Some((_, found)) if found[0].is_some() || !has_message => {}
                _ => first = Some((proc, takes)),
            }
        }
        let exits = run.held_exits();
        self.has_raced |= several || !exits.is_empty() || run.next_timer().is_some();
        match first {
            Some((proc, takes)) => Next::Takes(proc, self.really(run, proc, takes)),
            None => self.when_idle(run, exits),
        }
    }

    /// The first exit signal that ends nobody: it arrives at once.
    fn next_exit(run: &System) -> Option<SignalId> {
        let exits = run.held_exits();
        if exits.is_empty() {
            return None;
        }
        let to = |id: &SignalId| run.execution().signal(*id).to();
        let at_once = |id: &SignalId| {
            let is_behind = |e: &SignalId| e.from == id.from && e.k < id.k && to(e) == to(id);
            !run.would_end(*id) && !exits.iter().any(is_behind)
        };
        sorted(run, exits.clone()).into_iter().find(at_once)
    }

    /// Goes on to the end, each receive taking the usual thing.
    pub fn to_the_end(mut self, run: &mut System) {
        loop {
            let done = match self.next(run) {
                Next::Takes(proc, takes) => takes.first().is_some_and(|t| self.take(run, proc, *t)),
                Next::Step(step) => run.step(&step).is_ok(),
                Next::Over | Next::CutOff => false,
            };
            if !done {
                return;
            }
        }
    }

    /// Lets everybody go on who need not receive. Some end if that does not come to one.
    fn settle(&mut self, run: &mut System) -> Option<Next> {
        let steps = self.bounds.steps;
        let mut patience = run.execution().steps().saturating_add(GRACE);
        loop {
            if let Some(exit) = Lead::next_exit(run) {
                self.has_raced = true;
                let_arrive(run, exit);
                continue;
            }
            let (turn, proc) = first_runnable(run)?;
            if run.execution().steps() > patience {
                let exits = sorted(run, run.held_exits());
                let is_busy = |id: &&SignalId| {
                    run.execution().signal(**id).to().is_some_and(|to| !run.is_waiting(to))
                };
                if let Some(exit) = exits.iter().find(is_busy) {
                    let_arrive(run, *exit);
                }
                patience = run.execution().steps().saturating_add(GRACE);
                continue;
            }
            // Exit signals arrive at once: nobody goes further than to the next action.
            let done = run.running(proc).process.steps();
            let limit = (turn + 1).saturating_mul(SLICE).max(done.saturating_add(100));
            let ran = run.step(&Step::Run { proc, until: Until::Action(limit) });
            if run.halted().is_some() {
                return Some(Next::Over);
            }
            if ran.is_err() || run.execution().steps() > steps {
                return Some(Next::CutOff);
            }
        }
    }

    /// Of what a receive can take, what it can really take: there is an order of arrival for it.
    fn really(&self, run: &mut System, proc: ProcId, takes: Vec<Take>) -> Vec<Take> {
        let skips_none = || !takes.iter().flatten().any(|id| skips(run, proc, *id));
        let is_free = self.delivery == Delivery::Pair && !self.has_skipped && skips_none();
        if takes.len() < 2 || is_free {
            return takes;
        }
        let before = run.moment();
        let mut possible = vec![];
        for take in &takes {
            run.resume(before.fork());
            let taken = run.step(&step_of(proc, *take)).is_ok();
            if taken && is_possible(run, self.delivery) {
                possible.push(*take);
            }
        }
        run.resume(before);
        // Exit signals have travelled that would have arrived at once: whether that can be is asked at
        // the end.
        if possible.is_empty() { takes } else { possible }
    }

    /// A receive takes what it can take.
    pub fn take(&mut self, run: &mut System, proc: ProcId, take: Take) -> bool {
        self.has_skipped |= take.is_some_and(|id| skips(run, proc, id));
        run.step(&step_of(proc, take)).is_ok()
    }

    /// Nobody has anything to take.
    fn when_idle(&self, run: &mut System, exits: Vec<SignalId>) -> Next {
        let is_first = |id: &&SignalId| {
            let to = |id: &SignalId| run.execution().signal(*id).to();
            !exits.iter().any(|e| e.from == id.from && e.k < id.k && to(e) == to(id))
        };
        if let Some(signal) = sorted(run, exits.clone()).iter().find(is_first) {
            let Some(to) = run.execution().signal(*signal).to() else { return Next::Over };
            return Next::Step(Step::Deliver { signal: *signal, to });
        }
        if self.bounds.ends_with_main && run.has_exited(run.main) {
            return Next::Over;
        }
        let timeout = first_timeout(run, self.bounds.timeouts);
        let timer = run.next_timer().zip(run.next_timer_in());
        match (timer, timeout) {
            (Some((_, left)), Some((ms, proc))) if ms < left => Next::Step(Step::TimeOut { proc }),
            (Some((timer, _)), _) => Next::Step(timer),
            (None, Some((_, proc))) => Next::Step(Step::TimeOut { proc }),
            (None, None) => Next::Over,
        }
    }
}

fn step_of(proc: ProcId, take: Take) -> Step {
    match take {
        Some(message) => Step::Take { proc, message },
        None => Step::TimeOut { proc },
    }
}

/// The spawn path of a process: the same in every execution.
fn path(run: &System, proc: ProcId) -> Rc<str> {
    run.execution().proc(proc).path.clone()
}

/// Those who wait, in the order of their paths.
fn waiting_by_path(run: &System) -> Vec<ProcId> {
    let mut waiting = waiting(run);
    let execution = run.execution();
    waiting.sort_unstable_by(|a, b| execution.proc(*a).path.cmp(&execution.proc(*b).path));
    waiting
}

/// Signals in an order that is the same in every execution.
fn sorted(run: &System, mut signals: Vec<SignalId>) -> Vec<SignalId> {
    signals.sort_by_cached_key(|id| (key_of(run, *id), run.execution().signal(*id).to()));
    signals
}

/// What signals are ordered by: the path of the sender and the number that it has everywhere.
pub fn key_of(run: &System, id: SignalId) -> (Rc<str>, u32) {
    (path(run, id.from), message_name(run.execution(), id).k)
}

/// The process that goes on: those first that have done fewer turns of so many steps, so that nobody
/// waits for one that never ends.
fn first_runnable(run: &System) -> Option<(u64, ProcId)> {
    let execution = run.execution();
    // The process of a node asks for what only somebody outside knows.
    let is_runnable = |p: &ProcId| {
        let can_run = !run.has_exited(*p) && !run.is_waiting(*p) && run.asked(*p).is_none();
        execution.proc(*p).is_spawned && can_run
    };
    let turn = |p: ProcId| (run.running(p).process.steps() / SLICE, p);
    let runnable = execution.ids().filter(is_runnable).map(turn);
    runnable.min_by_key(|(turn, p)| (*turn, &execution.proc(*p).path))
}

/// What a process that waits can take: of each stream the first message that matches, sorted; then
/// the time-out, unless it is a long one. What was sent after an exit signal comes after it.
pub fn takes(run: &mut System, proc: ProcId, timeouts: Timeouts) -> Vec<Take> {
    let exits = run.held_exits();
    let to_it = |id: &SignalId| run.execution().signal(*id).to() == Some(proc);
    let exits: Vec<SignalId> = exits.into_iter().filter(to_it).collect();
    let mut found: Vec<SignalId> = vec![];
    for i in 0..run.held_for(proc).len() {
        let id = run.held_for(proc)[i];
        let is_behind = exits.iter().any(|e| e.from == id.from && e.k < id.k);
        if is_behind || !run.would_take(proc, id) {
            continue;
        }
        let stream = |id| run.execution().stream(id);
        match found.iter_mut().find(|other| stream(**other) == stream(id)) {
            // An exit signal that was trapped can be held later than what was sent after it.
            Some(other) => *other = (*other).min(id),
            None => found.push(id),
        }
    }
    // What a process sends itself is there at once.
    let has_own = found.iter().any(|id| run.execution().stream(*id) == (proc, None));
    let can_time_out =
        !has_own && run.receive_timeout(proc).is_some_and(|ms| timeouts.may_be_early(ms));
    if found.len() > 1 {
        found.sort_by_cached_key(|id| key_of(run, *id));
    }
    found.into_iter().map(Some).chain(can_time_out.then_some(None)).collect()
}

/// Of those that wait while nothing else can happen, the one whose time-out comes first.
fn first_timeout(run: &mut System, timeouts: Timeouts) -> Option<(u64, ProcId)> {
    let waiting = waiting_by_path(run);
    let timeout = |p: ProcId| run.receive_timeout(p).map(|ms| (ms, p));
    let all = waiting.into_iter().filter_map(timeout);
    all.filter(|(ms, _)| timeouts.comes_when_idle(*ms)).min_by_key(|(ms, _)| *ms)
}

/// Whether what was taken so far can really have been taken.
pub fn is_possible(run: &mut System, delivery: Delivery) -> bool {
    let history = History::of(run.execution());
    let matches = MatchMemo::default().all(run, &history);
    let kept = vec![true; history.events.len()];
    let exits = Delivery::Pair;
    Choice { history: &history, kept, extra: None, exits }.order(&matches, delivery).is_some()
}
