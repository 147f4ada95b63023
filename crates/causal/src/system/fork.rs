//! A system's moment, kept aside to come back to. Only while messages are held: mailboxes are
//! empty then, and what a process is is all in its frozen stack.

use super::{Present, RunningProcess, System};
use crate::execution::{Execution, ProcId};
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
}

impl System {
    /// This moment, to be resumed any number of times.
    pub fn moment(&mut self) -> Moment {
        let is_held = self.present.arrivals.held().is_some();
        assert!(is_held && self.present.network.is_empty(), "only while messages are held");
        let running =
            (0..self.present.running.len()).map(|i| self.copy_of(ProcId(i as u32))).collect();
        let Present { ready, timers, tables, now, arrivals, halted, editions, .. } = &self.present;
        Moment {
            execution: self.execution.clone(),
            present: Present {
                running,
                ready: ready.clone(),
                network: BTreeMap::new(),
                timers: timers.clone(),
                tables: tables.clone(),
                now: *now,
                arrivals: arrivals.clone(),
                halted: *halted,
                editions: editions.clone(),
            },
        }
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
