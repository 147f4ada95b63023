//! `pause`: what goes on stops where it is; the command that was going on tells where.

use super::super::debugging::Debugging;
use super::{Handled, Reaction, Request};
use serde::Deserialize;
use serde_json::Value;

/// The request `pause`.
pub struct Pause;

/// What it is asked with.
#[derive(Deserialize)]
pub struct Arguments {}

impl Request for Pause {
    const COMMAND: &'static str = "pause";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, _: Arguments) -> Handled {
        match debugging.is_running() {
            true => {
                debugging.interrupt();
                Ok(Reaction::Answer(Value::Null))
            }
            false => Ok(Reaction::Stop(Value::Null, "pause".into())),
        }
    }
}
