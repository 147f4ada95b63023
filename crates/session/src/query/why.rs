//! Where a value came from: the binding of its variable, and the message if it came with one.

use super::events::{EventRow, row};
use super::plan::about;
use super::{Detail, ProcRef, Query};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::session::Session;
use crate::{places, scope, walk};
use reverl_causal::{ActionKind, ProcId};
use reverl_term::Atom;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Clone, Debug, Serialize, TS)]
pub struct Reason {
    pub variable: String,
    pub value: String,
    #[serde(flatten)]
    pub process: ProcRef,
    /// Where it was bound: `file:line`, and the step.
    pub at: String,
    pub step: u64,
    /// The event that sent the message it came with.
    pub message: Option<EventRow>,
}

pub fn why(
    session: &Session,
    proc: ProcId,
    variable: &str,
    detail: Detail,
) -> Result<Reason, QueryError> {
    let process = session.state(proc);
    let name = Atom::new(variable);
    let (_, bound) = scope::module_and_bindings(session, proc, &process);
    let bound = bound.into_iter().find(|(n, _)| *n == name);
    let (_, value) = bound.ok_or_else(|| QueryError::NotBound(variable.into()))?;
    let step = session.bound_at(proc, name).unwrap_or(session.steps_of(proc));
    let state = session.system.state_at(proc, step);
    let place = walk::place_of(&session.system.program().code, &state, step);
    Ok(Reason {
        variable: variable.into(),
        value: super::term::line(&value, detail),
        process: ProcRef::of(&session.system, proc),
        at: place.line.map(|(f, l)| format!("{f}:{l}")).unwrap_or_default(),
        step,
        message: message(session, proc, step, detail),
    })
}

/// A receive is the last thing that happened before a variable of its pattern is bound.
fn message(session: &Session, proc: ProcId, step: u64, detail: Detail) -> Option<EventRow> {
    let execution = session.execution();
    let actions = execution.proc(proc).actions_at(step + 1);
    let last = &execution.proc(proc).actions[actions.checked_sub(1)?];
    match last.what() {
        ActionKind::Receive(id) if last.step + 1 >= step => {
            Some(row(&session.system, places::send_event(execution, id), detail))
        }
        _ => None,
    }
}

#[derive(Deserialize, TS)]
pub struct WhyQuery {
    variable: String,
    #[serde(default)]
    #[ts(optional = nullable)]
    proc: Option<u32>,
}

impl Query for WhyQuery {
    const NAME: &'static str = "why";
    const HELP: &'static str = "where the value of a variable came from";
    type Answer = Reason;

    fn answer(&self, debugger: &Debugger) -> Result<Reason, QueryError> {
        let session = &debugger.session;
        why(session, about(session, self.proc)?, &self.variable, Detail::Brief)
    }
}
