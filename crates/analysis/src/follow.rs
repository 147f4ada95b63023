//! Running a program as a schedule says.

use crate::history::is_deed;
use crate::observation::{MessageName, ProcName, message_name, name_of};
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
pub const SLICE: u64 = 10_000;

/// Steps that a process may take between two deeds while it is led.
const PATIENCE: u64 = 1_000_000;

/// Steps that a process may go on while an exit signal is on its way to it: one that never waits
/// would never die.
pub const GRACE: u64 = 100_000;

/// Leads a system along a schedule.
#[derive(Clone, Default)]
pub struct Follower {
    names: HashMap<ProcName, ProcId>,
    /// A message was taken before another that must have arrived earlier.
    pub has_skipped: bool,
}

impl Follower {
    pub fn proc(&mut self, run: &System, name: ProcName) -> Option<ProcId> {
        for p in self.names.len()..run.execution().procs().len() {
            let proc = ProcId(p as u32);
            self.names.insert(name_of(run.execution(), proc), proc);
        }
        self.names.get(&name).copied()
    }

    /// Whether the process that a step is about has ended.
    pub fn is_over_for(&mut self, run: &System, step: &NamedStep) -> bool {
        self.proc(run, whose(step)).is_none_or(|proc| run.has_exited(proc))
    }

    /// Does a step; `None` if it cannot be done.
    pub fn step(&mut self, run: &mut System, step: &NamedStep) -> Option<()> {
        if let Step::Deliver { signal, .. } = step {
            let signal = find(run, &run.held_exits(), *signal)?;
            let to = run.execution().signal(signal).to()?;
            return run.step(&Step::Deliver { signal, to }).ok().map(drop);
        }
        let proc = self.proc(run, whose(step))?;
        let is_fire = matches!(step, Step::Fire { .. });
        let went = if is_fire { Happened::Waits } else { self.go_on(run, proc) };
        if matches!(step, Step::Run { .. }) {
            return (went == Happened::Acted).then_some(());
        }
        let message = |name| find(run, run.held_for(proc), name);
        let step = step.renamed(|_| Some(proc), message)?;
        if let Step::Take { message, .. } = step {
            self.has_skipped |= skips(run, proc, message);
        }
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
                    if is_deed(run.execution(), EventRef::action(proc, last)) {
                        return Happened::Acted;
                    }
                }
                _ => return Happened::Paused,
            }
        }
    }
}

/// The process that a step is about.
fn whose(step: &NamedStep) -> ProcName {
    let (Step::Run { proc: name, .. }
    | Step::Answer { proc: name, .. }
    | Step::Take { proc: name, .. }
    | Step::TimeOut { proc: name }
    | Step::Assign { proc: name, .. }
    | Step::End { proc: name, .. }
    | Step::Fire { owner: name, .. }
    | Step::Deliver { to: name, .. }) = step;
    *name
}

/// Whether taking a message passes over one that must have arrived earlier: of the same sender, or
/// of the process itself.
pub fn skips(run: &System, proc: ProcId, taken: SignalId) -> bool {
    let held = run.held_for(proc);
    let mut earlier = held.iter().take_while(|e| **e != taken);
    earlier.any(|e| e.from == taken.from) || held.iter().any(|e| *e != taken && e.from == proc)
}

/// An exit signal that was held arrives. False if it cannot.
pub fn let_arrive(run: &mut System, signal: SignalId) -> bool {
    let to = run.execution().signal(signal).to();
    to.is_some_and(|to| run.step(&Step::Deliver { signal, to }).is_ok())
}

pub fn waiting(run: &System) -> Vec<ProcId> {
    run.execution().ids().filter(|p| run.is_waiting(*p)).collect()
}

fn find(run: &System, among: &[SignalId], wanted: MessageName) -> Option<SignalId> {
    among.iter().copied().find(|id| message_name(run.execution(), *id) == wanted)
}
