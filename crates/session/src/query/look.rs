//! A command of the debugger that only looks, typed or as data, answered in words.

use super::Query;
use super::asked_place::about;
use crate::command::{CommandInput, CommandKind, Debugger};
use crate::error::QueryError;
use crate::text;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The text of a command that only looks.
#[derive(Clone, Debug, Serialize, TS)]
pub struct LookedAt {
    pub text: String,
}

/// Asks for the text of a command that only looks.
#[derive(Deserialize, TS)]
pub struct CommandQuery {
    command: CommandInput,
    #[serde(default)]
    #[ts(optional = nullable)]
    proc: Option<u32>,
}

impl Query for CommandQuery {
    const NAME: &'static str = "command";
    const HELP: &'static str = "a command that only looks";
    type Answer = LookedAt;

    fn answer(&self, debugger: &Debugger) -> Result<LookedAt, QueryError> {
        let command = self.command.parse()?;
        if command.kind() != CommandKind::Looks {
            return Err(QueryError::NotALook(command.name()));
        }
        let about = about(&debugger.session, self.proc)?;
        let answer = debugger.look(&command, about)?;
        Ok(LookedAt { text: text::reply(&answer) })
    }
}
