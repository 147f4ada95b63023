//! `restartFrame`: back to the call of a function, with all consequences of what it has done.

use super::super::debugging::{Debugging, Moving};
use super::super::references::FrameRef;
use super::{Handled, Reaction, Request};
use reverl_session::command::{Command, ProcessRef};
use serde::Deserialize;

/// The request `restartFrame`.
pub struct RestartFrame;

/// What it is asked with.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    frame_id: i64,
}

impl Request for RestartFrame {
    const COMMAND: &'static str = "restartFrame";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, asked: Arguments) -> Handled {
        let FrameRef { proc, level } = debugging.references.frame_of(asked.frame_id)?;
        let process = Some(ProcessRef::Number(proc));
        // Each call further out is one more that is gone back from.
        let count = level as u64 + 1;
        let command = Command::ReverseFinish { count, process };
        Ok(Reaction::Move(Moving::of(command, Some(proc), "restart")))
    }
}
