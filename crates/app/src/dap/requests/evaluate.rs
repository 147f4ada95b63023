//! `evaluate`: an expression in hovers and watches; in the console every command of `reverl debug`,
//! and expressions as well. While the program waits for a line, the console gives it that line.

use super::super::debugging::{Debugging, Moving, MovingPurpose};
use super::super::references::FrameRef;
use super::variables::variable;
use super::{Handled, Reaction, Request};
use reverl_session::command::{CommandInput, CommandKind, parse};
use reverl_session::query::term::{self, TermSource};
use serde::Deserialize;
use serde_json::json;

/// The request `evaluate`.
pub struct Evaluate;

/// What it is asked with.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    expression: String,
    #[serde(default)]
    frame_id: Option<i64>,
    #[serde(default)]
    context: Option<String>,
}

impl Request for Evaluate {
    const COMMAND: &'static str = "evaluate";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, asked: Arguments) -> Handled {
        let frame = asked.frame_id.map(|id| debugging.references.frame_of(id)).transpose()?;
        match asked.context.as_deref() {
            Some("repl") => typed(debugging, asked.expression, frame),
            _ => value(debugging, asked.expression, frame),
        }
    }
}

/// A line of the console.
fn typed(debugging: &mut Debugging, line: String, frame: Option<FrameRef>) -> Handled {
    if debugging.worker().question().is_some() {
        debugging.worker().type_line(Some(&line))?;
        return Ok(Reaction::Answer(json!({ "result": "", "variablesReference": 0 })));
    }
    match parse(&line) {
        Ok(command) if command.kind() == CommandKind::Leaves => {
            Err("the editor ends the session: disconnect there".into())
        }
        Ok(command) => Ok(Reaction::Move(Moving {
            command: CommandInput::Text(line),
            proc: frame.map(|frame| frame.proc),
            purpose: MovingPurpose::Evaluate,
            is_answered_at_once: false,
            is_run: command.kind() == CommandKind::RunsOn,
        })),
        // What is not a command may be an expression; if it is neither, both are said.
        Err(bad) => value(debugging, line, frame).map_err(|why| format!("{bad}; {why}")),
    }
}

fn value(debugging: &mut Debugging, expression: String, frame: Option<FrameRef>) -> Handled {
    let current = debugging.look(|d| d.session.current.0)?;
    let FrameRef { proc, level } = frame.unwrap_or(FrameRef { proc: current, level: 0 });
    let of = TermSource::Expression { expression, proc, level };
    let asked = of.clone();
    let shown = debugging.find(move |d| term::shown(&d.session, &asked))?;
    let value = variable(debugging, String::new(), shown, of, vec![]);
    let mut body = json!({
        "result": value.value, "variablesReference": value.variables_reference,
    });
    if let Some(kind) = value.kind {
        body["type"] = kind.into();
    }
    if let Some(parts) = value.indexed_variables {
        body["indexedVariables"] = parts.into();
    }
    Ok(Reaction::Answer(body))
}
