//! Lines on which a run can stop: those on which something begins.

use super::Query;
use crate::command::Debugger;
use crate::error::QueryError;
use crate::lines;
use crate::session::Session;
use crate::stops::Stops;
use reverl_lang::code::{Code, FunId};
use reverl_term::Atom;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use ts_rs::TS;

/// The lines of a file on which a run can stop.
#[derive(Clone, Debug, Serialize, TS)]
pub struct CodeLines {
    pub lines: Vec<u32>,
}

/// Asks for the lines of a file on which a run can stop.
#[derive(Deserialize, TS)]
pub struct CodeLinesQuery {
    /// As stack traces name it.
    pub file: String,
    #[serde(default)]
    #[ts(optional, as = "Option<u32>")]
    pub from: u32,
    #[serde(default)]
    #[ts(optional = nullable)]
    pub to: Option<u32>,
}

impl Query for CodeLinesQuery {
    const NAME: &'static str = "code_lines";
    const HELP: &'static str = "the lines of a file on which a run can stop";
    type Answer = CodeLines;

    fn answer(&self, debugger: &Debugger) -> Result<CodeLines, QueryError> {
        let wanted = self.from..=self.to.unwrap_or(u32::MAX);
        let all = code_lines(&debugger.session, &self.file);
        Ok(CodeLines { lines: all.into_iter().filter(|line| wanted.contains(line)).collect() })
    }
}

fn code_lines(session: &Session, file: &str) -> BTreeSet<u32> {
    let program = session.system.program();
    let code = &program.code;
    let is_in = |fun: &FunId| {
        code.sources.shown_at(code.fun(*fun).span).is_some_and(|(name, _)| *name == *file)
    };
    let funs = (0..code.funs.len() as u32).map(FunId).filter(is_in);
    let positions = funs.flat_map(|fun| lines::beginnings(code, fun));
    positions.filter_map(|at| line_at(code, at)).collect()
}

fn line_at(code: &Code, (pc, done): lines::CodePosition) -> Option<u32> {
    let span = match code.substeps_of(pc).get(done as usize) {
        Some(step) => code.exprs[step.expr.0 as usize].span,
        None => code.span_at(pc),
    };
    code.sources.shown_at(span).map(|(_, line)| line)
}

impl Session {
    /// The line on which a run that should stop at these positions really stops.
    pub fn line_of_stops(&self, stops: &Stops) -> Option<u32> {
        let program = self.system.program();
        stops.positions().filter_map(|at| line_at(&program.code, at)).min()
    }

    /// Loads the modules that a source file is the source of, so that breakpoints can be set in it
    /// before the program has called them.
    pub fn load_modules_of(&self, path: &Path) {
        for module in modules_of(path) {
            let module = Atom::new(&module);
            if !self.system.program().is_loaded(module) {
                self.system.world().load(module);
            }
        }
    }
}

/// The modules of a source file, by the rules of its language.
fn modules_of(path: &Path) -> Vec<String> {
    let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_string();
    match path.extension().and_then(|e| e.to_str()) {
        Some("erl") => vec![stem],
        // A file has any number of modules, each with a name of its own.
        Some("ex" | "exs") => {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            let names = text.lines().filter_map(|line| line.trim().strip_prefix("defmodule "));
            let names = names.filter_map(|rest| rest.split([' ', ',']).next());
            names.map(|name| format!("Elixir.{name}")).collect()
        }
        // The path below `src` is the name.
        Some("gleam") => {
            let path = path.with_extension("");
            let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
            let below = parts.iter().rposition(|part| *part == "src" || *part == "test");
            vec![parts[below.map_or(0, |at| at + 1)..].join("@")]
        }
        _ => vec![],
    }
}
