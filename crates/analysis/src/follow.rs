//! Running a program as a log or a schedule says, and then as chance has it.

use crate::enumerate::{Take, is_possible};
use crate::feasible::Delivery;
use crate::history::is_deed;
use crate::log::{Log, MessageName, Name, Taken, message_name, name_of};
use reverl_causal::{EventRef, ProcId, Progress, SignalId, System, Until};
use std::collections::HashMap;

/// One thing that happens, in words that are the same in every execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Do {
    /// The process goes on to its next deed, which is no receive.
    Act(Name),
    /// The receive in which it waits takes this message.
    Take(Name, MessageName),
    TimeOut(Name),
    /// An exit signal arrives.
    Arrive(MessageName),
    /// The timer fires that the process's action of this number started.
    Fire(Name, u32),
}

/// What became of letting a process go on to its next deed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Went {
    Acted,
    Waits,
    /// It computes for too long.
    Nowhere,
}

/// Steps that a process may take between two deeds while it is led.
const PATIENCE: u64 = 1_000_000;

/// Steps that a process may go on while an exit signal is on its way to it: one that never waits
/// would never die.
pub const GRACE: u64 = 100_000;

/// Leads a system along a schedule.
pub struct Lead {
    delivery: Delivery,
    names: HashMap<Name, ProcId>,
}

impl Lead {
    pub fn new(run: &mut System, delivery: Delivery) -> Lead {
        run.hold(delivery == Delivery::Pair);
        Lead { delivery, names: HashMap::new() }
    }

    pub fn proc(&mut self, run: &System, name: Name) -> Option<ProcId> {
        for p in self.names.len()..run.execution.procs.len() {
            let proc = ProcId(p as u32);
            self.names.insert(name_of(&run.execution, proc), proc);
        }
        self.names.get(&name).copied()
    }

    /// Does all of it; false if something cannot be done.
    pub fn along(&mut self, run: &mut System, schedule: &[Do]) -> bool {
        schedule.iter().all(|step| self.step(run, *step).is_some())
    }

    fn step(&mut self, run: &mut System, step: Do) -> Option<()> {
        let possible = match step {
            Do::Act(name) => {
                let proc = self.proc(run, name)?;
                self.go_on(run, proc) == Went::Acted
            }
            Do::Take(name, message) => {
                let proc = self.proc(run, name)?;
                self.go_on(run, proc);
                let found = find(run, &run.held_for(proc), message)?;
                run.is_waiting(proc) && run.offer(proc, found)
            }
            Do::TimeOut(name) => {
                let proc = self.proc(run, name)?;
                self.go_on(run, proc);
                let waits = run.is_waiting(proc);
                if waits {
                    run.let_time_out(proc);
                }
                waits
            }
            Do::Arrive(name) => {
                let found = find(run, &run.exits_on_their_way(), name);
                found.is_none_or(|id| run.let_arrive(id))
            }
            Do::Fire(name, started_by) => {
                let proc = self.proc(run, name)?;
                run.fire_timer(proc, started_by)
            }
        };
        possible.then_some(())
    }

    /// A process goes on to its next deed, or until it waits.
    pub fn go_on(&self, run: &mut System, proc: ProcId) -> Went {
        if run.has_exited(proc) {
            return Went::Nowhere;
        }
        let limit = run.live(proc).process.steps() + PATIENCE;
        loop {
            match run.run_until(proc, limit, Until::Action) {
                Progress::Blocked => return Went::Waits,
                Progress::Exited => return Went::Acted,
                Progress::Acted => {
                    let last = run.execution.proc(proc).actions.len() - 1;
                    if is_deed(&run.execution, EventRef::action(proc, last), self.delivery) {
                        return Went::Acted;
                    }
                }
                Progress::Paused | Progress::Watched => return Went::Nowhere,
            }
        }
    }

