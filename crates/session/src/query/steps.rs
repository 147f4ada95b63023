//! The full history of a process: every reduction that it has done, and not only those that others
//! can notice.

use super::{Query, process_numbered};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::scope;
use crate::session::Session;
use reverl_causal::ProcId;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The most steps of one answer.
const MOST: usize = 2_000;
const PAGE: usize = 100;
/// The most characters of an expression.
const MOST_EXPRESSION: usize = 100;

/// One reduction that a process has done.
#[derive(Clone, Debug, Serialize, TS)]
pub struct StepRow {
    /// The step before it.
    pub step: u64,
    /// The rule of the semantics; none where the process took a message, or ended.
    pub rule: Option<String>,
    /// The expression that was reduced.
    pub expression: Option<String>,
    /// `file:line`.
    pub at: Option<String>,
}

/// The last reductions of a process up to the cut.
#[derive(Clone, Debug, Serialize, TS)]
pub struct StepList {
    /// How many there are.
    pub count: u64,
    pub steps: Vec<StepRow>,
}

/// The last steps of a process up to the cut, the oldest first.
pub fn steps(session: &Session, proc: ProcId, most: usize) -> StepList {
    let system = &session.system;
    let end = session.steps_of(proc);
    let start = end.saturating_sub(most.min(MOST) as u64);
    let mut replay = system.nearest(proc, start);
    let mut steps = vec![];
    for step in start..end {
        replay.run_to(system, step);
        let program = system.program();
        let code = &program.code;
        let here = scope::here(code, &replay.process, step);
        let file = code.sources.get(here.span.file);
        let text = file.and_then(|f| f.text.as_ref());
        let text = text.and_then(|t| t.get(here.span.start as usize..here.span.end as usize));
        let words = text.map(|t| t.split_whitespace().collect::<Vec<_>>().join(" "));
        steps.push(StepRow {
            step,
            rule: here.next.map(|(rule, _)| format!("{rule:?}").to_lowercase()),
            expression: words.map(|t| t.chars().take(MOST_EXPRESSION).collect()),
            at: code.sources.shown_at(here.span).map(|(file, line)| format!("{file}:{line}")),
        });
    }
    StepList { count: end, steps }
}

fn page() -> usize {
    PAGE
}

/// Asks for the steps of a process up to the cut.
#[derive(Deserialize, TS)]
pub struct StepsQuery {
    proc: u32,
    #[serde(default = "page")]
    #[ts(optional, as = "Option<usize>")]
    count: usize,
}

impl Query for StepsQuery {
    const NAME: &'static str = "steps";
    const HELP: &'static str = "every reduction that a process did up to the cut";
    type Answer = StepList;

    fn answer(&self, debugger: &Debugger) -> Result<StepList, QueryError> {
        let session = &debugger.session;
        let proc = process_numbered(session.execution(), self.proc)?;
        Ok(steps(session, proc, self.count))
    }
}
