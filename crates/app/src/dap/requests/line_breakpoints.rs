//! `setBreakpoints`: those of one file, all at once. A log point is not a stop: it tells.

use super::super::debugging::{BreakpointKind, Debugging};
use super::super::log_points::{self, LogPoint};
use super::super::protocol::{Breakpoint, Source};
use super::sources::file_name;
use super::{Handled, Reaction, Request};
use reverl_session::command::{BreakSpec, Lifetime, LineSpec, StopAt};
use serde::Deserialize;
use serde_json::json;

/// The request `setBreakpoints`.
pub struct SetBreakpoints;

/// What it is asked with.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    source: Source,
    #[serde(default)]
    breakpoints: Vec<SourceBreakpoint>,
}

/// A breakpoint on a line.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceBreakpoint {
    line: u32,
    #[serde(default)]
    condition: Option<String>,
    #[serde(default)]
    hit_condition: Option<String>,
    #[serde(default)]
    log_message: Option<String>,
}

impl Request for SetBreakpoints {
    const COMMAND: &'static str = "setBreakpoints";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, asked: Arguments) -> Handled {
        let source = asked.source;
        let key = format!("{:?} {:?}", source.path, source.source_reference.filter(|n| *n > 0));
        debugging.clear(&key)?;
        debugging.log_points.remove(&key);
        let wanted = source.clone();
        let file = debugging.look(move |d| file_name(d, &wanted))?;
        let mut told = vec![];
        for breakpoint in asked.breakpoints {
            told.push(match &file {
                Ok(file) => set(debugging, &key, file, &source, breakpoint),
                Err(why) => Breakpoint::refused(why.clone()),
            });
        }
        let news = log_points::news(debugging);
        Ok(Reaction::Events(json!({ "breakpoints": told }), news))
    }
}

fn set(
    debugging: &mut Debugging,
    key: &str,
    file: &str,
    source: &Source,
    asked: SourceBreakpoint,
) -> Breakpoint {
    let from_zero = u32::from(debugging.client.from_zero);
    let line = asked.line + from_zero;
    let at = StopAt::Line(LineSpec { file: Some(file.to_string()), line });
    let stops = at.clone();
    let found = debugging.look(move |d| {
        let stops = d.session.stops_at(&stops).map_err(|why| why.to_string())?;
        Ok::<_, String>(d.session.line_of_stops(&stops))
    });
    let real = match found.and_then(|found| found) {
        Ok(real) => real.unwrap_or(line),
        Err(why) => return Breakpoint::refused(why),
    };
    let placed = |mut told: Breakpoint| {
        told.line = Some(real - from_zero);
        told.source = Some(source.clone());
        told
    };
    if let Some(message) = asked.log_message.filter(|message| !message.is_empty()) {
        let point = LogPoint::new(file.to_string(), line, &message, source.clone());
        debugging.log_points.entry(key.to_string()).or_default().push(point);
        return placed(Breakpoint { id: None, ..Breakpoint::set(0) });
    }
    let text = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let hits = match text(asked.hit_condition).map(|text| text.parse()).transpose() {
        Ok(hits) => hits,
        Err(why) => return Breakpoint::refused(why),
    };
    let condition = text(asked.condition);
    let spec = BreakSpec { at, condition, lifetime: Lifetime::Stays, hits };
    placed(debugging.set_breakpoint(key, BreakpointKind::Line, spec))
}
