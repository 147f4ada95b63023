//! `gotoTargets` and `goto`: a line has been executed so many times, by these processes; each of
//! them can be gone to, in either direction.

use super::super::debugging::{Debugging, Moving};
use super::super::protocol::Source;
use super::sources::file_name;
use super::{Handled, Reaction, Request};
use reverl_session::command::{Command, LineSpec, ProcessRef, StopAt};
use reverl_session::query::Detail;
use reverl_session::query::logged::logged;
use serde::Deserialize;
use serde_json::{Value, json};

/// Executions of a line that are offered.
const MOST: usize = 100;

/// The request `gotoTargets`.
pub struct GotoTargets;

/// What it is asked with.
#[derive(Deserialize)]
pub struct TargetsArguments {
    source: Source,
    line: u32,
}

impl Request for GotoTargets {
    const COMMAND: &'static str = "gotoTargets";
    type Arguments = TargetsArguments;

    fn handle(debugging: &mut Debugging, asked: TargetsArguments) -> Handled {
        let from_zero = u32::from(debugging.client.from_zero);
        let line = asked.line + from_zero;
        let source = asked.source;
        let found = debugging.look(move |d| {
            let file = Some(file_name(d, &source)?);
            let at = StopAt::Line(LineSpec { file, line });
            logged(&d.session, &at, "true", None, (MOST, Detail::Brief))
                .map_err(|why| why.to_string())
        })??;
        let mut targets: Vec<Value> = vec![];
        for row in &found.rows {
            let id = debugging.references.target(row.process.proc, row.step);
            let when = if row.is_ahead { "ahead" } else { "before" };
            let label = format!("{} {} @{}", row.process.called, row.process.pid, row.step);
            targets.push(
                json!({ "id": id, "label": format!("{label} ({when})"), "line": asked.line }),
            );
        }
        Ok(Reaction::Answer(json!({ "targets": targets })))
    }
}

/// The request `goto`.
pub struct Goto;

/// What it is asked with.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    target_id: i64,
}

impl Request for Goto {
    const COMMAND: &'static str = "goto";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, asked: Arguments) -> Handled {
        let (proc, step) = debugging.references.target_of(asked.target_id)?;
        let command = Command::Goto { process: ProcessRef::Number(proc), step };
        Ok(Reaction::Move(Moving::of(command, Some(proc), "goto")))
    }
}
