//! Source files: which there are, their texts, and the lines around a process.

use super::Query;
use crate::command::Debugger;
use crate::error::QueryError;
use crate::scope;
use crate::viewpoint::Viewpoint;
use reverl_causal::ProcId;
use reverl_lang::source::{FileId, SourceFile};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use ts_rs::TS;

/// One source file.
#[derive(Clone, Debug, Serialize, TS)]
pub struct SourceFileRow {
    pub name: String,
    /// Whether its text is at hand.
    pub text: bool,
    /// Whether a module of the program's own is in it.
    pub own: bool,
}

/// The source files of the program.
#[derive(Clone, Debug, Serialize, TS)]
pub struct SourceFiles {
    pub files: Vec<SourceFileRow>,
}

/// Asks for the source files.
#[derive(Deserialize, TS)]
pub struct FilesQuery {}

impl Query for FilesQuery {
    const NAME: &'static str = "files";
    const HELP: &'static str = "the source files of the program";
    type Answer = SourceFiles;

    fn answer(&self, debugger: &Debugger) -> Result<SourceFiles, QueryError> {
        let mut files: Vec<SourceFileRow> = vec![];
        let (program, own) = (debugger.session.system.program(), debugger.session.own());
        let code = &program.code;
        let of_own = code.funs.iter().filter(|fun| own.contains(&fun.module));
        let own: HashSet<FileId> = of_own.map(|fun| code.span_at(fun.entry).file).collect();
        for (id, file) in code.sources.iter() {
            let known = files.iter().any(|f| *f.name == *file.name);
            if !known && file.name.ends_with(".erl") {
                files.push(SourceFileRow {
                    name: file.name.to_string(),
                    text: file.text.is_some(),
                    own: own.contains(&id),
                });
            }
        }
        Ok(SourceFiles { files })
    }
}

/// The text of one source file.
#[derive(Clone, Debug, Serialize, TS)]
pub struct SourceText {
    pub file: String,
    pub source: String,
}

/// Asks for the text of one source file.
#[derive(Deserialize, TS)]
pub struct SourceQuery {
    file: String,
}

impl Query for SourceQuery {
    const NAME: &'static str = "source";
    const HELP: &'static str = "the text of a file";
    type Answer = SourceText;

    fn answer(&self, debugger: &Debugger) -> Result<SourceText, QueryError> {
        let program = debugger.session.system.program();
        let mut sources = program.code.sources.iter();
        let found = sources.find(|(_, f)| *f.name == self.file && f.text.is_some());
        let text = found.and_then(|(_, f)| f.text.as_deref());
        let text = text.ok_or_else(|| QueryError::NoSource(Some(self.file.clone())))?;
        Ok(SourceText { file: self.file.clone(), source: text.to_string() })
    }
}

/// One line of a listing.
#[derive(Clone, Debug, Serialize, TS)]
pub struct SourceLine {
    pub line: u32,
    pub text: String,
    pub current: bool,
}

impl SourceLine {
    /// A line of a file in which another, or the same, is the current one.
    pub fn of(file: &SourceFile, line: u32, current: u32) -> SourceLine {
        let text = file.line_text(line).unwrap_or_default().to_string();
        SourceLine { line, text, current: line == current }
    }
}

/// The lines around the one where a process is.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Listing {
    pub file: String,
    pub line: u32,
    pub lines: Vec<SourceLine>,
}

/// The lines around the place where a process stands, in one of its calls.
pub fn listing(
    seen: &Viewpoint,
    (proc, level): (ProcId, usize),
    around: u32,
) -> Result<Listing, QueryError> {
    let process = seen.state(proc);
    let program = seen.session.system.program();
    let code = &program.code;
    let span = match level {
        0 => scope::here(code, &process, seen.steps_of(proc)).span,
        _ => {
            let levels = scope::levels(code, &process, seen.steps_of(proc));
            levels.get(level).ok_or(QueryError::NoSource(None))?.span
        }
    };
    let file = code.sources.get(span.file).filter(|f| f.text.is_some());
    let file = file.ok_or(QueryError::NoSource(None))?;
    let at = file.line_col(span.start).line;
    let shown = at.saturating_sub(around).max(1)..=(at + around).min(file.line_count());
    let lines = shown.map(|n| SourceLine::of(file, n, at)).collect();
    Ok(Listing { file: file.name.to_string(), line: at, lines })
}
