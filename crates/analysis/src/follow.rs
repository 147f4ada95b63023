//! Running a program as a log or a schedule says, and then as chance has it.

use crate::enumerate::{Take, is_possible};
use crate::explore::Bounds;
use crate::feasible::Delivery;
use crate::history::is_deed;
use crate::observation::{
    MessageName, Observation, ObservationLog, ProcName, message_name, name_of,
};
use crate::timeouts::Timeouts;
use reverl_causal::{EventRef, Happened, ProcId, SignalId, Step, System, Until};
use std::collections::HashMap;

/// A step in words that are the same in every execution. A process that runs goes on to its next
/// deed, which is not a receive.
pub type NamedStep = Step<ProcName, MessageName>;

/// A process goes on to its next deed.
pub fn act(proc: ProcName) -> NamedStep {
    Step::Run { proc, until: Until::Action(u64::MAX) }
}

/// The receive in which a process waits takes a message, or if there is none times out.
pub fn take(proc: ProcName, message: Option<MessageName>) -> NamedStep {
    match message {
        Some(message) => Step::Take { proc, message },
        None => Step::TimeOut { proc },
    }
}

/// Steps that a process runs before the next one's turn.
const SLICE: u64 = 10_000;

/// Steps that a process may take between two deeds while it is led.
const PATIENCE: u64 = 1_000_000;

/// Steps that a process may go on while an exit signal is on its way to it: one that never waits
/// would never die.
pub const GRACE: u64 = 100_000;

/// Leads a system along a schedule.
pub struct Follower<'f> {
    delivery: Delivery,
    bounds: Bounds,
    is_over: &'f dyn Fn() -> bool,
    names: HashMap<ProcName, ProcId>,
}

