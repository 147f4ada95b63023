//! `configurationDone`: breakpoints are set, so the program can begin. A recording is gone through
//! from its beginning, as if it happened now.

use super::super::debugging::{Debugging, Moving};
use super::{Handled, Reaction, Request};
use reverl_session::command::{Command, TargetSpec};
use serde::Deserialize;
use serde_json::Value;

/// The request `configurationDone`.
pub struct ConfigurationDone;

/// What it is asked with.
#[derive(Deserialize)]
pub struct Arguments {}

impl Request for ConfigurationDone {
    const COMMAND: &'static str = "configurationDone";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, _: Arguments) -> Handled {
        if debugging.is_shared() {
            return Ok(Reaction::Stop(Value::Null, "entry".into()));
        }
        if debugging.look(|d| d.session.execution().event_count() > 0)? {
            debugging.act(Command::undo(TargetSpec::All))?;
        }
        if debugging.stop_on_entry {
            return Ok(Reaction::Stop(Value::Null, "entry".into()));
        }
        let command = Command::Continue { process: None };
        Ok(Reaction::Move(Moving::run(command, None, "pause")))
    }
}