    /// Whatever comes next, to the end: the oldest message that matches, and if there is none
    /// timers, then exit signals, and time-outs only when nothing else can happen. False if it
    /// was cut off.
    pub fn to_the_end(&self, run: &mut System, steps: u64) -> bool {
        loop {
            if !settle(run, steps) {
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
        if free.iter().any(|p| self.take_any(run, *p)) || run.fire_next_timer() {
            return true;
        }
        if let Some(exit) = run.exits_on_their_way().first() {
            return run.let_arrive(*exit);
        }
        let patience = |p: ProcId, run: &mut System| run.patience(p).map(|ms| (ms, p));
        let next = free.into_iter().filter_map(|p| patience(p, run)).min();
        next.inspect(|(_, proc)| run.let_time_out(*proc)).is_some()
    }

    /// The first of the messages that matches, and that the receive can really take.
    fn take_any(&self, run: &mut System, proc: ProcId) -> bool {
        let mut fitting = takes(run, proc);
        fitting.retain(Option::is_some);
        let last = fitting.len().saturating_sub(1);
        for (i, id) in fitting.into_iter().flatten().enumerate() {
            let before = (i < last).then(|| run.moment());
            if run.offer(proc, id) && (before.is_none() || is_possible(run, self.delivery)) {
                return true;
            }
            before.into_iter().for_each(|before| run.resume(before));
        }
        false
    }
}

/// What a process that waits can take: of each sender the first message that matches; then the
/// time-out. What was sent after an exit signal comes after it.
pub fn takes(run: &mut System, proc: ProcId) -> Vec<Take> {
    let exits = run.exits_on_their_way();
    let to_it = |id: &SignalId| run.execution.signal(*id).to() == Some(proc);
    let exits: Vec<SignalId> = exits.into_iter().filter(to_it).collect();
    let mut found: Vec<Take> = vec![];
    for i in 0..run.held_count(proc) {
        let id = run.held_at(proc, i);
        let is_behind = exits.iter().any(|e| e.from == id.from && e.k < id.k);
        if is_behind || !run.would_take(proc, id) {
            continue;
        }
        let same_sender = |t: &&mut Take| t.is_some_and(|other| other.from == id.from);
        match found.iter_mut().find(same_sender) {
            // An exit signal that was trapped can be held later than what was sent after it.
            Some(other) => *other = (*other).min(Some(id)),
            None => found.push(Some(id)),
        }
    }
    if run.patience(proc).is_some() {
        found.push(None);
    }
    found
}

/// Runs every process until all wait or have ended. False if the steps are used up.
fn settle(run: &mut System, steps: u64) -> bool {
    loop {
        let exits = run.exits_on_their_way();
        let bound = if exits.is_empty() { steps } else { run.execution.steps() + GRACE };
        if run.settle(bound.min(steps)) {
            return true;
        }
        if run.halted().is_some() || run.execution.steps() > steps {
            return false;
        }
        let busy =
            |id: &&SignalId| run.execution.signal(**id).to().is_some_and(|to| !run.is_waiting(to));
        match exits.iter().find(busy) {
            Some(exit) => drop(run.let_arrive(*exit)),
            None => return run.settle(steps),
        }
    }
}

/// How many of each process's receives have followed a log.
struct Following<'l> {
    forced: &'l Log,
    done: HashMap<ProcId, usize>,
}

impl Following<'_> {
    fn wanted(&self, run: &System, proc: ProcId) -> Option<Taken> {
        let name = name_of(&run.execution, proc);
        let done = self.done.get(&proc).copied().unwrap_or(0);
        self.forced.0.get(&name).and_then(|taken| taken.get(done)).copied()
    }

    /// Lets every process that waits take what the log says, as long as that is there. False if
    /// the steps are used up.
    fn go_on(&mut self, run: &mut System, steps: u64) -> bool {
        loop {
            if !run.settle(steps) {
                return false;
            }
            let mut moved = false;
            for proc in waiting(run) {
                let took = match self.wanted(run, proc) {
                    Some(Taken::Timeout) => {
                        run.let_time_out(proc);
                        true
                    }
                    Some(Taken::Message(message)) => {
                        let found = find(run, &run.held_for(proc), message);
                        found.is_some_and(|id| run.offer(proc, id))
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

fn waiting(run: &System) -> Vec<ProcId> {
    run.execution.ids().filter(|p| run.is_waiting(*p)).collect()
}

/// Runs from the beginning, each receive taking what the log says, and stops where it ends. False
/// if that is not possible.
pub fn follow_exactly(run: &mut System, forced: &Log, steps: u64, delivery: Delivery) -> bool {
    run.hold(delivery == Delivery::Pair);
    let mut following = Following { forced, done: HashMap::new() };
    // Where it is cut off is seen when it goes on.
    forced.0.is_empty() || {
        following.go_on(run, steps);
        following.is_followed(run)
    }
}

/// Runs from the beginning, each receive taking what the log says; beyond it, whatever comes
/// next.
pub fn follow(run: &mut System, forced: &Log, steps: u64, delivery: Delivery) -> bool {
    let lead = Lead::new(run, delivery);
    let mut following = Following { forced, done: HashMap::new() };
    loop {
        // What the log says goes first: other choices must be possible together with it.
        if !following.go_on(run, steps) {
            return run.halted().is_some();
        }
        let free: Vec<ProcId> =
            waiting(run).into_iter().filter(|p| following.wanted(run, *p).is_none()).collect();
        if !lead.anything(run, free) {
            return true;
        }
    }
}

fn find(run: &System, among: &[SignalId], wanted: MessageName) -> Option<SignalId> {
    among.iter().copied().find(|id| message_name(&run.execution, *id) == wanted)
}
