//! `restart`: the program again, from its beginning; with the arguments that a launch has, those of
//! a session stay as they are.

use super::super::debugging::{Debugging, Moving};
use super::{Handled, Reaction, Request};
use reverl_session::command::{Command, TargetSpec};
use serde::Deserialize;
use serde_json::Value;

/// The request `restart`.
pub struct Restart;

/// What it is asked with.
#[derive(Deserialize)]
pub struct Arguments {}

impl Request for Restart {
    const COMMAND: &'static str = "restart";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, _: Arguments) -> Handled {
        if debugging.is_running() {
            return Err("the session is still going on; pause it first".into());
        }
        debugging.act(Command::Restart)?;
        debugging.forget_output();
        if debugging.look(|d| d.session.execution().event_count() > 0)? {
            debugging.act(Command::undo(TargetSpec::All))?;
        }
        match debugging.stop_on_entry {
            true => Ok(Reaction::Stop(Value::Null, "entry".into())),
            false => {
                let command = Command::Continue { process: None };
                Ok(Reaction::Move(Moving::run(command, None, "pause")))
            }
        }
    }
}
