//! The calls of a process without their variables, by page: a stack can have a million of them.

use super::process::CodeOwner;
use super::{Query, process_numbered};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::scope::{self, Level};
use crate::session::Session;
use crate::viewpoint::MomentSpec;
use crate::{describe, language};
use reverl_lang::source::Span;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Calls of one answer.
const MOST: usize = 1_000;

/// From where to where something stands in a file, counted from 1; the end is behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct TextRange {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

/// One call in progress, and where it is.
#[derive(Clone, Debug, Serialize, TS)]
pub struct StackRow {
    /// How many calls further out than the innermost.
    pub level: usize,
    pub function: String,
    pub module: String,
    pub owner: CodeOwner,
    /// The file as stack traces show it.
    pub file: Option<String>,
    /// Where in it the expression stands that is evaluated.
    pub range: Option<TextRange>,
}

/// A page of the calls of a process.
#[derive(Clone, Debug, Serialize, TS)]
pub struct StackPage {
    /// How many there are.
    pub depth: usize,
    pub calls: Vec<StackRow>,
}

/// The calls of a process, the innermost first.
#[derive(Deserialize, TS)]
pub struct StackQuery {
    pub proc: u32,
    #[serde(default)]
    #[ts(optional, as = "Option<usize>")]
    pub from: usize,
    #[serde(default)]
    #[ts(optional = nullable)]
    pub count: Option<usize>,
    #[serde(default)]
    #[ts(optional = nullable)]
    pub at: Option<MomentSpec>,
}

impl Query for StackQuery {
    const NAME: &'static str = "stack";
    const HELP: &'static str = "the calls of a process without their variables";
    type Answer = StackPage;

    fn answer(&self, debugger: &Debugger) -> Result<StackPage, QueryError> {
        let session = &debugger.session;
        let proc = process_numbered(session.execution(), self.proc)?;
        let seen = session.at(self.at.as_ref())?;
        if !seen.cut.is_spawned(session.execution(), proc) {
            return Ok(StackPage { depth: 0, calls: vec![] });
        }
        let levels = scope::levels_at_cut(&seen, proc);
        let most = self.count.unwrap_or(MOST).min(MOST);
        let page = levels.iter().enumerate().skip(self.from).take(most);
        let calls = page.map(|(level, call)| row(session, level, call)).collect();
        Ok(StackPage { depth: levels.len(), calls })
    }
}

fn row(session: &Session, level: usize, call: &Level) -> StackRow {
    let is_own = session.own().contains(&call.module);
    let program = session.system.program();
    let shown = program.code.sources.shown_at(call.span);
    StackRow {
        level,
        function: describe::mfa((call.module, call.name, call.arity)),
        module: language::atom(call.module),
        owner: if is_own { CodeOwner::Own } else { CodeOwner::Library },
        range: shown.as_ref().map(|(_, line)| range(session, call.span, *line)),
        file: shown.map(|(file, _)| file.to_string()),
    }
}

/// The range of a span whose first line is shown as this one.
fn range(session: &Session, span: Span, line: u32) -> TextRange {
    let program = session.system.program();
    let from = program.code.sources.line_col(span);
    let to = program.code.sources.line_col(Span { start: span.end, ..span });
    let end_line = line + to.line.saturating_sub(from.line);
    let is_backwards = (end_line, to.column) < (line, from.column);
    let end_column = if is_backwards { from.column } else { to.column };
    TextRange { line, column: from.column, end_line, end_column }
}
