//! A branch: another future of the same past.
//!
//! The past is replayed: every event of the cut happens in its old order, answered as it was
//! answered then. What comes out is a system that is alive at the cut, and whose processes,
//! messages and references have the names they had.

use crate::cut::Cut;
use crate::execution::*;
use crate::script::{self, Family};
use crate::step::{Happened, Impossible, Step, Until};
use crate::system::{Arrivals, System};

/// After so many events of a past it is asked whether to go on.
const ASKED_EVERY: usize = 4096;

impl System {
    /// A system that is alive at the cut.
    pub fn branch(&self, cut: &Cut) -> System {
        self.branch_while(cut, &mut |_| true).expect("nobody stops it")
    }

    /// As `branch`, for as long as `more` says so, which is asked now and then.
    pub fn branch_while(&self, cut: &Cut, more: &mut dyn FnMut(&System) -> bool) -> Option<System> {
        let mut steps = 0;
        self.branch_by_steps(cut, &mut |branch| {
            steps += 1;
            steps % ASKED_EVERY != 1 || more(branch)
        })
    }

    /// As `branch`, for as long as `more` says so, which is asked before every step.
    pub fn branch_by_steps(
        &self,
        cut: &Cut,
        more: &mut dyn FnMut(&System) -> bool,
    ) -> Option<System> {
        let mut branch = self.beginning();
        branch.reserve_children(&script::family(&self.execution));
        let arrivals = self.present.arrivals.clone();
        let whole = branch.quietly(|branch| {
            let start = Cut::start(&self.execution);
            let mut steps = script::script(&self.execution, &start, cut);
            let whole = steps.all(|step| {
                let goes_on = more(branch);
                if goes_on {
                    branch.repeat(&step).expect("what has happened can happen again");
                }
                goes_on
            });
            if whole {
                branch.repeat_steps(cut);
            }
            whole
        });
        branch.present.arrivals = arrivals;
        whole.then_some(branch)
    }

    /// The same program before anything has happened.
    pub fn beginning(&self) -> System {
        let mut system = System::booted(self.world.clone(), self.roots.clone());
        system.elsewhere.own_names = self.elsewhere.own_names.clone();
        system.elsewhere.told_of_nobody = self.elsewhere.told_of_nobody.clone();
        system
    }

    /// Does something while nothing goes out or comes in, and nothing arrives by itself.
    fn quietly<R>(&mut self, act: impl FnOnce(&mut System) -> R) -> R {
        let silent = self.world.silent();
        let world = std::mem::replace(&mut self.world, silent);
        let arrivals = std::mem::replace(&mut self.present.arrivals, Arrivals::Queued);
        let done = act(self);
        self.present.arrivals = arrivals;
        self.world = world;
        done
    }

    /// Replays what was recorded, up to the first step that does not fit.
    pub fn replay(
        &mut self,
        family: &Family,
        steps: impl Iterator<Item = Step>,
        cut: Option<&Cut>,
    ) -> Result<(), Diverged> {
        self.reserve_children(family);
        self.quietly(|system| {
            for (number, step) in steps.enumerate() {
                system.repeat(&step).map_err(|why| Diverged { step: number, why })?;
            }
            cut.into_iter().for_each(|cut| system.repeat_steps(cut));
            Ok(())
        })
    }

    /// The steps of each process after its last event.
    fn repeat_steps(&mut self, cut: &Cut) {
        let procs: Vec<ProcId> = self.execution.ids().collect();
        for proc in procs {
            let steps = cut.place(proc).steps;
            if !self.has_exited(proc) && self.running(proc).process.steps() < steps {
                let _ = self.step(&Step::Run { proc, until: Until::Steps(steps) });
            }
        }
    }

    /// A step of a script happens again. It leads to the same event, or does not fit.
    fn repeat(&mut self, step: &Step) -> Result<(), Impossible> {
        let expected = match step {
            Step::Run { proc, until: Until::Action(at) } => Some((*proc, *at)),
            _ => None,
        };
        let needs = matches!(step, Step::Run { until: Until::Need(_), .. });
        let happened = self.step(step)?;
        let fits = match expected {
            Some((proc, at)) => {
                let last = self.execution.proc(proc).actions.last();
                let acted = matches!(happened, Happened::Acted | Happened::Exited);
                acted && last.is_some_and(|a| a.step == at)
            }
            None => !needs || happened == Happened::Asks,
        };
        if fits { Ok(()) } else { Err(Impossible::DoesOtherwise) }
    }

    /// Reserves the places of all processes that there were, so that whoever is spawned again is
    /// the same as before.
    pub fn reserve_children(&mut self, family: &Family) {
        let nothing = self.execution.proc(self.main).entry.clone();
        let leader = self.execution.proc(self.main).group_leader.clone();
        let most = self.execution.procs.len() + family.0.len() + MOST_UNUSED;
        // A number far from all others is damage.
        let rows = family.0.iter().filter(|(_, _, child, _)| (*child as usize) < most);
        for &(parent, k, child, pid) in rows {
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
}

/// How many numbers of processes a family may leave out: those that only other branches used.
const MOST_UNUSED: usize = 1 << 20;

/// A recording that does not fit the program.
#[derive(Clone, Debug)]
pub struct Diverged {
    /// The number of the step.
    pub step: usize,
    /// Why it cannot be done.
    pub why: Impossible,
}
