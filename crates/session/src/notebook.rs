//! What people add to an execution and want to find again: marks, notes, breakpoints, displayed
//! expressions. It is saved with the session.

use crate::command::{BreakSpec, Command};
use serde::{Deserialize, Serialize};

/// All that was noted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notebook {
    #[serde(default)]
    pub marks: Vec<Mark>,
    #[serde(default)]
    pub notes: Vec<EventNote>,
    /// As they were when the session was saved.
    #[serde(default)]
    pub breakpoints: Vec<NotedBreakpoint>,
    #[serde(default)]
    pub displays: Vec<String>,
}

impl Notebook {
    /// Whether nothing was noted.
    pub fn is_empty(&self) -> bool {
        *self == Notebook::default()
    }

    /// The mark of this name.
    pub fn mark(&self, name: &str) -> Option<&Mark> {
        self.marks.iter().find(|mark| mark.name == name)
    }
}

/// A moment that has a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    pub name: String,
    pub branch: String,
    /// Where each process stood, as `position::place_text` writes it.
    pub place: String,
    /// The process that commands were about.
    pub process: u32,
}

/// What somebody has to say about an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventNote {
    pub number: usize,
    pub branch: String,
    /// The name of the event, as `event_name` writes it.
    pub event: String,
    pub text: String,
}

/// A breakpoint with what it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedBreakpoint {
    pub spec: BreakSpec,
    #[serde(default)]
    pub ignored: u64,
    #[serde(default)]
    pub commands: Vec<Command>,
}
