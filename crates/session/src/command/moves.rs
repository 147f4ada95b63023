//! Going forward and back: by steps, lines, calls, events, or to the next breakpoint.

use super::running::{Aim, Hit, Reached};
use super::{
    Answered, Debugger, DeliverWhat, EndOfRun, MoveKind, Note, Passed, PlanVerb, PlanView,
    ProcessRef, StopAt, Unit, branch_note,
};
use crate::error::CommandError;
use crate::outcome::own_processes;
use crate::query::Detail;
use crate::query::events::row;
use crate::query::failure::found;
use crate::session::{Refused, Session};
use crate::stops::{Stops, Test};
use crate::walk::{self, EndOfCall, Level};
use crate::{places, target};
use reverl_causal::{EventRef, Plan, ProcId, SignalId, Step, Target};
use reverl_machine::Process;

/// Events that `back` tells one by one.
const MOST_TOLD: usize = 30;

type OneMove = fn(&mut Debugger, ProcId) -> Result<Passed, CommandError>;

impl Debugger {
    pub(super) fn step(
        &mut self,
        count: u64,
        unit: Unit,
        process: &Option<ProcessRef>,
    ) -> Answered {
        let proc = self.subject(process)?;
        let once: OneMove = match unit {
            Unit::Line => |d, p| d.forward_line(p, true),
            Unit::Call => Debugger::forward_call,
            Unit::Event => Debugger::forward_event,
            Unit::Step => return self.forward_steps(proc, count),
        };
        self.repeat(proc, count, MoveKind::Ran, once)
    }

    pub(super) fn next(&mut self, count: u64, process: &Option<ProcessRef>) -> Answered {
        let proc = self.subject(process)?;
        self.repeat(proc, count, MoveKind::Ran, |d, p| d.forward_line(p, false))
    }

    /// Does something several times. What was met last is told; if not all could be done, why.
    fn repeat(&mut self, proc: ProcId, count: u64, moved: MoveKind, once: OneMove) -> Answered {
        let mut passed = Passed::default();
        for i in 0..count {
            match once(self, proc) {
                Ok(new) if new.is_empty() => {}
                Ok(new) => {
                    let stops = new.stopped_in.is_some();
                    passed = new;
                    if stops {
                        break;
                    }
                }
                Err(why) if i == 0 => return Err(why),
                Err(why) => {
                    passed = Passed::by(Note::NotFurther { why: why.to_string() });
                    break;
                }
            }
        }
        Ok(self.arrived_passing(proc, moved, passed))
    }

    /// So many steps, but not past a breakpoint.
    fn forward_steps(&mut self, proc: ProcId, count: u64) -> Answered {
        let now = self.session.steps_of(proc);
        let known = self.session.execution().proc(proc).steps;
        let target = now.saturating_add(count);
        if self.has_breakpoints() && now < known {
            self.session.check_alive(proc).map_err(|why| self.refused(why, proc))?;
            let passed = self.redo_to(proc, target.min(known));
            if target <= known || !passed.is_empty() {
                return Ok(self.arrived_passing(proc, MoveKind::Replayed, passed));
            }
        }
        let before = self.session.cut.clone();
        let moved = self.session.forward(proc, target - self.session.steps_of(proc));
        let moved = moved.map_err(|why| self.refused(why, proc))?;
        if self.has_breakpoints() {
            // What was met on the way is found afterwards: it is the past now.
            let after = std::mem::replace(&mut self.session.cut, before);
            while let Some(hit) = self.first_known_hit(Some(&after)) {
                let passing = self.session.plan_redo(hit.target).to;
                self.session.cut.clone_from(&after);
                let plan = self.session.plan_undo(hit.target);
                if let Target::Steps(..) = hit.target {
                    self.session.carry_out(&plan);
                }
                if let Some(note) = self.stopped_at(&hit) {
                    return Ok(self.arrived(hit.proc, MoveKind::from(&moved), vec![note]));
                }
                self.session.cut = passing;
            }
            self.session.cut = after;
        }
        Ok(self.arrived_by(proc, MoveKind::from(&moved), Passed::of(&moved)))
    }

    pub(super) fn finish(&mut self, process: &Option<ProcessRef>) -> Answered {
        let proc = self.subject(process)?;
        let here = self.session.state(proc);
        let scope = self.code_scope.from_here(&self.session, &here);
        let stops = walk::end_of_call(&self.session, &here, scope);
        let mut end = EndOfCall::of(&self.session, &here, scope);
        let passed =
            self.go_to(proc, &stops, &mut |session, p, step, _| end.reaches(session, p, step))?;
        Ok(self.arrived_passing(proc, MoveKind::Ran, passed))
    }

