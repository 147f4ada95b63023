//! Visiting every execution that a program can have.
//!
//! Each execution is run with its messages held back, so that only what receives take matters.
//! While only one process can go on, its choices are enumerated from kept moments
//! (`crate::enumerate`). Where several can, every race of an execution gives a variant (paper
//! 004): keep what does not depend on the receive, let it take the other message, and go on. Logs
//! that were seen are not visited again, so each distinct execution counts once; reversing single
//! races reaches all of them.

use crate::enumerate::{Place, Standing, Walk, log_of, standing};
use crate::feasible::{Choice, Delivery, Matches};
use crate::follow::{follow, follow_exactly};
use crate::history::{Deed, History, Log, Taken, at, has_other_races};
use crate::realise::all_matches;
use reverl_causal::{ProcId, SignalId, System};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Steps of one execution.
    pub steps: u64,
    pub executions: u64,
    /// How many choices of an execution may differ from the first one that comes to mind.
    pub changes: u32,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { steps: u64::MAX, executions: u64::MAX, changes: u32::MAX }
    }
}

/// What a finished execution is judged by.
pub struct Visit<'v> {
    pub system: &'v mut System,
    /// It was cut off by the bound on steps.
    pub is_cut_off: bool,
    /// The place of this execution among those visited, from 0.
    pub number: u64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    pub executions: u64,
    /// Everything was visited.
    pub complete: bool,
    /// Some orders (of names, tables, deaths by signal) were met that are not reversed.
    pub other_races: bool,
    pub cut_off: u64,
    /// Some executions were left out because they need too many changes.
    pub left_out: bool,
    /// Which part of everything is thought to be visited, from 0 to 1.
    pub share: f64,
}

/// What is still to be visited, and what has been; shared by all workers.
pub struct Explorer {
    delivery: Delivery,
    bounds: Bounds,
    frontier: Mutex<Frontier>,
    /// Something was added, or a worker has become idle.
    changed: Condvar,
    /// Workers that wait for something to do.
    idle: AtomicUsize,
}

/// A part of the executions that is still to be visited.
#[derive(Clone, Default)]
struct Task {
    /// What receives are to take first.
    forced: Log,
    /// Races decide: run to the end, and reverse those that are not in the log given.
    races_after: Option<Log>,
    place: Place,
}

#[derive(Default)]
struct Frontier {
    work: Vec<Task>,
    begun: HashSet<u64>,
    seen: HashSet<u64>,
    /// Workers that may still add to `work`.
    busy: usize,
    stopped: bool,
    summary: Summary,
}

/// One receive of a finished execution.
#[derive(Clone, Copy)]
struct Receive {
    proc: ProcId,
    deed: usize,
    /// It is the process's n-th receive, from 1.
    nth: u32,
    taken: Option<SignalId>,
}

/// A finished execution, as its variants need it.
struct Finished<'f> {
    run: &'f System,
    history: &'f History,
    log: &'f Log,
    matches: &'f Matches,
}

