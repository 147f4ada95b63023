//! Exploring beside the session: threads of its own, progress as it comes, failures to open.

use crate::disk::unguessable_directory;
use crate::explore::Arrival;
use crate::explore::workers::{Task, cores};
use crate::program_args::ProgramArgs;
use reverl_analysis::explore::Bounds;
use reverl_analysis::feasible::Delivery;
use reverl_analysis::timeouts::Timeouts;
use reverl_session::explore::{
    Expectations, FailureRules, Findings, LONG_TIMEOUT, Search, SearchReport, Simplification,
};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use ts_rs::TS;

/// Steps after which an execution is cut off.
const STEPS: u64 = 10_000_000;
/// Executions that are visited unless another number is asked for.
const EXECUTIONS: u64 = 100_000;

/// What the page asks to explore.
#[derive(Clone, Debug, Default, Deserialize, TS)]
pub struct ExploreRequest {
    #[serde(default)]
    #[ts(optional, as = "Option<Arrival>")]
    delivery: Arrival,
    #[serde(default)]
    #[ts(optional)]
    executions: Option<u64>,
    /// Ends a search instead of beginning one.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub stop: bool,
}

/// How far a search is, and what it has found.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ExplorationView {
    #[serde(flatten)]
    report: SearchReport,
    running: bool,
    visited: u64,
    /// Why it ended before its time.
    trouble: Option<String>,
}

/// A search that runs behind the page.
pub struct Exploration {
    state: Arc<State>,
}

/// Executions that went well which each worker keeps.
const GOOD: usize = 3;

struct State {
    search: Search,
    delivery: Delivery,
    bounds: Bounds,
    begun: Instant,
    stopped: AtomicBool,
    visited: AtomicU64,
    /// Workers that have not ended, and those of them that still search.
    working: AtomicUsize,
    searching: AtomicUsize,
    /// What each worker has found so far.
    found: Mutex<Vec<Findings>>,
    trouble: Mutex<Option<String>>,
    seconds: Mutex<Option<f64>>,
}

impl Exploration {
    pub fn start(program: ProgramArgs, asked: &ExploreRequest) -> Result<Exploration, String> {
        let executions = asked.executions.unwrap_or(EXECUTIONS);
        let timeouts = Timeouts::Short(LONG_TIMEOUT);
        let bounds = Bounds { steps: STEPS, executions, timeouts, ..Bounds::default() };
        let workers = cores();
        let delivery = asked.delivery.into();
        let state = Arc::new(State {
            search: Search::new(delivery, bounds, FailureRules::default()),
            delivery,
            bounds,
            begun: Instant::now(),
            stopped: AtomicBool::new(false),
            visited: AtomicU64::new(0),
            working: AtomicUsize::new(workers),
            searching: AtomicUsize::new(workers),
            found: Mutex::new(vec![Findings::default(); workers]),
            trouble: Mutex::new(None),
            seconds: Mutex::new(None),
        });
        let dir = unguessable_directory("reverl-explore");
        let expectations = Expectations::default();
        let task = Task { program, expectations, dir, is_test: false, keeps_good: GOOD };
        for number in 0..workers {
            let (state, task) = (state.clone(), task.clone());
            let builder = std::thread::Builder::new().stack_size(crate::STACK);
            let started = builder.spawn(move || state.work(&task, number));
            started.map_err(|e| format!("cannot start a thread: {e}"))?;
        }
        Ok(Exploration { state })
    }

    pub fn stop(&self) {
        self.state.stopped.store(true, Ordering::SeqCst);
    }

    pub fn view(&self) -> ExplorationView {
        let state = &self.state;
        let mut all = Findings::default();
        let found = state.found.lock().unwrap_or_else(PoisonError::into_inner).clone();
        found.into_iter().for_each(|part| all.merge(part));
        let running = state.working.load(Ordering::SeqCst) > 0;
        let ended = *state.seconds.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = ended.unwrap_or_else(|| state.begun.elapsed().as_secs_f64());
        let mut report = all.report(&state.search.summary(), seconds);
        report.assume(Timeouts::Short(LONG_TIMEOUT));
        report.complete &= !running;
        let trouble = state.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let visited = state.visited.load(Ordering::Relaxed);
        ExplorationView { report, running, visited, trouble }
    }
}

impl State {
    /// Tells each failure by a simple execution, and from when on it could not be avoided.
    fn simplify(&self, task: &Task) -> Result<(), String> {
        let mut all = Findings::default();
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner).clone();
        found.into_iter().for_each(|part| all.merge(part));
        if !all.has_failures() || self.stopped.load(Ordering::Relaxed) {
            return Ok(());
        }
        let (system, checks) = task.system()?;
        let (delivery, bounds) = (self.delivery, self.bounds);
        let simplification = Simplification {
            system: &system,
            past: None,
            delivery,
            bounds,
            deadline: None,
            checks: &checks,
        };
        simplification.look(&mut all, &mut task.recordings()).map_err(|why| why.to_string())?;
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = vec![all];
        Ok(())
    }

    fn work(&self, task: &Task, worker: usize) {
        let mut told = Instant::now();
        let mut groups = 0;
        let tell = |findings: &Findings| {
            let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            found[worker] = findings.clone();
        };
        let done = task.work(&self.search, &mut |findings, number| {
            self.visited.fetch_max(number + 1, Ordering::Relaxed);
            // A new failure is told at once, counts now and then.
            if findings.kinds() != groups || told.elapsed().as_millis() > 200 {
                groups = findings.kinds();
                told = Instant::now();
                tell(findings);
            }
            !self.stopped.load(Ordering::Relaxed)
        });
        let done = done.map(|findings| tell(&findings));
        // What all have found is told before the last one makes it simpler.
        let is_last = self.searching.fetch_sub(1, Ordering::SeqCst) == 1;
        let done = done.and_then(|()| if is_last { self.simplify(task) } else { Ok(()) });
        if let Err(why) = done {
            *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
        }
        if self.working.fetch_sub(1, Ordering::SeqCst) == 1 {
            let seconds = self.begun.elapsed().as_secs_f64();
            *self.seconds.lock().unwrap_or_else(PoisonError::into_inner) = Some(seconds);
        }
    }
}
