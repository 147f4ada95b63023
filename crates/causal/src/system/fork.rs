//! A system's moment, kept aside to come back to. Only while messages are held: mailboxes are
//! empty then, and what a process is is all in its frozen stack.

use super::{Arrivals, RunningProcess, System};
use crate::execution::{Execution, ProcId};
use crate::ready::Ready;
use crate::timer::Timers;
use std::cell::RefCell;

/// Everything of a system that its processes change.
pub struct Moment {
    execution: Execution,
    running: Vec<RunningProcess>,
    ready: Ready,
    timers: Timers,
    tables: crate::ets::Index,
    now: u64,
    halted: Option<i32>,
    editions: crate::requests::Editions,
    arrivals: Arrivals,
}

impl Moment {
    pub fn execution(&self) -> &Execution {
        &self.execution
    }
}

impl System {
    /// This moment, to be resumed any number of times.
    pub fn moment(&mut self) -> Moment {
        let is_held = self.arrivals.held().is_some();
        assert!(is_held && self.network.is_empty(), "only while messages are held");
        let running = (0..self.running.len()).map(|i| self.copy_of(ProcId(i as u32))).collect();
        Moment {
            execution: self.execution.clone(),
            running,
            ready: self.ready.clone(),
            timers: self.timers.clone(),
            tables: self.tables.clone(),
            now: self.now,
            halted: self.halted,
            editions: self.editions.clone(),
            arrivals: self.arrivals.clone(),
        }
    }

    pub fn resume(&mut self, moment: Moment) {
        self.execution = moment.execution;
        self.running = moment.running;
        self.ready = moment.ready;
        self.timers = moment.timers;
        self.tables = moment.tables;
        self.now = moment.now;
        self.halted = moment.halted;
        self.editions = moment.editions;
        self.arrivals = moment.arrivals;
    }

    fn copy_of(&mut self, proc: ProcId) -> RunningProcess {
        let ended = self.has_exited(proc);
        let live = &mut self.running[proc.0 as usize];
        let process = match ended {
            true => live.process.husk(),
            false => live.process.snapshot(&self.world.program()),
        };
        RunningProcess {
            process,
            checkpoints: RefCell::default(),
            turn: live.turn,
            relations: live.relations.clone(),
            name: live.name,
            wait: live.wait,
        }
    }
}
