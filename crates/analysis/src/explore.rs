//! Visiting every execution that a program can have.
//!
//! Each execution is run with its messages and exit signals held back, so that only what receives
//! take, in what order shared things are touched, and when exit signals arrive matters. While only
//! messages do and one process can go on, its choices are enumerated from kept moments
//! (`crate::enumerate`). Otherwise everything that chance decided in an execution gives a variant
//! (`crate::variants`). Logs that were seen are not visited again, so each distinct execution
//! counts once; reversing single races reaches all of them (see docs/semantics.md).

use crate::enumerate::{Share, Standing, Walk, is_enumerated, standing};
use crate::feasible::{Delivery, Matches};
use crate::follow::{Follower, follow_exactly, take, takes};
use crate::history::{History, is_plain};
use crate::observation::{ObservationLog, message_name, receives_of};
use crate::realise::all_matches;
use crate::timeouts::Timeouts;
use crate::variants::{Finished, Variant};
use reverl_causal::{Execution, Happened, System};
use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// When a search stops.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Steps of one execution.
    pub steps: u64,
    /// How many executions to visit at most.
    pub executions: u64,
    /// How many choices of an execution may differ from the first one that comes to mind.
    pub changes: u32,
    /// Which time-outs come, and when.
    pub timeouts: Timeouts,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { steps: u64::MAX, executions: u64::MAX, changes: u32::MAX, timeouts: Timeouts::Any }
    }
}

/// What a finished execution is judged by.
pub struct Visit<'v> {
    /// The execution that is visited, at its end.
    pub system: &'v mut System,
    /// It was cut off by the bound on steps.
    pub is_cut_off: bool,
    /// The place of this execution among those visited, from 0.
    pub number: u64,
}

/// How far a search came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// How many executions were visited.
    pub executions: u64,
    /// Everything was visited.
    pub complete: bool,
    /// Orders that are not explored were met: of what.
    pub unexplored: BTreeSet<&'static str>,
    /// How many of them were not followed to their end.
    pub cut_off: u64,
    /// Some executions were left out because they need too many changes.
    pub left_out: bool,
    /// The search was stopped because of what it had to remember.
    pub out_of_memory: bool,
    /// Which part of everything is thought to be visited, from 0 to 1.
    pub share: f64,
}

/// What is still to be visited, and what has been; shared by all workers.
pub struct Explorer {
    delivery: Delivery,
    /// So many events of every execution are given.
    past: usize,
    bounds: Bounds,
    frontier: Mutex<Frontier>,
    /// Something was added, or a worker has become idle.
    changed: Condvar,
    /// Workers that wait for something to do.
    idle: AtomicUsize,
    is_over: IsOver,
}

/// Whether a search has to stop, wherever it is.
pub type IsOver = Box<dyn Fn() -> bool + Send + Sync>;

/// A part of the executions that is still to be visited.
struct Task {
    what: Part,
    place: Share,
}

enum Part {
    /// Those in which receives take this first; choices are enumerated.
    Enumerate(ObservationLog),
    /// Those that begin so; races are reversed, but for receives that the log decides.
    Reverse(Variant, Arc<ObservationLog>),
}

#[derive(Default)]
struct Frontier {
    work: Vec<Task>,
    /// Variants that were begun.
    begun: HashSet<u64>,
    /// Executions whose variants were begun, by the order of all that matters.
    reversed: HashSet<u64>,
    /// Logs that were visited; not those in which nobody touched anything shared, if enumeration
    /// came to them.
    seen: HashSet<u64>,
    /// How many visited logs are not in `seen`.
    unseen: u64,
    /// Races of something else than messages were met, and all that was visited is in `seen`:
    /// reversing reaches everything, so nothing need be enumerated.
    only_races: bool,
    /// Workers that may still add to `work`.
    busy: usize,
    /// How many parts were visited.
    done: u64,
    stopped: bool,
    summary: Summary,
}

