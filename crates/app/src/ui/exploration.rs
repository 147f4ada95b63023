//! Exploring beside the session: threads of its own, progress as it comes, failures to open.

use crate::disk::unguessable_directory;
use crate::explore::{ExploreArgs, Findings, work};
use crate::program_args::ProgramArgs;
use reverl_analysis::explore::{Bounds, Explorer};
use reverl_analysis::feasible::Delivery;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

pub struct Exploration {
    state: Arc<State>,
}

struct State {
    explorer: Explorer,
    begun: Instant,
    stopped: AtomicBool,
    visited: AtomicU64,
    working: AtomicUsize,
    /// What each worker has found so far.
    found: Mutex<Vec<Findings>>,
    trouble: Mutex<Option<String>>,
    seconds: Mutex<Option<f64>>,
}

impl Exploration {
    pub fn start(program: ProgramArgs, asked: &Value) -> Result<Exploration, String> {
        let delivery = match asked["delivery"].as_str() {
            Some("instant") => Delivery::Instant,
            _ => Delivery::Pair,
        };
        let executions = asked["executions"].as_u64().unwrap_or(100_000);
        let bounds = Bounds { steps: 10_000_000, executions, ..Bounds::default() };
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let state = Arc::new(State {
            explorer: Explorer::new(delivery, bounds),
            begun: Instant::now(),
            stopped: AtomicBool::new(false),
            visited: AtomicU64::new(0),
            working: AtomicUsize::new(workers),
            found: Mutex::new(vec![Findings::default(); workers]),
            trouble: Mutex::new(None),
            seconds: Mutex::new(None),
        });
        let mut args = ExploreArgs::new(program);
        args.max_executions = executions;
        // Failing executions are kept to be opened.
        args.save = Some(unguessable_directory("reverl-explore"));
        for number in 0..workers {
            let (state, args) = (state.clone(), args.clone());
            let builder = std::thread::Builder::new().stack_size(crate::STACK);
            let started = builder.spawn(move || state.work(&args, delivery, number));
            started.map_err(|e| format!("cannot start a thread: {e}"))?;
        }
        Ok(Exploration { state })
    }

    pub fn stop(&self) {
        self.state.stopped.store(true, Ordering::SeqCst);
    }

    pub fn json(&self) -> Value {
        let state = &self.state;
        let mut all = Findings::default();
        let found = state.found.lock().unwrap_or_else(PoisonError::into_inner).clone();
        found.into_iter().for_each(|part| all.merge(part));
        let running = state.working.load(Ordering::SeqCst) > 0;
        let ended = *state.seconds.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = ended.unwrap_or_else(|| state.begun.elapsed().as_secs_f64());
        let mut data = all.json(&state.explorer.summary(), seconds);
        data["running"] = json!(running);
        data["visited"] = json!(state.visited.load(Ordering::Relaxed));
        data["complete"] = json!(!running && data["complete"] == json!(true));
        let trouble = state.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        data["trouble"] = json!(*trouble);
        data
    }
}

impl State {
    fn work(&self, args: &ExploreArgs, delivery: Delivery, worker: usize) {
        let mut told = Instant::now();
        let mut groups = 0;
        let tell = |findings: &Findings| {
            let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            found[worker] = findings.clone();
        };
        let done = work(args, &self.explorer, delivery, &mut |findings, number| {
            self.visited.fetch_max(number + 1, Ordering::Relaxed);
            // A new failure is told at once, counts now and then.
            if findings.kinds() != groups || told.elapsed().as_millis() > 200 {
                groups = findings.kinds();
                told = Instant::now();
                tell(findings);
            }
            !self.stopped.load(Ordering::Relaxed)
        });
        match done {
            Ok(findings) => tell(&findings),
            Err(why) => {
                *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
            }
        }
        if self.working.fetch_sub(1, Ordering::SeqCst) == 1 {
            let seconds = self.begun.elapsed().as_secs_f64();
            *self.seconds.lock().unwrap_or_else(PoisonError::into_inner) = Some(seconds);
        }
    }
}
