//! `breakpointLocations`: the lines on which a run can stop.

use super::super::debugging::Debugging;
use super::super::protocol::Source;
use super::sources::file_name;
use super::{Handled, Reaction, Request};
use reverl_session::query::code_lines::CodeLinesQuery;
use serde::Deserialize;
use serde_json::{Value, json};

/// The request `breakpointLocations`.
pub struct BreakpointLocations;

/// What it is asked with.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    source: Source,
    line: u32,
    #[serde(default)]
    end_line: Option<u32>,
}

impl Request for BreakpointLocations {
    const COMMAND: &'static str = "breakpointLocations";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, asked: Arguments) -> Handled {
        let from_zero = u32::from(debugging.client.from_zero);
        let source = asked.source;
        let file = debugging.look(move |d| file_name(d, &source))??;
        let from = asked.line + from_zero;
        let to = Some(asked.end_line.map_or(from, |line| line + from_zero));
        let lines = debugging.query(CodeLinesQuery { file, from, to })?.lines;
        let shown: Vec<Value> =
            lines.into_iter().map(|line| json!({ "line": line - from_zero })).collect();
        Ok(Reaction::Answer(json!({ "breakpoints": shown })))
    }
}
