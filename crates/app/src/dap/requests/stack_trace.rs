//! `stackTrace`: the calls of a process, by page. Calls of libraries are there, but subdued.

use super::super::debugging::Debugging;
use super::super::protocol::StackFrame;
use super::super::references::FrameRef;
use super::sources::shown_source;
use super::{Handled, Reaction, Request, process_of};
use reverl_session::query::process::CodeOwner;
use reverl_session::query::stack::{StackQuery, StackRow};
use serde::Deserialize;
use serde_json::json;

/// The request `stackTrace`.
pub struct StackTrace;

/// What it is asked with.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    thread_id: i64,
    #[serde(default)]
    start_frame: Option<usize>,
    #[serde(default)]
    levels: Option<usize>,
}

impl Request for StackTrace {
    const COMMAND: &'static str = "stackTrace";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, asked: Arguments) -> Handled {
        let proc = process_of(asked.thread_id)?;
        let from = asked.start_frame.unwrap_or(0);
        // None, and none said, is all.
        let count = asked.levels.filter(|levels| *levels > 0);
        let page = debugging.query(StackQuery { proc, from, count, at: None })?;
        let frames = page.calls.into_iter().map(|call| frame(debugging, proc, call));
        let frames = frames.collect::<Result<Vec<_>, _>>()?;
        Ok(Reaction::Answer(json!({ "stackFrames": frames, "totalFrames": page.depth })))
    }
}

fn frame(debugging: &mut Debugging, proc: u32, call: StackRow) -> Result<StackFrame, String> {
    let is_own = call.owner == CodeOwner::Own;
    let source = match call.file.clone() {
        Some(file) => debugging.look(move |d| shown_source(d, &file))?,
        None => None,
    };
    let source = source.map(|mut source| {
        source.presentation_hint = (!is_own).then(|| "deemphasize".to_string());
        source
    });
    let range = call.range.filter(|_| source.is_some());
    let from_zero = u32::from(debugging.client.from_zero);
    let counted = |n: u32| n.saturating_sub(from_zero);
    Ok(StackFrame {
        id: debugging.references.frame(FrameRef { proc, level: call.level }),
        name: call.function,
        line: range.map_or(0, |range| counted(range.line)),
        column: range.map_or(0, |range| counted(range.column)),
        end_line: range.map(|range| counted(range.end_line)),
        end_column: range.map(|range| counted(range.end_column)),
        source,
        can_restart: true,
        module_id: call.module,
        presentation_hint: (!is_own).then_some("subtle"),
    })
}
