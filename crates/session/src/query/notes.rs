//! What people have noted about events, and the report that it becomes a part of.

use super::events::{EventRow, told_row};
use super::{Detail, Query};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::event::event_named;
use crate::notebook::EventNote;
use crate::session::Session;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A note, with the event that it is about.
#[derive(Clone, Debug, Serialize, TS)]
pub struct NoteRow {
    pub number: usize,
    pub text: String,
    pub branch: String,
    /// None if it is on another branch.
    pub event: Option<EventRow>,
}

/// All notes, in the order in which their events happened; those of other branches at the end.
#[derive(Clone, Debug, Serialize, TS)]
pub struct NoteList {
    pub notes: Vec<NoteRow>,
}

/// The notes of a session.
pub fn notes(session: &Session) -> NoteList {
    let execution = session.execution();
    let of = |note: &EventNote| {
        let is_here = note.branch == session.branch_name();
        event_named(execution, &note.event).filter(|_| is_here)
    };
    let mut all: Vec<&EventNote> = session.notebook.notes.iter().collect();
    all.sort_by_key(|note| of(note).map_or(u32::MAX, |event| execution.order_of(event)));
    let row = |note: &EventNote| NoteRow {
        number: note.number,
        text: note.text.clone(),
        branch: note.branch.clone(),
        event: of(note).map(|event| told_row(&session.system, event, Detail::Brief)),
    };
    NoteList { notes: all.into_iter().map(row).collect() }
}

/// Asks for all notes.
#[derive(Deserialize, TS)]
pub struct NotesQuery {}

impl Query for NotesQuery {
    const NAME: &'static str = "notes";
    const HELP: &'static str = "what was noted about events";
    type Answer = NoteList;

    fn answer(&self, debugger: &Debugger) -> Result<NoteList, QueryError> {
        Ok(notes(&debugger.session))
    }
}

/// A report of the session in Markdown.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Report {
    pub markdown: String,
    /// The messages as a drawing, if they are few enough to be read.
    pub svg: Option<String>,
}

/// Asks for a report: what went wrong, what was noted, who sent what to whom.
#[derive(Deserialize, TS)]
pub struct ReportQuery {}

impl Query for ReportQuery {
    const NAME: &'static str = "report";
    const HELP: &'static str = "what went wrong and what was noted, as Markdown";
    type Answer = Report;

    fn answer(&self, debugger: &Debugger) -> Result<Report, QueryError> {
        Ok(crate::text::markdown::report(&debugger.session))
    }
}
