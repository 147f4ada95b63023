//! Changing how the session runs, and beginning with another execution.

use super::{Answered, Debugger, DeliveryMode, MoveKind, Note, Reply, Setting};
use crate::error::CommandError;
use crate::query::compare;
use crate::session::Session;

impl Debugger {
    pub(super) fn set(&mut self, setting: &Setting) -> Answered {
        match setting {
            Setting::Schedule { name, seed } => self.session.set_schedule(name.schedule(*seed)),
            Setting::Delivery(mode) => {
                self.delivery = *mode;
                self.session.set_manual_delivery(*mode == DeliveryMode::Manual);
            }
            Setting::Code(scope) => self.code_scope = *scope,
        }
        Ok(Reply::Done { ok: true })
    }

    pub(super) fn switch_branch(&mut self, name: &str) -> Answered {
        let proc = self.session.current;
        self.session.switch_branch(name).map_err(|why| self.refused(why, proc))?;
        let note = Note::OnBranch { branch: name.into() };
        Ok(self.arrived(self.session.current, MoveKind::Stayed, vec![note]))
    }

    pub(super) fn save(&mut self, file: &str) -> Answered {
        self.note_breakpoints();
        self.host.save(&self.session, file)?;
        let events = self.session.execution().event_count();
        Ok(Reply::Saved { file: file.into(), events })
    }

    pub(super) fn load(&mut self, file: &str) -> Answered {
        let session = self.host.open(file)?;
        Ok(self.begin(session, Note::Loaded { file: file.into() }))
    }

    /// Another recorded execution of the same program becomes a branch, unless it is one already.
    pub(super) fn adopt(&mut self, file: &str) -> Answered {
        let other = self.host.open(file)?;
        let entry = |session: &Session| {
            let system = &session.system;
            system.execution().proc(system.main).entry.mfa()
        };
        if entry(&other) != entry(&self.session) {
            return Err(CommandError::OtherProgram(file.into()));
        }
        let end = compare::end(&other.system);
        let known = compare::branch_of(&self.session, &other.system);
        let branch = known.unwrap_or_else(|| self.session.keep_branch(other.system));
        Ok(Reply::Adopted { branch, file: file.into(), end })
    }

    pub(super) fn restart(&mut self) -> Answered {
        let session = self.host.fresh()?;
        Ok(self.begin(session, Note::FreshExecution))
    }

    fn begin(&mut self, session: Session, note: Note) -> Reply {
        self.session = session;
        self.session.set_manual_delivery(self.delivery == DeliveryMode::Manual);
        self.dialogue = None;
        self.place_breakpoints_anew();
        self.take_up_noted();
        self.shown_events = self.session.execution().event_count();
        self.arrived(self.session.current, MoveKind::Stayed, vec![note])
    }
}