    pub(super) fn continue_(&mut self, process: &Option<ProcessRef>) -> Answered {
        self.session.current = self.subject(process)?;
        let (proc, note) = match self.run_to_breakpoint() {
            Some(stopped) => stopped,
            None => (self.session.current, self.end_of_run()),
        };
        Ok(self.arrived(proc, MoveKind::Ran, vec![note]))
    }

    pub(super) fn run(&mut self, choices: Option<u64>) -> Answered {
        if choices.is_none() && self.has_breakpoints() {
            return self.continue_(&None);
        }
        let mut left = choices.unwrap_or(u64::MAX);
        self.session.run(&mut |_| {
            left = left.saturating_sub(1);
            left > 0
        });
        let note = self.end_of_run();
        Ok(self.arrived(self.session.current, MoveKind::Ran, vec![note]))
    }

    pub(super) fn reverse_step(
        &mut self,
        count: u64,
        unit: Unit,
        process: &Option<ProcessRef>,
    ) -> Answered {
        let proc = self.subject(process)?;
        let once: OneMove = match unit {
            Unit::Line => |d, p| d.back_line(p, true),
            Unit::Call => Debugger::back_call,
            Unit::Event => Debugger::back_event,
            Unit::Step => {
                let plan = self.session.back(proc, count);
                let plan = plan.map_err(|why| self.refused(why, proc))?;
                return Ok(self.arrived_by(proc, MoveKind::Undone, self.others_of(&plan)));
            }
        };
        self.repeat(proc, count, MoveKind::Undone, once)
    }

    pub(super) fn reverse_next(&mut self, count: u64, process: &Option<ProcessRef>) -> Answered {
        let proc = self.subject(process)?;
        self.repeat(proc, count, MoveKind::Undone, |d, p| d.back_line(p, false))
    }

    pub(super) fn reverse_finish(&mut self, count: u64, process: &Option<ProcessRef>) -> Answered {
        let proc = self.subject(process)?;
        self.repeat(proc, count, MoveKind::Undone, Debugger::back_call)
    }

    /// Back to the last breakpoint of a process, or of any as `continue` does. Where none is met
    /// nothing moves; without breakpoints, or if all are meant to go back, it goes to the beginning.
    pub(super) fn reverse_continue(&mut self, all: bool, process: &Option<ProcessRef>) -> Answered {
        let chosen = self.subject(process)?;
        let procs: Vec<ProcId> = match all || process.is_none() {
            true => own_processes(&self.session.system).collect(),
            false => vec![chosen],
        };
        let before = self.session.cut.clone();
        while let Some(hit) = self.last_hit(&procs) {
            self.undo_to(hit.target);
            if let Some(note) = self.stopped_at(&hit) {
                return Ok(self.arrived(hit.proc, MoveKind::Undone, vec![note]));
            }
        }
        if self.has_breakpoints() && !all {
            self.session.cut = before;
            return Ok(self.arrived(chosen, MoveKind::Stayed, vec![Note::NoBreakpointBefore]));
        }
        let current = match process {
            None => {
                self.session.rewind();
                self.session.system.main
            }
            Some(_) => {
                self.undo_to(Target::Steps(chosen, 0));
                chosen
            }
        };
        Ok(self.arrived(current, MoveKind::Undone, vec![Note::AtBeginning]))
    }

    /// Undoes the last events of the whole system, each with its consequences.
    pub(super) fn back(&mut self, count: u64) -> Answered {
        let events = self.session.events_in_cut();
        if events.is_empty() {
            return Err(CommandError::NothingToUndo);
        }
        let before = self.session.cut.total_steps();
        let mut undone = vec![];
        let first = events.len().saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
        for event in events[first..].iter().rev() {
            undone.extend(self.undo_to(Target::Event(*event)).events);
        }
        self.session.roll_log.clone_from(&undone);
        let told = undone.iter().take(MOST_TOLD);
        let note = Note::UndoneLast {
            event_count: undone.len(),
            steps: before - self.session.cut.total_steps(),
            events: told.map(|e| row(&self.session.system, *e, Detail::Whole)).collect(),
        };
        Ok(self.arrived(self.session.current, MoveKind::Undone, vec![note]))
    }

    pub(super) fn deliver(&mut self, what: &Option<DeliverWhat>) -> Answered {
        let id = self.to_deliver(what)?;
        let execution = self.session.execution();
        if let Some(event) = places::delivery_event(execution, id) {
            // It has happened before: the same again.
            let plan = self.session.plan_redo(Target::Event(event));
            return self.carried_out(&plan, PlanVerb::Redone);
        }
        let to = execution.signal(id).to().ok_or(CommandError::NeverArrives)?;
        let moved = self.session.take(Step::Deliver { signal: id, to });
        let moved = moved.map_err(|why| self.refused(why, to))?;
        let last = self.session.execution().last_event();
        let event = last.map(|e| Note::event(&self.session.system, e));
        let notes = branch_note(&moved).into_iter().chain(event).collect();
        Ok(self.arrived(to, MoveKind::from(&moved), notes))
    }

