//! From where an execution is looked at: the cut of a session, or another moment that somebody
//! wants to see without going there.

use crate::error::QueryError;
use crate::event::event_named;
use crate::session::Session;
use reverl_causal::{Cut, EventRef, Execution, Place, ProcId};
use reverl_machine::Process;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use ts_rs::TS;

/// A session seen at a cut, which need not be its own.
pub struct Viewpoint<'s> {
    pub session: &'s Session,
    pub cut: Cow<'s, Cut>,
}

/// A moment as a face names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum MomentSpec {
    /// Right before this event.
    Event { event: String },
    /// When this process is at this step.
    Step { proc: u32, step: u64 },
}

impl Session {
    /// The session where it is.
    pub fn now(&self) -> Viewpoint<'_> {
        Viewpoint { session: self, cut: Cow::Borrowed(&self.cut) }
    }

    /// The session at a moment, or where it is.
    pub fn at(&self, moment: Option<&MomentSpec>) -> Result<Viewpoint<'_>, QueryError> {
        match moment {
            None => Ok(self.now()),
            Some(MomentSpec::Event { event }) => {
                let found = event_named(self.execution(), event);
                let found = found.ok_or_else(|| QueryError::NoEvent(event.clone()))?;
                Ok(self.before(found))
            }
            Some(MomentSpec::Step { proc, step }) => {
                let known = self.execution().ids().find(|p| p.0 == *proc);
                let known = known.ok_or(QueryError::NoProcessNumber(*proc))?;
                Ok(self.at_step(known, *step))
            }
        }
    }

    /// The moment right before an event.
    pub fn before(&self, event: EventRef) -> Viewpoint<'_> {
        Viewpoint { session: self, cut: Cow::Owned(Cut::before(self.execution(), event)) }
    }

    /// The moment at which a process is at a step.
    pub fn at_step(&self, proc: ProcId, step: u64) -> Viewpoint<'_> {
        let p = self.execution().proc(proc);
        let next = p.actions_at(step);
        let mut cut = match next < p.actions.len() {
            true => Cut::before(self.execution(), EventRef::action(proc, next)),
            false => Cut::end(self.execution()),
        };
        let deliveries = cut.place(proc).deliveries;
        cut.set(proc, Place { steps: step.min(p.steps), deliveries });
        Viewpoint { session: self, cut: Cow::Owned(cut) }
    }
}

impl Viewpoint<'_> {
    pub fn execution(&self) -> &Execution {
        self.session.execution()
    }

    /// The process at the cut, computed again if it has gone on since.
    pub fn state(&self, proc: ProcId) -> Process {
        self.session.system.state_at(proc, self.steps_of(proc))
    }

    /// The steps of a process at this moment.
    pub fn steps_of(&self, proc: ProcId) -> u64 {
        self.cut.place(proc).steps
    }
}