impl<'f> Follower<'f> {
    /// It stops when `is_over` says so.
    pub fn new(
        run: &mut System,
        delivery: Delivery,
        bounds: Bounds,
        is_over: &'f dyn Fn() -> bool,
    ) -> Follower<'f> {
        run.hold(delivery == Delivery::Pair);
        Follower { delivery, bounds, is_over, names: HashMap::new() }
    }

    pub fn proc(&mut self, run: &System, name: ProcName) -> Option<ProcId> {
        for p in self.names.len()..run.execution().procs().len() {
            let proc = ProcId(p as u32);
            self.names.insert(name_of(run.execution(), proc), proc);
        }
        self.names.get(&name).copied()
    }

    /// Does all of it; false if something cannot be done.
    pub fn along(&mut self, run: &mut System, schedule: &[NamedStep]) -> bool {
        schedule.iter().all(|step| self.step(run, step).is_some())
    }

    fn step(&mut self, run: &mut System, step: &NamedStep) -> Option<()> {
        if let Step::Deliver { signal, .. } = step {
            // An exit signal may have arrived already.
            let Some(signal) = find(run, &run.held_exits(), *signal) else { return Some(()) };
            let to = run.execution().signal(signal).to()?;
            return run.step(&Step::Deliver { signal, to }).ok().map(drop);
        }
        let (Step::Run { proc: name, .. }
        | Step::Answer { proc: name, .. }
        | Step::Take { proc: name, .. }
        | Step::TimeOut { proc: name }
        | Step::Assign { proc: name, .. }
        | Step::End { proc: name, .. }
        | Step::Fire { owner: name, .. }
        | Step::Deliver { to: name, .. }) = step;
        let proc = self.proc(run, *name)?;
        let is_fire = matches!(step, Step::Fire { .. });
        let went = if is_fire { Happened::Waits } else { self.go_on(run, proc) };
        if matches!(step, Step::Run { .. }) {
            return (went == Happened::Acted).then_some(());
        }
        let message = |name| find(run, run.held_for(proc), name);
        let step = step.renamed(|_| Some(proc), message)?;
        run.step(&step).ok().map(drop)
    }

    /// A process goes on to its next deed (`Acted`), or until it waits. `Paused` if it computes
    /// for too long, or cannot go on.
    pub fn go_on(&self, run: &mut System, proc: ProcId) -> Happened {
        if run.has_exited(proc) {
            return Happened::Paused;
        }
        let until = Until::Action(run.running(proc).process.steps() + PATIENCE);
        loop {
            match run.step(&Step::Run { proc, until }) {
                Ok(Happened::Waits) => return Happened::Waits,
                Ok(Happened::Exited) => return Happened::Acted,
                Ok(Happened::Acted) => {
                    let last = run.execution().proc(proc).actions.len() - 1;
                    if is_deed(run.execution(), EventRef::action(proc, last), self.delivery) {
                        return Happened::Acted;
                    }
                }
                _ => return Happened::Paused,
            }
        }
    }

    /// Whatever comes next, to the end: the oldest message that matches, and if there is none
    /// exit signals; timers and time-outs only when nothing else can happen, the shortest first.
    /// False if it was cut off.
    pub fn to_the_end(&self, run: &mut System) -> bool {
        loop {
            if (self.is_over)() {
                return false;
            }
            if !settle(run, self.bounds.steps) {
                return run.halted().is_some();
            }
            let free = waiting(run);
            if !self.anything(run, free) {
                return true;
            }
        }
    }

    /// One thing that can happen to those who wait or to somebody else, if there is any.
    fn anything(&self, run: &mut System, free: Vec<ProcId>) -> bool {
        if free.iter().any(|p| self.take_any(run, *p)) {
            return true;
        }
        if let Some(exit) = run.held_exits().first() {
            return let_arrive(run, *exit);
        }
        let timeout = first_timeout(run, free, self.bounds.timeouts);
        let timer = run.next_timer().zip(run.next_timer_in());
        let step = match (timer, timeout) {
            (Some((_, left)), Some((ms, proc))) if ms < left => Step::TimeOut { proc },
            (Some((timer, _)), _) => timer,
            (None, Some((_, proc))) => Step::TimeOut { proc },
            (None, None) => return false,
        };
        run.step(&step).is_ok()
    }

    /// The first of the messages that matches, and that the receive can really take.
    fn take_any(&self, run: &mut System, proc: ProcId) -> bool {
        let mut fitting = takes(run, proc, self.bounds.timeouts);
        fitting.retain(Option::is_some);
        let last = fitting.len().saturating_sub(1);
        for (i, id) in fitting.into_iter().flatten().enumerate() {
            let before = (i < last).then(|| run.moment());
            let taken = run.step(&Step::Take { proc, message: id }).is_ok();
            if taken && (before.is_none() || is_possible(run, self.delivery)) {
                return true;
            }
            before.into_iter().for_each(|before| run.resume(before));
        }
        false
    }
}

/// What a process that waits can take: of each stream the first message that matches; then the
/// time-out, unless it is a long one. What was sent after an exit signal comes after it.
pub fn takes(run: &mut System, proc: ProcId, timeouts: Timeouts) -> Vec<Take> {
    let exits = run.held_exits();
    let to_it = |id: &SignalId| run.execution().signal(*id).to() == Some(proc);
    let exits: Vec<SignalId> = exits.into_iter().filter(to_it).collect();
    let mut found: Vec<Take> = vec![];
    for i in 0..run.held_for(proc).len() {
        let id = run.held_for(proc)[i];
        let is_behind = exits.iter().any(|e| e.from == id.from && e.k < id.k);
        if is_behind || !run.would_take(proc, id) {
            continue;
        }
        let stream = |id| run.execution().stream(id);
        let same_stream = |t: &&mut Take| t.is_some_and(|other| stream(other) == stream(id));
        match found.iter_mut().find(same_stream) {
            // An exit signal that was trapped can be held later than what was sent after it.
            Some(other) => *other = (*other).min(Some(id)),
            None => found.push(Some(id)),
        }
    }
    // What a process sends itself is there at once.
    let has_own = found.iter().flatten().any(|id| run.execution().stream(*id) == (proc, None));
    if !has_own && run.receive_timeout(proc).is_some_and(|ms| timeouts.may_be_early(ms)) {
        found.push(None);
    }
    found
}

