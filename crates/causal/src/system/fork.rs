//! A system's moment, kept aside to come back to. Only while messages are held: mailboxes are
//! empty then, and what a process is is all in its frozen stack.

use super::{Present, RunningProcess, System};
use crate::execution::{Execution, ProcId};
use reverl_machine::Process;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Everything of a system that its processes change.
pub struct Moment {
    execution: Execution,
    present: Present,
}

impl Moment {
    /// The execution up to this moment.
    pub fn execution(&self) -> &Execution {
        &self.execution
    }

    /// The same moment, to be resumed once more.
    pub fn fork(&self) -> Moment {
        let copy = |live: &RunningProcess| copy_of(live, live.process.fork());
        let running = self.present.running.iter().map(copy).collect();
        Moment { execution: self.execution.clone(), present: copy_with(&self.present, running) }
    }
}

/// All that there is now, with these copies of the processes.
fn copy_with(present: &Present, running: Vec<RunningProcess>) -> Present {
    let Present { ready, timers, tables, now, arrivals, halted, editions, .. } = present;
    let Present { has_tracing, traced_new, .. } = present;
    Present {
        running,
        ready: ready.clone(),
        network: BTreeMap::new(),
        timers: timers.clone(),
        tables: tables.clone(),
        now: *now,
        arrivals: arrivals.clone(),
        halted: *halted,
        editions: editions.clone(),
        has_tracing: *has_tracing,
        traced_new: traced_new.clone(),
    }
}

/// A running process with a copy of its state.
fn copy_of(live: &RunningProcess, process: Process) -> RunningProcess {
    RunningProcess {
        process,
        checkpoints: RefCell::default(),
        turn: live.turn,
        relations: live.relations.clone(),
        name: live.name,
        wait: live.wait,
        traces_calls: live.traces_calls,
    }
}

impl System {
    /// This moment, to be resumed later.
    pub fn moment(&mut self) -> Moment {
        let is_held = self.present.arrivals.held().is_some();
        assert!(is_held && self.present.network.is_empty(), "only while messages are held");
        let running =
            (0..self.present.running.len()).map(|i| self.copy_of(ProcId(i as u32))).collect();
        Moment { execution: self.execution.clone(), present: copy_with(&self.present, running) }
    }

    /// Everything is again as it was at that moment.
    pub fn resume(&mut self, moment: Moment) {
        self.execution = moment.execution;
        self.present = moment.present;
    }

    fn copy_of(&mut self, proc: ProcId) -> RunningProcess {
        let ended = self.has_exited(proc);
        let live = &mut self.present.running[proc.0 as usize];
        let process = match ended {
            true => live.process.husk(),
            false => live.process.snapshot(&self.world.program()),
        };
        copy_of(live, process)
    }
}
