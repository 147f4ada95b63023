//! What an expression of a process has been over time, and when it became what it is.

use super::logged::{self, LoggedRow, LoggedValue, LoggedValues};
use super::{Detail, term};
use crate::command::ChangeSpec;
use crate::error::QueryError;
use crate::session::Session;
use crate::watched::{NewValue, WatchedExpression};
use reverl_causal::ProcId;
use serde::Serialize;

/// The last change of an expression up to here.
#[derive(Clone, Debug, Serialize)]
pub struct LastChange {
    pub expression: String,
    pub row: LoggedRow,
    /// What it was before; none if it had no value.
    pub before: Option<String>,
}

fn row(session: &Session, proc: ProcId, new: &NewValue, detail: Detail) -> LoggedRow {
    let value = LoggedValue::Value(term::line(&new.value, detail));
    logged::row(session, proc, new.step, value)
}

/// All values over the whole execution, each where it was seen first.
pub fn values(
    session: &Session,
    spec: &ChangeSpec,
    (most, detail): (usize, Detail),
) -> Result<LoggedValues, QueryError> {
    let watched = WatchedExpression::new(session, spec)?;
    let proc = watched.proc;
    let all = watched.values(session, session.execution().proc(proc).steps);
    let rows = all.iter().take(most).map(|new| row(session, proc, new, detail)).collect();
    Ok(LoggedValues { rows, found: all.len() })
}

/// The last of them up to here.
pub fn last(
    session: &Session,
    spec: &ChangeSpec,
    detail: Detail,
) -> Result<LastChange, QueryError> {
    let watched = WatchedExpression::new(session, spec)?;
    let all = watched.values(session, session.steps_of(watched.proc));
    let last = all.last().ok_or_else(|| QueryError::NeverHadAValue(spec.expression.clone()))?;
    Ok(LastChange {
        expression: spec.expression.clone(),
        row: row(session, watched.proc, last, detail),
        before: last.before.as_ref().map(|before| term::line(before, detail)),
    })
}
