//! `setFunctionBreakpoints`: `function`, `module:function`, `module:function/arity`; and everything
//! else that `break` takes, such as a message that matches a pattern: `receive {order, _}`.

use super::super::debugging::{BreakpointKind, Debugging};
use super::super::protocol::Breakpoint;
use super::{Handled, Reaction, Request};
use reverl_session::command::{Command, parse};
use serde::Deserialize;
use serde_json::json;

const KEY: &str = "functions";

/// The request `setFunctionBreakpoints`.
pub struct SetFunctionBreakpoints;

/// What it is asked with.
#[derive(Deserialize)]
pub struct Arguments {
    breakpoints: Vec<FunctionBreakpoint>,
}

/// A breakpoint by name.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FunctionBreakpoint {
    name: String,
    #[serde(default)]
    condition: Option<String>,
    #[serde(default)]
    hit_condition: Option<String>,
}

impl Request for SetFunctionBreakpoints {
    const COMMAND: &'static str = "setFunctionBreakpoints";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, asked: Arguments) -> Handled {
        debugging.clear(KEY)?;
        let told: Vec<Breakpoint> =
            asked.breakpoints.into_iter().map(|wanted| set(debugging, wanted)).collect();
        Ok(Reaction::Answer(json!({ "breakpoints": told })))
    }
}

fn set(debugging: &mut Debugging, asked: FunctionBreakpoint) -> Breakpoint {
    let text = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let mut spec = match parse(&format!("break {}", asked.name)) {
        Ok(Command::Break(spec)) => spec,
        Ok(_) => return Breakpoint::refused(format!("'{}' is not a function", asked.name)),
        Err(why) => return Breakpoint::refused(why.to_string()),
    };
    spec.condition = text(asked.condition).or(spec.condition);
    match text(asked.hit_condition).map(|text| text.parse()).transpose() {
        Ok(hits) => spec.hits = hits.or(spec.hits),
        Err(why) => return Breakpoint::refused(why),
    }
    debugging.set_breakpoint(KEY, BreakpointKind::Function, spec)
}