/// Of those that wait while nothing else can happen, the one whose time-out comes first.
pub fn first_timeout(
    run: &mut System,
    waiting: Vec<ProcId>,
    timeouts: Timeouts,
) -> Option<(u64, ProcId)> {
    let timeout = |p: ProcId| run.receive_timeout(p).map(|ms| (ms, p));
    let all = waiting.into_iter().filter_map(timeout);
    all.filter(|(ms, _)| timeouts.comes_when_idle(*ms)).min()
}

/// Runs every process until all wait or have ended. False if the steps are used up.
fn settle(run: &mut System, steps: u64) -> bool {
    loop {
        let exits = run.held_exits();
        let bound = if exits.is_empty() { steps } else { run.execution().steps() + GRACE };
        if run_all(run, bound.min(steps)) {
            return true;
        }
        if run.halted().is_some() || run.execution().steps() > steps {
            return false;
        }
        let busy = |id: &&SignalId| {
            run.execution().signal(**id).to().is_some_and(|to| !run.is_waiting(to))
        };
        match exits.iter().find(busy) {
            Some(exit) => drop(let_arrive(run, *exit)),
            None => return run_all(run, steps),
        }
    }
}

/// Runs every process that can run until all wait or have ended, or `steps` are used up.
pub fn run_all(run: &mut System, steps: u64) -> bool {
    while let Some(proc) = run.next_ready() {
        let until = Until::Steps(run.running(proc).process.steps().saturating_add(SLICE));
        let ran = run.step(&Step::Run { proc, until });
        if ran.is_err() || run.execution().steps() > steps || run.halted().is_some() {
            return false;
        }
    }
    true
}

/// An exit signal that was held arrives. False if it cannot.
fn let_arrive(run: &mut System, signal: SignalId) -> bool {
    let to = run.execution().signal(signal).to();
    to.is_some_and(|to| run.step(&Step::Deliver { signal, to }).is_ok())
}

/// How many of each process's receives have followed a log.
struct Following<'l> {
    forced: &'l ObservationLog,
    done: HashMap<ProcId, usize>,
}

impl Following<'_> {
    fn wanted(&self, run: &System, proc: ProcId) -> Option<Observation> {
        let name = name_of(run.execution(), proc);
        let done = self.done.get(&proc).copied().unwrap_or(0);
        self.forced.0.get(&name).and_then(|taken| taken.get(done)).copied()
    }

    /// Lets every process that waits take what the log says, as long as that is there. False if
    /// the steps are used up.
    fn go_on(&mut self, run: &mut System, steps: u64) -> bool {
        loop {
            if !run_all(run, steps) {
                return false;
            }
            let mut moved = false;
            for proc in waiting(run) {
                let took = match self.wanted(run, proc) {
                    Some(Observation::Timeout) => run.step(&Step::TimeOut { proc }).is_ok(),
                    Some(Observation::Message(message)) => {
                        let found = find(run, run.held_for(proc), message);
                        found.is_some_and(|message| run.step(&Step::Take { proc, message }).is_ok())
                    }
                    _ => false,
                };
                *self.done.entry(proc).or_default() += usize::from(took);
                moved |= took;
            }
            if !moved {
                return true;
            }
        }
    }

    fn is_followed(&self, run: &System) -> bool {
        let left = |p: &ProcId| self.wanted(run, *p).is_some();
        let taken: usize = self.done.values().sum();
        let wanted: usize = self.forced.0.values().map(Vec::len).sum();
        taken == wanted && !waiting(run).iter().any(left)
    }
}

pub fn waiting(run: &System) -> Vec<ProcId> {
    run.execution().ids().filter(|p| run.is_waiting(*p)).collect()
}

/// Runs from the beginning, each receive taking what the log says, and stops where it ends. False
/// if that is not possible.
pub fn follow_exactly(
    run: &mut System,
    forced: &ObservationLog,
    steps: u64,
    delivery: Delivery,
) -> bool {
    run.hold(delivery == Delivery::Pair);
    let mut following = Following { forced, done: HashMap::new() };
    // Where it is cut off is seen when it goes on.
    forced.0.is_empty() || {
        following.go_on(run, steps);
        following.is_followed(run)
    }
}

fn find(run: &System, among: &[SignalId], wanted: MessageName) -> Option<SignalId> {
    among.iter().copied().find(|id| message_name(run.execution(), *id) == wanted)
}
