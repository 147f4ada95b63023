//! `setVariable`: what if it had another value? The answer is a branch on which it has; the old
//! future stays on the other.

use super::super::debugging::{Debugging, Moving, MovingPurpose};
use super::super::references::{Container, FrameRef};
use super::{Handled, Reaction, Request};
use reverl_session::command::{Chosen, Command, ProcessMoment, ProcessRef};
use serde::Deserialize;

/// The request `setVariable`.
pub struct SetVariable;

/// What it is asked with.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    variables_reference: i64,
    name: String,
    value: String,
}

impl Request for SetVariable {
    const COMMAND: &'static str = "setVariable";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, asked: Arguments) -> Handled {
        let container = debugging.references.container_of(asked.variables_reference)?;
        let Container::Locals(FrameRef { proc, level: 0 }) = container else {
            return Err("only variables of the innermost call can be given another value".into());
        };
        let at = ProcessMoment { process: Some(ProcessRef::Number(proc)), moment: None };
        let chosen = Chosen::Value { name: asked.name, expression: asked.value.clone(), at };
        Ok(Reaction::Move(Moving {
            purpose: MovingPurpose::SetVariable(asked.value),
            ..Moving::of(Command::Choose(chosen), Some(proc), "goto")
        }))
    }
}
