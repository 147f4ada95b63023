//! What somebody who tries things does to a process: another value for a variable, its end. These
//! are events of the process like others: they are undone, replayed and recorded.

use super::System;
use crate::execution::*;
use crate::step::{Happened, Impossible};
use reverl_term::Term;

impl System {
    /// A variable of the call in progress has another value from here on.
    pub(crate) fn assign(
        &mut self,
        proc: ProcId,
        assigned: Assigned,
    ) -> Result<Happened, Impossible> {
        let is_over = self.has_exited(proc) || self.running(proc).process.ending().is_some();
        if is_over || self.asked(proc).is_some() {
            return Err(Impossible::IsNotRunning);
        }
        let process = &mut self.running_mut(proc).process;
        if assigned.register as usize >= process.registers().len() {
            return Err(Impossible::DoesOtherwise);
        }
        process.assign(assigned.register, assigned.value.clone());
        let (step, pc) = (process.steps(), process.pc());
        let p = self.execution.proc_mut(proc);
        p.add_unasked();
        p.steps = step;
        self.record(proc, step, pc, PackedAction::assign(assigned));
        if !self.is_waiting(proc) {
            self.make_ready(proc);
        }
        Ok(Happened::Acted)
    }

    /// A process ends where it stands, as if it had called `exit(Reason)` there.
    pub(crate) fn end_by_hand(
        &mut self,
        proc: ProcId,
        reason: Term,
    ) -> Result<Happened, Impossible> {
        if self.has_exited(proc) {
            return Err(Impossible::IsNotRunning);
        }
        self.exit(proc, reason, None, None, Some(Killer::Hand));
        Ok(Happened::Exited)
    }
}
