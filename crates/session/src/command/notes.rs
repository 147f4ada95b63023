//! Notes on events.

use super::{Answered, Debugger, Reply};
use crate::error::CommandError;
use crate::event::{event_name, event_named};
use crate::notebook::EventNote;
use crate::query::notes::{self, NoteList};
use reverl_causal::EventRef;

impl Debugger {
    /// Something is noted about an event: the one that is named, or the last thing that the current
    /// process has done.
    pub(super) fn note(&mut self, event: &Option<String>, text: &str) -> Answered {
        let session = &mut self.session;
        let execution = session.execution();
        let event = match event {
            Some(name) => event_named(execution, name)
                .ok_or_else(|| crate::error::QueryError::NoEvent(name.clone()))?,
            None => {
                let done =
                    execution.proc(session.current).actions_at(session.steps_of(session.current));
                let last = done.checked_sub(1).ok_or(CommandError::NothingDone)?;
                EventRef::action(session.current, last)
            }
        };
        let number = session.notebook.notes.iter().map(|n| n.number).max().unwrap_or(0) + 1;
        let note = EventNote {
            number,
            branch: session.branch_name().into(),
            event: event_name(event),
            text: text.into(),
        };
        session.notebook.notes.push(note);
        let all = notes::notes(&self.session).notes;
        let notes = all.into_iter().filter(|row| row.number == number).collect();
        Ok(Reply::Notes(NoteList { notes }))
    }

    /// Forgets a note.
    pub(super) fn unnote(&mut self, number: usize) -> Answered {
        let notes = &mut self.session.notebook.notes;
        let before = notes.len();
        notes.retain(|note| note.number != number);
        match before - notes.len() {
            0 => Err(CommandError::NoNote(number)),
            deleted => Ok(Reply::Deleted { deleted }),
        }
    }
}