impl Explorer {
    /// A search that has not begun.
    pub fn new(delivery: Delivery, bounds: Bounds) -> Explorer {
        Explorer::of(Part::Enumerate(ObservationLog::default()), 0, delivery, bounds)
    }

    /// Explores what can happen after all that has happened in an execution.
    pub fn after(execution: &Execution, delivery: Delivery, bounds: Bounds) -> Explorer {
        let history = History::of(execution, delivery);
        let schedule = history.schedule(execution, |_| true);
        let past = schedule.len();
        let all = Part::Reverse(Variant { schedule, first: None }, Arc::default());
        Explorer::of(all, past, delivery, bounds)
    }

    fn of(all: Part, past: usize, delivery: Delivery, bounds: Bounds) -> Explorer {
        let all = Task { what: all, place: Share::default() };
        let frontier = Frontier { work: vec![all], ..Frontier::default() };
        Explorer {
            delivery,
            past,
            bounds,
            frontier: Mutex::new(frontier),
            changed: Condvar::new(),
            idle: AtomicUsize::new(0),
            is_over: Box::new(|| false),
        }
    }

    /// The same search, which stops when this says so.
    pub fn until(self, is_over: IsOver) -> Explorer {
        Explorer { is_over, ..self }
    }

    fn frontier(&self) -> MutexGuard<'_, Frontier> {
        // A worker that panicked has told why; what it left is still consistent.
        self.frontier.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was visited, after all workers are done.
    pub fn summary(&self) -> Summary {
        let frontier = self.frontier();
        let summary = &frontier.summary;
        let complete = frontier.work.is_empty()
            && !frontier.stopped
            && summary.cut_off == 0
            && !summary.left_out
            && summary.unexplored.is_empty();
        Summary { complete, ..summary.clone() }
    }

    /// The next thing to visit; waits while other workers may still find some.
    fn next(&self) -> Option<Task> {
        let mut frontier = self.frontier();
        loop {
            if frontier.stopped {
                return None;
            }
            if frontier.summary.executions >= self.bounds.executions {
                frontier.stopped = !frontier.work.is_empty();
                return None;
            }
            if let Some(task) = frontier.work.pop() {
                frontier.busy += 1;
                return Some(task);
            }
            if frontier.busy == 0 {
                self.changed.notify_all();
                return None;
            }
            self.idle.fetch_add(1, Ordering::Relaxed);
            frontier = self.changed.wait(frontier).unwrap_or_else(PoisonError::into_inner);
            self.idle.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// One worker: visits executions until none is left or `visit` says no. `system` says of
    /// which program.
    pub fn work(&self, system: &System, visit: &mut dyn FnMut(Visit) -> bool) {
        while let Some(task) = self.next() {
            let mut run = system.beginning();
            let goes_on = match &task.what {
                Part::Reverse(variant, fixed) => {
                    self.reverse(&mut run, variant, fixed, task.place, visit)
                }
                Part::Enumerate(log) => self.enumerate(&mut run, log, task.place, visit),
            };
            let mut frontier = self.frontier();
            frontier.busy -= 1;
            frontier.stopped |= !goes_on;
            frontier.done += 1;
            // Asking costs as much as a small execution.
            if frontier.done % 64 == 0 && system.is_nearly_full() {
                frontier.summary.out_of_memory |= !frontier.stopped;
                frontier.stopped = true;
            }
            self.changed.notify_all();
        }
    }

    /// Visits one execution, and finds the variants that its races give.
    fn reverse(
        &self,
        run: &mut System,
        variant: &Variant,
        fixed: &Arc<ObservationLog>,
        place: Share,
        visit: &mut dyn FnMut(Visit) -> bool,
    ) -> bool {
        let mut lead = Follower::new(run, self.delivery, self.bounds, &self.is_over);
        if !lead.along(run, &variant.schedule)
            || !self.go_first(&mut lead, run, variant, fixed, place)
        {
            self.frontier().summary.share += place.share;
            return true;
        }
        let settled = lead.to_the_end(run);
        if (self.is_over)() {
            return false;
        }
        let history = History::of(run.execution(), self.delivery);
        if !self.frontier().reversed.insert(history.fingerprint(|_| true)) {
            self.frontier().summary.share += place.share;
            return true;
        }
        let matches = all_matches(run, &history);
        let mut goes_on = true;
        if self.is_new(run, &history) {
            let Some(number) = self.count(&history, settled) else { return false };
            goes_on = visit(Visit { system: run, is_cut_off: !settled, number });
        }
        let fixed = match history.has_other_races() {
            true => Arc::default(),
            false => fixed.clone(),
        };
        let finished = self.finished(run, &history, &matches);
        self.add_variants(&finished, &fixed, place);
        goes_on
    }

    fn finished<'f>(
        &self,
        run: &'f System,
        history: &'f History,
        matches: &'f Matches,
    ) -> Finished<'f> {
        let (delivery, past) = (self.delivery, self.past);
        Finished { run, history, matches, delivery, past, timeouts: self.bounds.timeouts }
    }

