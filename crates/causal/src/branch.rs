//! A branch: another future of the same past.
//!
//! The past is lived through again: every event of the cut happens in its old order, answered
//! as it was answered then. What comes out is a system that is alive at the cut, and whose
//! processes, messages and references have the names they had.

use crate::cut::Cut;
use crate::execution::*;
use crate::script::{self, Family, Line};
use crate::system::{System, Until};
use crate::world::World;
use reverl_machine::Raise;
use reverl_term::Term;

/// After so many events of a past it is asked whether to go on.
const ASKED_EVERY: usize = 4096;

impl System {
    /// A system that is alive at the cut.
    pub fn branch(&self, cut: &Cut) -> System {
        self.branch_while(cut, &mut |_| true).expect("nobody stops it")
    }

    /// As `branch`, for as long as `more` says so, which is asked now and then.
    pub fn branch_while(&self, cut: &Cut, more: &mut dyn FnMut(&System) -> bool) -> Option<System> {
        let mut branch = self.beginning();
        branch.expect(&script::family(&self.execution));
        let world = branch.silence();
        let whole = script::script(&self.execution, cut).enumerate().all(|(i, line)| {
            let goes_on = i % ASKED_EVERY != 0 || more(&branch);
            if goes_on {
                branch.relive(&line).expect("the past can be lived again");
            }
            goes_on
        });
        if whole {
            branch.relive_steps(cut);
        }
        branch.world = world;
        branch.instant = self.instant;
        whole.then_some(branch)
    }

    /// The same program before anything has happened.
    pub fn beginning(&self) -> System {
        let mut system = System::booted(self.world.clone(), self.roots.clone());
        system.own_names = self.own_names.clone();
        system
    }

    /// Nothing goes out or comes in until what is returned is put back.
    fn silence(&mut self) -> World {
        self.instant = false;
        let silent = self.world.silent();
        std::mem::replace(&mut self.world, silent)
    }

