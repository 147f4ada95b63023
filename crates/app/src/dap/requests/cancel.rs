//! `cancel`: a request or a run that is shown with its progress ends early.

use super::super::debugging::Debugging;
use super::{Handled, Reaction, Request};
use serde::Deserialize;
use serde_json::Value;

/// The request `cancel`.
pub struct Cancel;

/// What it is asked with.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    #[serde(default)]
    request_id: Option<i64>,
    #[serde(default)]
    progress_id: Option<String>,
}

impl Request for Cancel {
    const COMMAND: &'static str = "cancel";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, asked: Arguments) -> Handled {
        let ticket = asked.progress_id.and_then(|id| id.parse().ok());
        let is_meant = ticket.is_some_and(|ticket| debugging.is_ticket(ticket))
            || asked.request_id.is_some_and(|seq| debugging.is_for(seq));
        if is_meant {
            debugging.interrupt();
        }
        // What is over cannot be cancelled, and the protocol asks for no complaint.
        Ok(Reaction::Answer(Value::Null))
    }
}
