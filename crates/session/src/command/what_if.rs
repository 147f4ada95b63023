//! What if a variable had another value, or a process had ended: branches that begin with that.

use super::{Answered, Debugger, MoveKind, Note, ProcessMoment};
use crate::error::CommandError;
use crate::eval::Typed;
use crate::session::Refused;
use crate::{describe, scope};
use reverl_causal::{Cut, Input, ProcId, Step, Until};
use reverl_term::{Atom, Term};

impl Debugger {
    /// A variable of the call in progress has another value from this moment on.
    pub(super) fn choose_value(
        &mut self,
        name: &str,
        expression: &str,
        at: &ProcessMoment,
    ) -> Answered {
        let (proc, cut) = self.process_moment(at)?;
        let value = self.value_of(expression, proc, &cut)?;
        let system = &self.session.system;
        // Several steps can be one instruction: what is given before it is what it works on.
        let process = system.state_at(proc, cut.place(proc).steps);
        if process.ending().is_some() {
            return Err(CommandError::NotByHand(describe::pid(system, proc)));
        }
        let variables = scope::variables_at(&system.program().code, &process, process.steps());
        let variable = variables.into_iter().find(|(bound, _)| bound.name() == name);
        let (_, register) = variable.ok_or_else(|| CommandError::NotAVariable(name.into()))?;
        let branch = self.branch_at(&cut, proc)?;
        // A process that has not begun is brought into its first function.
        let until = Until::Steps(process.steps());
        let _ = self.session.system.step(&Step::Run { proc, until });
        let (name, shown) = (name.to_string(), describe::short(&value));
        let value = Input::of_value(&value);
        let assign = Step::Assign { proc, name: name.clone(), register, value };
        self.do_by_hand(proc, &assign)?;
        let process = describe::pid(&self.session.system, proc);
        let note = Note::Assigned { branch: branch.clone(), name, value: shown, process };
        Ok(self.arrived(proc, MoveKind::Branched { branch }, vec![note]))
    }

    /// A process ends at this moment.
    pub(super) fn choose_end(&mut self, reason: Option<&str>, at: &ProcessMoment) -> Answered {
        let (proc, cut) = self.process_moment(at)?;
        let reason = match reason {
            Some(expression) => self.value_of(expression, proc, &cut)?,
            None => Term::atom(Atom::new("killed")),
        };
        let branch = self.branch_at(&cut, proc)?;
        self.do_by_hand(proc, &Step::End { proc, reason: Input::of_value(&reason) })?;
        let process = describe::pid(&self.session.system, proc);
        let note = Note::Killed { branch: branch.clone(), process };
        Ok(self.arrived(proc, MoveKind::Branched { branch }, vec![note]))
    }

    /// The process that is meant, alive, and the cut of the moment.
    fn process_moment(&self, at: &ProcessMoment) -> Result<(ProcId, Cut), CommandError> {
        let session = &self.session;
        let proc = self.subject(&at.process)?;
        let cut = session.at(at.moment.as_ref())?.cut.into_owned();
        let who = || describe::pid(&session.system, proc);
        let execution = session.execution();
        match () {
            () if !cut.is_spawned(execution, proc) => {
                Err(CommandError::Refused { who: who(), why: Refused::NotSpawned })
            }
            () if cut.has_exited(execution, proc) => {
                Err(CommandError::Refused { who: who(), why: Refused::HasExited })
            }
            () => Ok((proc, cut)),
        }
    }

    fn value_of(&self, expression: &str, proc: ProcId, cut: &Cut) -> Result<Term, CommandError> {
        let step = cut.place(proc).steps;
        let process = self.session.system.state_at(proc, step);
        Typed::new(expression).value(&self.session, &process, step).map_err(CommandError::NotAValue)
    }

    /// Does a step that nobody but us does, at the end of a branch that has just begun.
    fn do_by_hand(&mut self, proc: ProcId, step: &Step) -> Result<(), CommandError> {
        let done = self.session.system.step(step);
        self.session.replay_all();
        let who = || describe::pid(&self.session.system, proc);
        done.map(|_| ()).map_err(|_| CommandError::NotByHand(who()))
    }
}