    /// Lives through what was recorded, up to the first line that does not fit.
    pub fn relive_all<'l>(
        &mut self,
        family: &Family,
        lines: impl Iterator<Item = &'l Line>,
        cut: Option<&Cut>,
    ) -> Result<(), Diverged> {
        self.expect(family);
        let instant = self.instant;
        let world = self.silence();
        let mut done = Ok(());
        for (i, line) in lines.enumerate() {
            if let Err(what) = self.relive(line) {
                done = Err(Diverged { event: i, what });
                break;
            }
        }
        if let (Some(cut), Ok(())) = (cut, &done) {
            self.relive_steps(cut);
        }
        self.answers = None;
        self.world = world;
        self.instant = instant;
        done
    }

    /// The steps of each process after its last event.
    fn relive_steps(&mut self, cut: &Cut) {
        let procs: Vec<ProcId> = self.execution.ids().collect();
        for proc in procs {
            let steps = cut.place(proc).steps;
            if !self.has_exited(proc) && self.live(proc).process.steps() < steps {
                self.run_until(proc, steps, Until::Limit);
            }
        }
        self.answers = None;
    }

    fn relive(&mut self, line: &Line) -> Result<(), &'static str> {
        match line {
            Line::Act { proc, step, input } => {
                let proc = self.expected(*proc)?;
                self.answers = match input {
                    Some(input) => Some(input.answer().ok_or("an input that is no term")?),
                    None => None,
                };
                let before = self.execution.proc(proc).actions.len();
                self.run_until(proc, *step, Until::Action);
                self.answers = None;
                let action = self.execution.proc(proc).actions.get(before);
                let fits = action.is_some_and(|a| a.step == *step);
                if fits { Ok(()) } else { Err("the process does something else") }
            }
            Line::Timeout { proc, step } => {
                let proc = self.expected(*proc)?;
                let before = self.execution.proc(proc).actions.len();
                self.run_until(proc, step.saturating_sub(1), Until::Action);
                // `after 0` has timed out by itself.
                if self.execution.proc(proc).actions.len() == before {
                    if !self.live(proc).process.is_waiting() {
                        return Err("the process does not wait");
                    }
                    self.time_out(proc);
                }
                Ok(())
            }
            Line::Exit { proc } => {
                let proc = self.expected(*proc)?;
                self.run_until(proc, u64::MAX, Until::Action);
                if self.has_exited(proc) { Ok(()) } else { Err("the process does not end") }
            }
            Line::Deliver { from, k, to, kills_at } => {
                let (from, to) = (self.expected(*from)?, self.expected(*to)?);
                self.relive_delivery(SignalId { from, k: *k }, to, *kills_at)
            }
            Line::Fire { owner, started_by } => {
                let owner = self.expected(*owner)?;
                self.fire_timer_of(owner, *started_by).ok_or("there is no such timer")
            }
        }
    }

    fn expected(&self, proc: u32) -> Result<ProcId, &'static str> {
        let known = self.execution.procs.get(proc as usize).is_some_and(|p| p.is_spawned);
        if known { Ok(ProcId(proc)) } else { Err("a process that was not spawned") }
    }

    fn relive_delivery(
        &mut self,
        signal: SignalId,
        to: ProcId,
        kills_at: Option<u64>,
    ) -> Result<(), &'static str> {
        if let Some(last) = kills_at {
            // It dies at the step at which it died.
            self.run_until(to, last, Until::Limit);
        }
        self.make_answered(signal, to)?;
        let before = self.execution.proc(to).deliveries.len();
        self.deliver_next(signal.from, to);
        let delivered = self.execution.proc(to).deliveries.get(before).map(|d| d.signal);
        if delivered == Some(signal) { Ok(()) } else { Err("another signal arrives") }
    }

    /// A dead process answers when a link or monitor reaches it, which is no event of its own.
    fn make_answered(&mut self, signal: SignalId, to: ProcId) -> Result<(), &'static str> {
        while !self.execution.is_sent(signal) {
            if self.in_network(to, signal.from) == 0 {
                return Err("a signal that was not sent");
            }
            self.answer_number = Some(signal.k);
            self.deliver_next(to, signal.from);
            self.answer_number = None;
        }
        Ok(())
    }

    /// Lets a signal that was sent to `to` arrive, after all that must arrive before it. Returns
    /// how many arrived; 0 if it cannot.
    pub fn bring(&mut self, signal: SignalId, to: ProcId) -> usize {
        let instant = std::mem::replace(&mut self.instant, false);
        let before = self.execution.proc(to).deliveries.len();
        if self.make_answered(signal, to).is_ok() {
            if *self.execution.kind(signal) == SignalKind::Timer {
                let started_by = self.execution.signal(signal).sent_by();
                self.fire_timer_of(signal.from, started_by);
            }
            let is_missing = |s: &System| s.execution.signal(signal).delivery().is_none();
            while is_missing(self) && self.in_network(signal.from, to) > 0 {
                self.deliver_next(signal.from, to);
            }
        }
        self.instant = instant;
        self.execution.proc(to).deliveries.len() - before
    }

    /// Reserves the places of all processes that there were, so that whoever is spawned again is
    /// the same as before.
    pub(crate) fn expect(&mut self, family: &Family) {
        let nothing = self.execution.proc(self.main).entry.clone();
        let leader = self.execution.proc(self.main).group_leader.clone();
        for &(parent, k, child, pid) in &family.0 {
            // In order of the children's numbers; a number left out was never used.
            while self.execution.procs.len() < child as usize {
                let unused = crate::system::local_pid(u32::MAX - self.execution.procs.len() as u32);
                self.reserve_unnamed(unused, nothing.clone(), leader.clone());
            }
            if self.execution.procs.len() == child as usize {
                let pid = reverl_term::Pid::local(pid as u32, (pid >> 32) as u32);
                self.reserve(pid, nothing.clone(), leader.clone());
            }
            self.execution.minted.insert((ProcId(parent), k), ProcId(child));
        }
    }

    /// The answer that a request had the last time, while the past is lived again.
    pub(crate) fn old_answer(&mut self) -> Option<Result<Term, Raise>> {
        self.answers.take()
    }
}

/// A recording that does not fit the program.
#[derive(Clone, Debug)]
pub struct Diverged {
    /// The number of the event.
    pub event: usize,
    pub what: &'static str,
}