impl Explorer {
    pub fn new(delivery: Delivery, bounds: Bounds) -> Explorer {
        let frontier = Frontier { work: vec![Task::default()], ..Frontier::default() };
        Explorer {
            delivery,
            bounds,
            frontier: Mutex::new(frontier),
            changed: Condvar::new(),
            idle: AtomicUsize::new(0),
        }
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
            && !summary.other_races;
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

    /// One worker: visits executions until none is left or `visit` says no. `system` lends its
    /// program.
    pub fn work(&self, system: &mut System, visit: &mut dyn FnMut(Visit) -> bool) {
        while let Some(task) = self.next() {
            let mut run = system.beginning();
            let goes_on = match &task.races_after {
                Some(fixed) => self.reverse(&mut run, &task, fixed, visit),
                None => self.enumerate(&mut run, &task, visit),
            };
            system.borrow(run.lend());
            let mut frontier = self.frontier();
            frontier.busy -= 1;
            frontier.stopped |= !goes_on;
            self.changed.notify_all();
        }
    }

    /// Visits one execution, and finds the variants that its races give.
    fn reverse(
        &self,
        run: &mut System,
        task: &Task,
        fixed: &Log,
        visit: &mut dyn FnMut(Visit) -> bool,
    ) -> bool {
        let settled = follow(run, &task.forced, self.bounds.steps, self.delivery);
        let history = History::of(&run.execution);
        let log = history.log();
        if !self.frontier().seen.insert(log.fingerprint()) {
            self.frontier().summary.share += task.place.share;
            return true;
        }
        let Some(number) = self.count(run, settled) else { return false };
        let matches = all_matches(run, &history);
        let goes_on = visit(Visit { system: run, is_cut_off: !settled, number });
        let finished = Finished { run, history: &history, log: &log, matches: &matches };
        self.add_variants(&finished, fixed, task.place);
        goes_on
    }

    /// Visits every execution that begins as the log says, as far as one process at a time
    /// decides.
    fn enumerate(
        &self,
        run: &mut System,
        task: &Task,
        visit: &mut dyn FnMut(Visit) -> bool,
    ) -> bool {
        if !follow_exactly(run, &task.forced, self.bounds.steps) {
            return true;
        }
        let mut walk = Walk::new(self.delivery, task.place, self.bounds.changes);
        loop {
            if self.idle.load(Ordering::Relaxed) > 0 {
                if let Some((forced, place)) = walk.give() {
                    self.add(Task { forced, races_after: None, place });
                }
            }
            let possible = match standing(run, self.bounds.steps) {
                Standing::One(proc, takes) => walk.choose(run, proc, takes),
                Standing::Several => {
                    let log = log_of(&run.execution);
                    let place = std::mem::take(&mut walk.place);
                    self.add(Task { forced: log.clone(), races_after: Some(log), place });
                    walk.place.share = 0.0;
                    false
                }
                end => {
                    let is_cut_off = matches!(end, Standing::CutOff);
                    let Some(number) = self.count(run, !is_cut_off) else { return false };
                    if !visit(Visit { system: run, is_cut_off, number }) {
                        return false;
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
            if !more {
                return true;
            }
        }
    }

    fn add(&self, task: Task) {
        self.frontier().work.push(task);
        self.changed.notify_one();
    }

    /// The number of an execution that is visited now; `None` if no more may be.
    fn count(&self, run: &System, settled: bool) -> Option<u64> {
        let other_races = has_other_races(&run.execution);
        let mut frontier = self.frontier();
        if frontier.stopped || frontier.summary.executions >= self.bounds.executions {
            frontier.stopped = true;
            return None;
        }
        let summary = &mut frontier.summary;
        summary.executions += 1;
        summary.other_races |= other_races;
        summary.cut_off += u64::from(!settled);
        Some(summary.executions - 1)
    }

    /// Every other thing that a receive could have taken.
    fn add_variants(&self, finished: &Finished, fixed: &Log, place: Place) {
        let mut found = vec![];
        for (p, deeds) in finished.history.deeds.iter().enumerate() {
            let receives = deeds.iter().enumerate().filter_map(|(i, d)| match d {
                Deed::Receive { taken, .. } => Some((i, *taken)),
                Deed::Send(_) => None,
            });
            let name = finished.history.names[p];
            let decided = fixed.0.get(&name).map_or(0, Vec::len);
            for (n, (deed, taken)) in receives.enumerate().skip(decided) {
                let receive = Receive { proc: ProcId(p as u32), deed, nth: n as u32 + 1, taken };
                for other in finished.alternatives(&receive) {
                    let (forced, kept) = finished.variant(&receive, other);
                    if !self.frontier().begun.insert(forced.fingerprint()) {
                        continue;
                    }
                    let changed = Some((receive.proc, deed, other));
                    let choice = Choice { history: finished.history, kept, changed };
                    if choice.order(finished.matches, self.delivery).is_some() {
                        found.push(forced);
                    }
                }
            }
        }
        let mut frontier = self.frontier();
        if place.changes >= self.bounds.changes && !found.is_empty() {
            frontier.summary.left_out = true;
            found.clear();
        }
        // Half for the execution itself: how many its variants lead to nobody knows.
        let share = if found.is_empty() { 0.0 } else { place.share / 2.0 };
        frontier.summary.share += place.share - share;
        let place = Place { changes: place.changes + 1, share: share / found.len().max(1) as f64 };
        let task = |forced| Task { forced, races_after: Some(fixed.clone()), place };
        frontier.work.extend(found.into_iter().map(task));
    }
}

impl Finished<'_> {
    /// What else the receive could take: of each sender its first message that matches, if the
    /// receive itself did not cause it to be sent (004, Def. 5); or its time-out.
    fn alternatives(&self, receive: &Receive) -> Vec<Option<SignalId>> {
        let history = self.history;
        let p = receive.proc.0 as usize;
        let before = history.deeds[p][..receive.deed].iter();
        let consumed: HashSet<SignalId> = before
            .filter_map(|d| match d {
                Deed::Receive { taken, .. } => *taken,
                Deed::Send(_) => None,
            })
            .collect();
        let row = &self.matches[&(receive.proc, receive.deed)];
        let mut senders = HashSet::new();
        let mut found = vec![];
        for (id, fits) in history.inbox[p].iter().zip(row) {
            if !fits || consumed.contains(id) || !senders.insert(id.from) {
                continue;
            }
            let caused = at(&history.send_clocks[id], receive.proc) >= receive.nth;
            if Some(*id) != receive.taken && !caused {
                found.push(Some(*id));
            }
        }
        if receive.taken.is_some() && self.waits_finitely(receive) {
            found.push(None);
        }
        found
    }

    /// Whether the receive has an `after` that can fire.
    fn waits_finitely(&self, receive: &Receive) -> bool {
        let deed = self.history.deeds[receive.proc.0 as usize][receive.deed];
        let Deed::Receive { step, .. } = deed else { return false };
        let p = self.run.execution.proc(receive.proc);
        let i = p.actions_at(step).saturating_sub(1);
        self.run.program.code.waits_finitely(p.actions[i].pc)
    }

    /// What does not depend on the receive, with the receive taking the other thing: the log to
    /// follow, and how many deeds of each process it keeps.
    fn variant(&self, receive: &Receive, other: Option<SignalId>) -> (Log, Vec<usize>) {
        let history = self.history;
        let mut forced = Log::default();
        let mut kept = vec![];
        for (q, deeds) in history.deeds.iter().enumerate() {
            let mut receives = 0;
            let mut deeds_kept = 0;
            for d in deeds {
                if let Deed::Receive { .. } = d {
                    let clock = &history.receive_clocks[q][receives];
                    if at(clock, receive.proc) >= receive.nth {
                        break;
                    }
                    receives += 1;
                }
                deeds_kept += 1;
            }
            kept.push(deeds_kept);
            if receives > 0 {
                let own = &self.log.0[&history.names[q]];
                forced.0.insert(history.names[q], own[..receives].to_vec());
            }
        }
        kept[receive.proc.0 as usize] = receive.deed + 1;
        let taken = match other {
            Some(id) => Taken::Message(history.message_name(id)),
            None => Taken::Timeout,
        };
        forced.0.entry(history.names[receive.proc.0 as usize]).or_default().push(taken);
        (forced, kept)
    }
}
