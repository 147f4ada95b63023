//! Where the session is, as numbers and as a text that can be kept and gone back to.

use super::Query;
use super::session::{BranchRow, branches};
use crate::command::{Debugger, DeliveryMode};
use crate::error::QueryError;
use crate::outcome::OutcomeKind;
use crate::walk::CodeScope;
use reverl_causal::{Cut, Execution};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The session at a glance.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Summary {
    pub branch: String,
    pub branches: Vec<BranchRow>,
    /// The process that commands are about.
    pub current: u32,
    pub main: u32,
    pub events: usize,
    /// Events in the cut.
    pub events_here: usize,
    pub steps_here: u64,
    pub processes: usize,
    pub at_end: bool,
    /// Something can happen at the end of the execution.
    pub more: bool,
    pub outcome: OutcomeKind,
    /// The cut as a text that can be kept and gone back to.
    pub place: String,
    /// How much the last undo undid.
    pub rolled: usize,
    /// In which code moves by lines and calls can end.
    pub code: CodeScope,
    /// When messages arrive.
    pub delivery: DeliveryMode,
}

fn summary(debugger: &Debugger) -> Summary {
    let session = &debugger.session;
    let execution = session.execution();
    let more = !session.system.enabled().is_empty() && session.system.halted().is_none();
    Summary {
        branch: session.branch_name().into(),
        branches: branches(session).branches,
        current: session.current.0,
        main: session.system.main.0,
        events: execution.event_count(),
        events_here: session.events_here(),
        steps_here: session.cut.total_steps(),
        processes: execution.ids().count(),
        at_end: session.is_at_end(),
        more,
        outcome: OutcomeKind::of(&session.system, more || execution.event_count() == 0),
        place: place_text(execution, &session.cut),
        rolled: session.roll_log.len(),
        code: debugger.code_scope,
        delivery: debugger.delivery,
    }
}

/// Asks for the session at a glance.
#[derive(Deserialize, TS)]
pub struct SummaryQuery {}

impl Query for SummaryQuery {
    const NAME: &'static str = "summary";
    const HELP: &'static str = "where the session is, in numbers";
    type Answer = Summary;

    fn answer(&self, debugger: &Debugger) -> Result<Summary, QueryError> {
        Ok(summary(debugger))
    }
}

/// The processes that are not at their end: number, steps and deliveries of each.
fn place_text(execution: &Execution, cut: &Cut) -> String {
    let end = Cut::end(execution);
    let moved = execution.ids().filter(|p| cut.place(*p) != end.place(*p));
    let parts: Vec<String> = moved
        .map(|p| format!("{}.{}.{}", p.0, cut.place(p).steps, cut.place(p).deliveries))
        .collect();
    if parts.is_empty() { "end".into() } else { parts.join("~") }
}
