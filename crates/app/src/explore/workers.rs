//! The threads of a search: as many as there are cores, each with a system of its own.

use super::keep::Recordings;
use crate::interrupt;
use crate::program_args::ProgramArgs;
use reverl_causal::schedule::{ByAction, RoundRobin};
use reverl_causal::{ActionKind, EventRef, System};
use reverl_machine::kernel;
use reverl_session::explore::{Checks, Expectations, Findings, Search};
use reverl_session::outside::Output;
use reverl_session::testing;
use std::path::PathBuf;

/// What every worker needs to begin.
#[derive(Clone)]
pub struct Task {
    pub program: ProgramArgs,
    pub expectations: Expectations,
    /// Where failing executions are kept.
    pub dir: PathBuf,
    /// It is a test: what happens before it begins is the same in all executions.
    pub is_test: bool,
    /// So many executions that went well each worker keeps.
    pub keeps_good: usize,
}

/// Steps in which a program should have started what it needs of OTP's `kernel`.
const MOST_FIRST_STEPS: u64 = 2_000_000;

impl Task {
    /// Where this search keeps the recordings of its failures.
    pub fn recordings(&self) -> Recordings {
        let (program, dir) = (self.program.clone(), self.dir.clone());
        Recordings { program, dir, good_left: self.keeps_good }
    }

    /// A system at its beginning, and what is asked of its executions, compiled into its program.
    pub fn system(&self) -> Result<(System, Checks), String> {
        let system = self.program.system(Output::Keep)?;
        let checks = self.expectations.compile(&system).map_err(|why| why.to_string())?;
        Ok((system, checks))
    }

    /// The same task with the processes of OTP's `kernel` started before the program that it starts
    /// in its first execution, if it does. In which order they start is not of interest.
    pub fn with_kernel(mut self) -> Result<Task, String> {
        if self.is_test || !self.program.nodes.is_empty() {
            return Ok(self);
        }
        let mut system = self.program.system(Output::Keep)?;
        system.run(&mut RoundRobin, &mut |s| {
            s.execution().steps() < MOST_FIRST_STEPS && !interrupt::is_wanted()
        });
        let first_node = system.node_of(system.main);
        let names = system.execution().names(first_node);
        let named = names.iter().map(|(name, _)| name.name());
        let started = named.filter(|name| kernel::NAMES.contains(name)).map(str::to_string);
        self.program.kernel = started.collect();
        Ok(self)
    }

    /// What comes before the test itself, if anything does and it comes to its end; of a program, what
    /// it needs of OTP's `kernel`.
    pub fn past(&self) -> Result<Option<System>, String> {
        if !self.is_test && self.program.kernel.is_empty() {
            return Ok(None);
        }
        let mut system = self.program.system(Output::Keep)?;
        // One action at a time: the beginning of the test must not be passed.
        system.run(&mut ByAction(&mut RoundRobin), &mut |s| {
            !has_begun(s) && s.execution().steps() < MOST_SETUP && !interrupt::is_wanted()
        });
        Ok(Some(system).filter(has_begun))
    }

    /// One worker, to be run on a thread of its own. `goes_on` is asked after each execution.
    pub fn work(
        &self,
        search: &Search,
        goes_on: &mut dyn FnMut(&Findings, u64) -> bool,
    ) -> Result<Findings, String> {
        let (system, checks) = self.system()?;
        let mut keeper = self.recordings();
        let found =
            search.work(&system, &checks, &mut keeper, &mut |found, _, n| goes_on(found, n));
        found.map_err(|why| why.to_string())
    }
}

/// Steps in which fixtures should have set up what they do.
const MOST_SETUP: u64 = 50_000_000;

/// Whether the main process has come to the test, as `reverl_tests` tells.
fn has_begun(system: &System) -> bool {
    let main = system.execution().proc(system.main);
    let last = main.actions.len().checked_sub(1).map(|i| EventRef::action(system.main, i));
    let has_received =
        main.actions.last().is_some_and(|a| matches!(a.what(), ActionKind::Receive(_)));
    has_received && last.is_some_and(|event| testing::is_beginning(system, event))
}

/// How many threads search unless another number is given.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