    /// The process that the variant wants to go on first does so. Where it can take several
    /// things, this execution goes on with the first, and the others are left for later. False if
    /// it can do nothing.
    fn go_first(
        &self,
        lead: &mut Follower<'_>,
        run: &mut System,
        variant: &Variant,
        fixed: &Arc<ObservationLog>,
        place: Share,
    ) -> bool {
        let Some(name) = variant.first else { return true };
        let Some(proc) = lead.proc(run, name) else { return false };
        match lead.go_on(run, proc) {
            Happened::Acted => true,
            Happened::Waits => {
                for taken in takes(run, proc, self.bounds.timeouts) {
                    let message = taken.map(|id| message_name(run.execution(), id));
                    let mut schedule = variant.schedule.clone();
                    schedule.push(take(name, message));
                    let variant = Variant { schedule, first: None };
                    let place = Share { share: 0.0, ..place };
                    self.add(Task { what: Part::Reverse(variant, fixed.clone()), place });
                }
                false
            }
            _ => false,
        }
    }

    /// Whether an execution that was come to by reversing has not been visited.
    fn is_new(&self, run: &mut System, history: &History) -> bool {
        let log = history.log();
        if !self.frontier().seen.insert(log.fingerprint()) {
            return false;
        }
        if self.frontier().unseen == 0 || !is_plain(run.execution()) {
            return true;
        }
        let mut again = run.beginning();
        let known = is_enumerated(&mut again, &log, &self.bounds, self.delivery);
        !known
    }

    /// Visits every execution that begins as the log says, as far as one process at a time
    /// decides.
    fn enumerate(
        &self,
        run: &mut System,
        log: &ObservationLog,
        place: Share,
        visit: &mut dyn FnMut(Visit) -> bool,
    ) -> bool {
        if !follow_exactly(run, log, self.bounds.steps, self.delivery) {
            return true;
        }
        let mut walk = Walk::new(self.delivery, place, self.bounds.changes);
        loop {
            if (self.is_over)() {
                return false;
            }
            if self.idle.load(Ordering::Relaxed) > 0 {
                if let Some((log, place)) = walk.give() {
                    self.add(Task { what: Part::Enumerate(log), place });
                }
            }
            let possible = match standing(run, &self.bounds) {
                Standing::One(proc, takes) => walk.choose(run, proc, takes),
                Standing::Several => {
                    self.leave_to_races(run, std::mem::take(&mut walk.place));
                    walk.place.share = 0.0;
                    false
                }
                end => {
                    let is_cut_off = matches!(end, Standing::CutOff);
                    match self.enumerated(run, is_cut_off, &mut walk, visit) {
                        Some(true) => {}
                        other => return other.is_some(),
                    }
                    false
                }
            };
            if possible {
                continue;
            }
            let share = walk.place.share;
            let more = walk.back(run);
            let mut frontier = self.frontier();
            frontier.summary.share += share;
            frontier.summary.left_out |= walk.left_out;
            if !more || frontier.only_races {
                return true;
            }
        }
    }

