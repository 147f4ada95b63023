//! Undo and redo to a target: rollback and replay, with exactly what they must take along.

use super::{
    Answered, Debugger, Move, MoveKind, Note, PlanVerb, PlanView, ProcessRef, Reply, TargetSpec,
};
use crate::error::{CommandError, QueryError};
use crate::event::event_named;
use crate::query::{Detail, failure, process, why};
use crate::session::Refused;
use crate::target::{self, Direction};
use crate::viewpoint::MomentSpec;
use reverl_causal::{EventRef, Plan, ProcId, Target};

impl Debugger {
    pub(super) fn undo(&mut self, target: &TargetSpec) -> Answered {
        if *target == TargetSpec::All {
            self.session.rewind();
            let event_count = self.session.roll_log.len();
            let main = self.session.system.main;
            return Ok(self.arrived(main, MoveKind::Undone, vec![Note::UndoneAll { event_count }]));
        }
        let plan = self.plan(target, self.session.current, Direction::Back)?;
        self.carried_out(&plan, PlanVerb::Undone)
    }

    pub(super) fn redo(&mut self, target: &TargetSpec) -> Answered {
        if *target == TargetSpec::All {
            self.session.replay_all();
            let current = self.session.current;
            return Ok(self.arrived(current, MoveKind::Replayed, vec![Note::ReplayedAll]));
        }
        let plan = self.plan(target, self.session.current, Direction::Forward)?;
        self.carried_out(&plan, PlanVerb::Redone)
    }

    pub(super) fn carried_out(&mut self, plan: &Plan, verb: PlanVerb) -> Answered {
        self.session.carry_out(plan);
        Ok(self.passed(plan, verb))
    }

    /// The answer to a plan that was carried out.
    fn passed(&self, plan: &Plan, verb: PlanVerb) -> Reply {
        let moved = if verb == PlanVerb::Undone { MoveKind::Undone } else { MoveKind::Replayed };
        let here = process::here(&self.session.now(), self.session.current);
        let plan = Some(PlanView::of(&self.session.system, plan, verb));
        let (displayed, answers) = (vec![], vec![]);
        Reply::Passed(Box::new(Move { moved, notes: vec![], plan, here, displayed, answers }))
    }

    pub(super) fn goto(&mut self, process: &ProcessRef, step: u64) -> Answered {
        let proc = target::process(&self.session, process)?;
        self.goto_step(proc, step)
    }

    /// To where something went wrong: where it was raised in the program's own code, if it was.
    pub(super) fn goto_failure(&mut self, which: Option<usize>) -> Answered {
        let which = which.unwrap_or(1);
        let wanted = which.checked_sub(1).ok_or(CommandError::NoFailure(which))?;
        let card = failure::report(&self.session, wanted, Detail::Brief).card;
        match card.and_then(|card| card.moment) {
            Some(moment) => self.goto_moment(&moment),
            None => Err(CommandError::NoFailure(which)),
        }
    }

    /// To the last place on the way back of a value: where it was made, in the program's own code if
    /// it came from there.
    pub(super) fn goto_origin(&mut self, expression: &str) -> Answered {
        let (now, current) = (self.session.now(), self.session.current);
        let level = self.level(&now, current);
        let reason = why::why(&now, current, level, expression, Detail::Brief)?;
        let told = reason.chain.iter().rfind(|hop| hop.is_telling());
        let (proc, step) = match told.or(reason.chain.last()) {
            Some(hop) => (hop.process.proc, hop.step),
            None => (reason.process.proc, reason.step),
        };
        self.goto_moment(&MomentSpec::Step { proc, step })
    }

    fn goto_moment(&mut self, moment: &MomentSpec) -> Answered {
        let (proc, step) = match moment {
            MomentSpec::Step { proc, step } => (ProcId(*proc), *step),
            MomentSpec::Event { event } => {
                let event = event_named(self.session.execution(), event)
                    .ok_or_else(|| QueryError::NoEvent(event.clone()))?;
                let step = self.session.before(event).steps_of(event.proc);
                (event.proc, step)
            }
        };
        self.goto_step(proc, step)
    }

    fn goto_step(&mut self, proc: ProcId, step: u64) -> Answered {
        let now = self.session.steps_of(proc);
        let moved = if step < now {
            let plan = self.session.plan_undo(Target::Steps(proc, step));
            self.session.carry_out(&plan);
            MoveKind::Undone
        } else if step <= self.session.execution().proc(proc).steps {
            let plan = self.session.plan_redo(Target::Steps(proc, step));
            self.session.carry_out(&plan);
            MoveKind::Replayed
        } else {
            let moved = self.session.forward(proc, step - now);
            MoveKind::from(&moved.map_err(|why| self.refused(why, proc))?)
        };
        Ok(self.arrived(proc, moved, vec![]))
    }

    /// Manual mode: the last event of a process alone.
    pub(super) fn undo_one(&mut self, process: &Option<ProcessRef>) -> Answered {
        let proc = self.subject(process)?;
        let event = self.last_event(proc).ok_or_else(|| self.refused(Refused::AtStart, proc))?;
        let plan = self.session.undo_alone(event).map_err(|why| self.refused(why, proc))?;
        Ok(self.passed(&plan, PlanVerb::Undone))
    }

    pub(super) fn redo_one(&mut self, process: &Option<ProcessRef>) -> Answered {
        let proc = self.subject(process)?;
        let event = self.next_event(proc).ok_or(CommandError::NothingMore)?;
        let plan = self.session.redo_alone(event).map_err(|why| self.refused(why, proc))?;
        Ok(self.passed(&plan, PlanVerb::Redone))
    }

    /// The last action or delivery of a process in the cut.
    fn last_event(&self, proc: ProcId) -> Option<EventRef> {
        let execution = self.session.execution();
        let place = self.session.place(proc);
        let action = execution.proc(proc).actions_at(place.steps).checked_sub(1);
        let delivery = (place.deliveries as usize).checked_sub(1);
        let both = [
            action.map(|i| EventRef::action(proc, i)),
            delivery.map(|i| EventRef::delivery(proc, i)),
        ];
        both.into_iter().flatten().max_by_key(|e| execution.order_of(*e))
    }

    /// The first action or delivery of a process after the cut.
    fn next_event(&self, proc: ProcId) -> Option<EventRef> {
        let execution = self.session.execution();
        let (place, p) = (self.session.place(proc), execution.proc(proc));
        let action = Some(p.actions_at(place.steps)).filter(|i| *i < p.actions.len());
        let delivery = Some(place.deliveries as usize).filter(|i| *i < p.deliveries.len());
        let both = [
            action.map(|i| EventRef::action(proc, i)),
            delivery.map(|i| EventRef::delivery(proc, i)),
        ];
        both.into_iter().flatten().min_by_key(|e| execution.order_of(*e))
    }
}
