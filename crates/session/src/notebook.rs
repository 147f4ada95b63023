//! What people add to an execution and want to find again: marks, breakpoints, displayed
//! expressions. It is saved with the session.

use crate::command::{BreakSpec, Command};
use serde::{Deserialize, Serialize};

/// All that was noted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notebook {
    #[serde(default)]
    pub marks: Vec<Mark>,
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

/// A breakpoint with what it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedBreakpoint {
    pub spec: BreakSpec,
    #[serde(default)]
    pub ignored: u64,
    #[serde(default)]
    pub commands: Vec<Command>,
}