    /// The first signal on its way that fits. Between two processes signals arrive in order.
    fn to_deliver(&self, what: &Option<DeliverWhat>) -> Result<SignalId, CommandError> {
        let session = &self.session;
        let execution = session.execution();
        let flying = session.cut.in_flight(execution);
        let receiver = |id: &SignalId| execution.signal(*id).to();
        let (from, to) = match what {
            None => {
                let first = flying.into_iter().find(|id| receiver(id).is_some());
                return first.ok_or(CommandError::NothingOnItsWay);
            }
            Some(DeliverWhat::Message(message)) => {
                let id = places::message(session, message)?;
                (id.from, receiver(&id).ok_or(CommandError::NeverArrives)?)
            }
            Some(DeliverWhat::Between { from, to }) => {
                (target::process(session, from)?, target::process(session, to)?)
            }
        };
        let first = flying.into_iter().find(|id| id.from == from && receiver(id) == Some(to));
        first.ok_or(CommandError::NothingBetween)
    }

    fn end_of_run(&self) -> Note {
        if let Some(end) = self.session.known_end() {
            return Note::Ended(EndOfRun::NotKnown(end));
        }
        match self.session.left_to_deliver() {
            0 => Note::Ended(match EndOfRun::of(&self.session.system) {
                EndOfRun::Finished => match found(&self.session, &self.session.own()).len() {
                    0 => EndOfRun::Finished,
                    count => EndOfRun::FinishedBut(count),
                },
                end => end,
            }),
            left => Note::OnTheirWay { left },
        }
    }

    /// Brings the process forward to a stop at which the test holds: along what has happened, then
    /// by letting the system run. A breakpoint on the way is where it ends, in whatever process.
    fn go_to(&mut self, proc: ProcId, stops: &Stops, test: Test) -> Result<Passed, CommandError> {
        self.session.check_alive(proc).map_err(|why| self.refused(why, proc))?;
        if !stops.is_empty() {
            if let Some(step) = self.session.next_stop(proc, stops, test) {
                return Ok(self.redo_to(proc, step));
            }
        }
        let mut passed = Passed::default();
        while !self.session.is_at_end() {
            let Some(hit) = self.first_known_hit(None) else {
                // The rest of what is known happens first, so that the process can go on.
                self.session.replay_all();
                passed = Passed::by(Note::EverythingReplayed);
                break;
            };
            let plan = self.session.plan_redo(hit.target);
            self.session.carry_out(&plan);
            if let Some(broken) = self.broken(&hit) {
                return Ok(broken);
            }
        }
        loop {
            return Ok(match self.run_live(Some(Aim { proc, stops, test: &mut *test })) {
                Reached::Aim => passed,
                Reached::End => Passed::by(self.end_of_run()),
                Reached::Breakpoint(hit) => match self.broken(&hit) {
                    Some(broken) => broken,
                    None => continue,
                },
            });
        }
    }

    /// Forward in the current process: to a place, or to a later line of its call or out of it.
    pub(super) fn until(&mut self, place: &Option<StopAt>) -> Answered {
        let proc = self.session.current;
        let passed = match place {
            Some(at) => {
                let stops = self.session.stops_at(at)?;
                self.go_to(proc, &stops, &mut |_, _, _, _| true)?
            }
            None => {
                let here = self.session.state(proc);
                let line = |session: &Session, process: &Process, step: u64| {
                    walk::place_of(&session.system.program().code, process, step).line
                };
                let from = line(&self.session, &here, self.session.steps_of(proc));
                let scope = self.code_scope.from_here(&self.session, &here);
                let stops = walk::next_line_here(&self.session, &here, scope);
                let (mut level, depth) = (Level::of(&here, scope), here.depth());
                self.go_to(proc, &stops, &mut |session, p, step, _| {
                    level.reaches(session, p, step)
                        && (p.depth() < depth || line(session, p, step) > from)
                })?
            }
        };
        Ok(self.arrived_passing(proc, MoveKind::Ran, passed))
    }

    /// Goes on to a position that is known, or to the first breakpoint on the way there.
    fn redo_to(&mut self, proc: ProcId, step: u64) -> Passed {
        loop {
            let plan = self.session.plan_redo(Target::Steps(proc, step));
            let hit = self.first_known_hit(Some(&plan.to)).filter(|_| self.has_breakpoints());
            let Some(hit) = hit else {
                self.session.carry_out(&plan);
                return Passed::default();
            };
            let plan = self.session.plan_redo(hit.target);
            self.session.carry_out(&plan);
            if let Some(broken) = self.broken(&hit) {
                return broken;
            }
        }
    }

