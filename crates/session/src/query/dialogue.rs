//! The declarative dialogue, where it stands.

use super::Query;
use crate::command::Debugger;
use crate::dialogue::{DialogueChoices, DialogueState, choices};
use crate::error::QueryError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The question to be answered, or where to begin.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(untagged)]
pub enum DialogueView {
    Begun { dialogue: Box<DialogueState> },
    NotBegun(DialogueChoices),
}

/// Asks where the dialogue stands.
#[derive(Deserialize, TS)]
pub struct DialogueQuery {}

impl Query for DialogueQuery {
    const NAME: &'static str = "ask";
    const HELP: &'static str = "the question to be answered, or where to begin";
    type Answer = DialogueView;

    fn answer(&self, debugger: &Debugger) -> Result<DialogueView, QueryError> {
        let session = &debugger.session;
        Ok(match &debugger.dialogue {
            Some(dialogue) => DialogueView::Begun { dialogue: Box::new(dialogue.state(session)) },
            None => DialogueView::NotBegun(choices(session)),
        })
    }
}
