//! A move of one process alone: every other one stays where it is, or the move is refused with what
//! stands in the way. This is the papers' uncontrolled move, for whichever command.

use super::{Answered, Command, Debugger};
use crate::describe;
use crate::error::CommandError;
use crate::position::Position;
use reverl_causal::schedule::{SLICE, Schedule};
use reverl_causal::{Cut, EventRef, ProcId, Step, System, Until};

/// Only one process runs.
struct Only(ProcId);

impl Schedule for Only {
    fn next(&mut self, system: &mut System) -> Option<Step> {
        let is_its = |step: &Step| matches!(step, Step::Run { proc, .. } if *proc == self.0);
        system.enabled().into_iter().find(is_its)?;
        let limit = system.running(self.0).process.steps().saturating_add(SLICE);
        Some(Step::Run { proc: self.0, until: Until::Steps(limit) })
    }
}

impl Debugger {
    pub(super) fn alone(&mut self, command: &Command) -> Answered {
        let proc = self.session.current;
        let before = Position::of(&self.session);
        let usual = self.session.replace_schedule(Box::new(Only(proc)));
        let done = self.carry_out_alone(command);
        self.session.replace_schedule(usual);
        let reply = done?;
        if before.branch != self.session.branch_name() {
            return Ok(reply);
        }
        let Some(other) = self.moved_beside(proc, &before.cut) else { return Ok(reply) };
        before.restore(&mut self.session);
        Err(CommandError::InTheWay(other))
    }

    /// What another process has done or had undone since the cut.
    fn moved_beside(&self, proc: ProcId, before: &Cut) -> Option<String> {
        let (session, execution) = (&self.session, self.session.execution());
        // What arrives is the sender's doing as much as the receiver's.
        let moved = |p: &ProcId| before.place(*p).steps != session.cut.place(*p).steps;
        let other = execution.ids().find(|p| *p != proc && moved(p))?;
        let passed =
            |e: &EventRef| before.contains(execution, *e) != session.cut.contains(execution, *e);
        let event = execution.events().filter(|e| e.proc == other).find(passed);
        Some(match event {
            Some(event) => describe::event_line(&session.system, event),
            None => format!("{}, which goes with it,", describe::who(&session.system, other)),
        })
    }
}