    /// A breakpoint ends the way, unless it lets this stop pass.
    fn broken(&mut self, hit: &Hit) -> Option<Passed> {
        let note = self.stopped_at(hit)?;
        Some(Passed { stopped_in: Some(hit.proc), ..Passed::by(note) })
    }

    /// The next line of the process; over calls, unless `into`.
    fn forward_line(&mut self, proc: ProcId, into: bool) -> Result<Passed, CommandError> {
        let here = self.session.state(proc);
        let scope = self.code_scope.from_here(&self.session, &here);
        if into {
            let counts: Test = &mut |session, p, _, _| scope.has(session, p.pc());
            return self.go_to(proc, &walk::next_line(), counts);
        }
        let stops = walk::next_line_here(&self.session, &here, scope);
        let mut level = Level::of(&here, scope);
        self.go_to(proc, &stops, &mut |session, p, step, _| level.reaches(session, p, step))
    }

    /// The next call that the process makes.
    fn forward_call(&mut self, proc: ProcId) -> Result<Passed, CommandError> {
        let scope = self.code_scope.from_here(&self.session, &self.session.state(proc));
        let stops = walk::entries(&self.session);
        self.go_to(proc, &stops, &mut |session, p, _, _| scope.has(session, p.pc()))
    }

    fn forward_event(&mut self, proc: ProcId) -> Result<Passed, CommandError> {
        self.session.check_alive(proc).map_err(|why| self.refused(why, proc))?;
        if let Some((i, _)) = self.session.cut.next_action(self.session.execution(), proc) {
            let plan = self.session.plan_redo(Target::Event(EventRef::action(proc, i)));
            self.session.carry_out(&plan);
            let last = plan.events.last().map(|e| Note::event(&self.session.system, *e));
            return Ok(Passed { notes: last.into_iter().collect(), ..Passed::default() });
        }
        let before = self.session.execution().event_count();
        let moved = self.session.run_until_action(proc).map_err(|why| self.refused(why, proc))?;
        let Some(event) = self.session.execution().event(before) else {
            return Err(self.refused(Refused::Blocked, proc));
        };
        let event = Note::event(&self.session.system, event);
        let notes = branch_note(&moved).into_iter().chain([event]).collect();
        Ok(Passed { notes, ..Passed::default() })
    }

    fn back_line(&mut self, proc: ProcId, into: bool) -> Result<Passed, CommandError> {
        let scope = self.code_scope.from_here(&self.session, &self.session.state(proc));
        let step = walk::last_line(&self.session, proc, into, scope);
        let step = step.ok_or(CommandError::NoLineBefore)?;
        let plan = self.undo_to(Target::Steps(proc, step));
        Ok(self.others_of(&plan))
    }

    /// To where the current function was called; where a library did so, to the nearest call of the
    /// program's own, if there is one.
    fn back_call(&mut self, proc: ProcId) -> Result<Passed, CommandError> {
        let here = self.session.state(proc);
        let Some((ret, _)) = here.stack().callers().next() else {
            self.undo_to(Target::Steps(proc, 0));
            return Ok(Passed::by(Note::AtFirstFunction));
        };
        let scope = self.code_scope.from_here(&self.session, &here);
        let nearest = walk::nearest_caller(&self.session, &here, scope);
        let (call, depth) = nearest.unwrap_or((ret - 1, here.depth() - 1));
        let step = walk::last_call(&self.session, proc, call, depth + 1);
        let plan = self.undo_to(Target::Steps(proc, step.ok_or(CommandError::NoCallBefore)?));
        Ok(self.others_of(&plan))
    }

    fn back_event(&mut self, proc: ProcId) -> Result<Passed, CommandError> {
        let execution = self.session.execution();
        let actions = execution.proc(proc).actions_at(self.session.steps_of(proc));
        let last = actions.checked_sub(1).ok_or(CommandError::NothingDone)?;
        let plan = self.undo_to(Target::Event(EventRef::action(proc, last)));
        let plan = PlanView::of(&self.session.system, &plan, PlanVerb::Undone);
        Ok(Passed { plan: Some(plan), ..Passed::default() })
    }

    fn undo_to(&mut self, target: Target) -> Plan {
        let plan = self.session.plan_undo(target);
        self.session.carry_out(&plan);
        plan
    }

    /// What a step back has taken along, if that is more than the process itself.
    fn others_of(&self, plan: &Plan) -> Passed {
        let more = plan.moved.len() > 1;
        let plan = more.then(|| PlanView::of(&self.session.system, plan, PlanVerb::Undone));
        Passed { plan, ..Passed::default() }
    }
}
