//! Visiting every execution that a program can have, each once, remembering none.
//!
//! Each execution is run with its messages and exit signals held back, so that only what receives
//! take, in what order shared things are touched, and when exit signals arrive matters. What comes
//! next is always the same after the same events (`crate::extend`); where a receive can take several
//! messages, each is tried from a kept moment. At the end of an execution, each of its new events may
//! lead to others in which it comes earlier (`crate::revisit`). An execution is found from one other
//! only, so what is left to visit is all that is kept, and parts of it have nothing to do with each
//! other: workers share it out.

mod walk;

use crate::extend::{Lead, Next, Take};
use crate::feasible::Delivery;
use crate::follow::{Follower, NamedStep, take};
use crate::history::{History, is_plain};
use crate::matching::MatchMemo;
use crate::observation::{ObservationLog, hash_of, message_name, name_of, receives_of};
use crate::realise::realise;
use crate::revisit::Revisits;
use crate::stamps::{Stamp, Stamps};
use crate::timeouts::Timeouts;
use reverl_causal::system::Moment;
use reverl_causal::{Execution, ProcId, Step, System};
use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

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
    /// Nobody waits for timers once the main process has ended, as with tests.
    pub ends_with_main: bool,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            steps: u64::MAX,
            executions: u64::MAX,
            changes: u32::MAX,
            timeouts: Timeouts::Any,
            ends_with_main: false,
        }
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

/// The beginning of executions that are still to be visited.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beginning {
    /// How to come there, and when each event was added.
    pub steps: Vec<(NamedStep, Stamp)>,
    /// What comes after it: the event that another one was put before.
    pub last: Option<(NamedStep, Stamp)>,
    /// Events of it that are not as they were.
    pub again: Vec<Again>,
    /// How many of the steps were done in another execution, and what these came to.
    pub kept: (usize, u64),
    /// It is one only if the last of the steps ends the process that it is about, or does not.
    pub ends: Option<bool>,
}

/// An event that was done again, after other events than before.
#[derive(Clone, Debug)]
pub(crate) struct Again {
    /// Its number.
    pub event: usize,
    /// The events that it is known to come after; `None` if its place is known.
    pub settled: Option<Vec<usize>>,
}

impl Beginning {
    /// The same for beginnings that come to the same.
    fn fingerprint(&self) -> u64 {
        let (count, kept) = self.kept;
        let added: Vec<&NamedStep> = self.steps[count..].iter().map(|(step, _)| step).collect();
        hash_of((kept, added))
    }
}

/// So many logs are kept in case that all have to be remembered later.
const MOST_SEEN: usize = 100_000;

/// Where in the search an execution is.
#[derive(Clone, Copy, Debug)]
struct Share {
    /// How many choices were not the first one.
    changes: u32,
    /// Which part of all executions is thought to be here.
    share: f64,
}

/// What is still to be visited, shared by all workers.
pub struct Explorer {
    delivery: Delivery,
    /// So many events of every execution are given.
    past: usize,
    bounds: Bounds,
    /// Where all executions begin.
    all: Beginning,
    frontier: Mutex<Frontier>,
    /// Something was added, or a worker has become idle.
    changed: Condvar,
    /// Workers that wait for something to do.
    idle: AtomicUsize,
    is_over: IsOver,
}

/// Whether a search has to stop, wherever it is.
pub type IsOver = Box<dyn Fn() -> bool + Send + Sync>;

#[derive(Default)]
struct Frontier {
    work: Vec<(Beginning, Share)>,
    /// Whether what was visited is remembered from now on.
    remembers: bool,
    /// Logs that were visited: all, or as many as are needed to begin to remember.
    seen: HashSet<u64>,
    /// What was gone on from, while all is remembered.
    begun: HashSet<u64>,
    /// Workers that may still add to `work`.
    busy: usize,
    stopped: bool,
    summary: Summary,
}

impl Explorer {
    /// A search that has not begun.
    pub fn new(delivery: Delivery, bounds: Bounds) -> Explorer {
        Explorer::of(Beginning::default(), delivery, bounds)
    }

    /// Explores what can happen after all that has happened in an execution.
    pub fn after(execution: &Execution, delivery: Delivery, bounds: Bounds) -> Explorer {
        let schedule = History::of(execution).schedule(execution, |_| true);
        let stamped = |(i, step)| (step, Stamp::new(i as u32));
        let steps = schedule.into_iter().enumerate().map(stamped).collect();
        Explorer::of(Beginning { steps, ..Beginning::default() }, delivery, bounds)
    }

    fn of(all: Beginning, delivery: Delivery, bounds: Bounds) -> Explorer {
        let past = all.steps.len();
        let work = vec![(all.clone(), Share { changes: 0, share: 1.0 })];
        Explorer {
            all,
            delivery,
            past,
            bounds,
            frontier: Mutex::new(Frontier { work, ..Frontier::default() }),
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
    fn next(&self) -> Option<(Beginning, Share)> {
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
        while let Some((beginning, place)) = self.next() {
            let goes_on = walk::Walk::from(self, system, beginning, place).all(visit);
            let mut frontier = self.frontier();
            frontier.busy -= 1;
            frontier.stopped |= !goes_on;
            self.changed.notify_all();
        }
    }

    fn remembers(&self) -> bool {
        self.frontier().remembers
    }

    /// From now on all is remembered that was visited, and the search begins once more: where exit
    /// signals end processes, an execution can be come to in several ways.
    fn remember(&self) {
        let mut frontier = self.frontier();
        frontier.remembers = true;
        if frontier.summary.executions > MOST_SEEN as u64 {
            frontier.summary.unexplored.insert("exit signals that come late in a long search");
        }
        let share = Share { changes: 0, share: 0.0 };
        let all = (self.all.clone(), share);
        frontier.work.push(all);
    }

    /// Something was not visited that should have been: then nothing is complete.
    fn could_not_be_led(&self) {
        self.frontier().summary.unexplored.insert("an order that could not be done again");
    }

    /// Whether an execution has not been visited, as far as that is known.
    fn is_new(&self, log: impl Fn() -> ObservationLog) -> bool {
        let mut frontier = self.frontier();
        if !frontier.remembers && frontier.seen.len() >= MOST_SEEN {
            return true;
        }
        let is_new = frontier.seen.insert(log().fingerprint());
        is_new || !frontier.remembers
    }

    /// Whether nobody has gone on from here.
    fn is_first(&self, here: u64) -> bool {
        self.frontier().begun.insert(here)
    }

    /// The number of an execution that is visited now; `None` if no more may be.
    fn count(&self, unexplored: &BTreeSet<&'static str>, settled: bool) -> Option<u64> {
        let mut frontier = self.frontier();
        if frontier.stopped || frontier.summary.executions >= self.bounds.executions {
            frontier.stopped = true;
            return None;
        }
        let summary = &mut frontier.summary;
        summary.executions += 1;
        summary.unexplored.extend(unexplored);
        summary.cut_off += u64::from(!settled);
        Some(summary.executions - 1)
    }
}
