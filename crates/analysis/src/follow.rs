//! Running a program so that its receives take what a log says.

use crate::enumerate::is_possible;
use crate::feasible::Delivery;
use crate::history::{Log, MessageName, Taken};
use reverl_causal::{ProcId, SignalId, System};
use std::collections::HashMap;

/// How many of each process's receives have followed a log.
struct Following<'l> {
    forced: &'l Log,
    done: HashMap<ProcId, usize>,
}

impl Following<'_> {
    fn wanted(&self, run: &System, proc: ProcId) -> Option<Taken> {
        let name = crate::history::name_of(&run.execution, proc);
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
                    None => false,
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
pub fn follow_exactly(run: &mut System, forced: &Log, steps: u64) -> bool {
    run.hold();
    let mut following = Following { forced, done: HashMap::new() };
    following.go_on(run, steps) && following.is_followed(run)
}

/// Runs from the beginning, each receive taking what the log says; beyond it, the oldest message
/// that matches, and time-outs only when nothing else can happen. False if it was cut off.
pub fn follow(run: &mut System, forced: &Log, steps: u64, delivery: Delivery) -> bool {
    run.hold();
    let mut following = Following { forced, done: HashMap::new() };
    loop {
        // What the log says goes first: other choices must be possible together with it.
        if !following.go_on(run, steps) {
            return run.halted().is_some();
        }
        let free: Vec<ProcId> =
            waiting(run).into_iter().filter(|p| following.wanted(run, *p).is_none()).collect();
        if free.iter().any(|p| take_any(run, *p, delivery)) || run.fire_next_timer() {
            continue;
        }
        let patience = |p: ProcId, run: &mut System| run.patience(p).map(|ms| (ms, p));
        match free.into_iter().filter_map(|p| patience(p, run)).min() {
            Some((_, proc)) => run.let_time_out(proc),
            None => return true,
        }
    }
}

/// The first of the messages that matches, and that the receive can really take.
fn take_any(run: &mut System, proc: ProcId, delivery: Delivery) -> bool {
    let held = run.held_for(proc);
    let fitting: Vec<SignalId> = held.into_iter().filter(|id| run.would_take(proc, *id)).collect();
    let Some((last, others)) = fitting.split_last() else { return false };
    for id in others {
        let before = run.moment();
        if run.offer(proc, *id) && is_possible(run, delivery) {
            return true;
        }
        run.resume(before);
    }
    run.offer(proc, *last)
}

fn find(run: &System, held: &[SignalId], wanted: MessageName) -> Option<SignalId> {
    held.iter().copied().find(|id| {
        id.k == wanted.k && crate::history::name_of(&run.execution, id.from) == wanted.from
    })
}