    /// Several processes can go on: from here on races are reversed.
    fn leave_to_races(&self, run: &mut System, place: Share) {
        let history = History::of(run.execution(), self.delivery);
        let schedule = history.schedule(run.execution(), |_| true);
        let fixed = Arc::new(receives_of(run.execution()));
        let variant = Variant { schedule, first: None };
        self.add(Task { what: Part::Reverse(variant, fixed), place });
    }

    /// Enumeration came to an end: visits it. `None` if no more are to be visited, false if
    /// nothing more need be enumerated.
    fn enumerated(
        &self,
        run: &mut System,
        is_cut_off: bool,
        walk: &mut Walk,
        visit: &mut dyn FnMut(Visit) -> bool,
    ) -> Option<bool> {
        if is_plain(run.execution()) && self.is_left_to_enumeration() {
            let number = self.count(&History::default(), !is_cut_off)?;
            return visit(Visit { system: run, is_cut_off, number }).then_some(true);
        }
        let history = History::of(run.execution(), self.delivery);
        let has_races = history.has_other_races();
        let matches = if has_races { all_matches(run, &history) } else { Default::default() };
        if self.frontier().seen.insert(history.log().fingerprint()) {
            let number = self.count(&history, !is_cut_off)?;
            if !visit(Visit { system: run, is_cut_off, number }) {
                return None;
            }
        }
        let fingerprint = history.fingerprint(|_| true);
        if has_races && self.frontier().reversed.insert(fingerprint) {
            let finished = self.finished(run, &history, &matches);
            let place = std::mem::take(&mut walk.place);
            self.add_variants(&finished, &ObservationLog::default(), place);
            walk.place.share = 0.0;
        }
        let mut frontier = self.frontier();
        frontier.only_races |= has_races && frontier.unseen == 0;
        Some(!frontier.only_races)
    }

    /// Whether an execution in which nobody touched anything shared is visited where enumeration
    /// comes to it, without remembering it.
    fn is_left_to_enumeration(&self) -> bool {
        let mut frontier = self.frontier();
        frontier.unseen += u64::from(!frontier.only_races);
        !frontier.only_races
    }

    fn add(&self, task: Task) {
        self.frontier().work.push(task);
        self.changed.notify_one();
    }

    /// The number of an execution that is visited now; `None` if no more may be.
    fn count(&self, history: &History, settled: bool) -> Option<u64> {
        let mut frontier = self.frontier();
        if frontier.stopped || frontier.summary.executions >= self.bounds.executions {
            frontier.stopped = true;
            return None;
        }
        let summary = &mut frontier.summary;
        summary.executions += 1;
        summary.unexplored.extend(&history.unexplored);
        summary.cut_off += u64::from(!settled);
        Some(summary.executions - 1)
    }

    /// Every other way in which things left to chance could have gone.
    fn add_variants(&self, finished: &Finished, fixed: &ObservationLog, place: Share) {
        let mut is_new = |key: u64| self.frontier().begun.insert(key);
        let mut found = finished.variants(fixed, &mut is_new);
        let mut frontier = self.frontier();
        if place.changes >= self.bounds.changes && !found.is_empty() {
            frontier.summary.left_out = true;
            found.clear();
        }
        // Half for the execution itself: how many its variants lead to nobody knows.
        let share = if found.is_empty() { 0.0 } else { place.share / 2.0 };
        frontier.summary.share += place.share - share;
        let place = Share { changes: place.changes + 1, share: share / found.len().max(1) as f64 };
        let fixed = Arc::new(fixed.clone());
        let task = |variant| Task { what: Part::Reverse(variant, fixed.clone()), place };
        frontier.work.extend(found.into_iter().map(task));
    }
}
