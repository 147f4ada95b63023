//! Prints after the fact: what an expression was each time a place of the code was come to, over
//! the whole execution, as if the program had always printed it there.

use super::term::line;
use super::{Detail, ProcRef, Query};
use crate::command::{Debugger, StopAt, logged_place};
use crate::error::QueryError;
use crate::eval::Typed;
use crate::scope;
use crate::session::Session;
use crate::stops::{Search, Stops};
use crate::walk;
use crate::wanted::WantedEvent;
use reverl_causal::{EventRef, ProcId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// So many rows the page is shown.
const MOST: usize = 500;

/// What an expression was once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct LoggedRow {
    #[serde(flatten)]
    pub process: ProcRef,
    /// The position, which can be gone to and looked at.
    pub step: u64,
    pub at: String,
    pub value: LoggedValue,
    /// It has not happened yet at the cut.
    pub is_ahead: bool,
}

/// The value, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum LoggedValue {
    Value(String),
    None(String),
}

/// What an expression was each time, in an order in which it can have happened.
#[derive(Clone, Debug, Serialize, TS)]
pub struct LoggedValues {
    pub rows: Vec<LoggedRow>,
    /// How many were found; those that are not in the rows are later ones.
    pub found: usize,
}

/// One time that a process came to the place, and when that was among the events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    order: u32,
    proc: ProcId,
    step: u64,
}

/// All that an expression was at a place of the code, of one process or of all.
pub fn logged(
    session: &Session,
    at: &StopAt,
    expression: &str,
    of: Option<ProcId>,
    (most, detail): (usize, Detail),
) -> Result<LoggedValues, QueryError> {
    let typed = Typed::new(expression);
    let execution = session.execution();
    let is_meant =
        |proc: &ProcId| of.is_none_or(|of| of == *proc) && !execution.proc(*proc).is_system;
    let mut hits: Vec<Hit> = match at {
        StopAt::Event { kind, pattern } => {
            let wanted = WantedEvent::new(&session.system, *kind, pattern.as_deref())?;
            let fits = |e: &EventRef| is_meant(&e.proc) && wanted.fits(&session.system, *e);
            execution.events().filter(fits).map(|event| before_event(session, event)).collect()
        }
        _ => {
            let stops = session.stops_at(at)?;
            let own = execution.ids().filter(is_meant);
            own.flat_map(|proc| hits_of(session, proc, &stops)).collect()
        }
    };
    if session.has_to_stop() {
        return Err(QueryError::Stopped);
    }
    hits.sort_unstable();
    let first = hits.iter().take(most);
    let is_event = matches!(at, StopAt::Event { .. });
    let rows = first.map(|hit| shown(session, hit, &typed, is_event, detail)).collect();
    Ok(LoggedValues { rows, found: hits.len() })
}

fn hits_of(session: &Session, proc: ProcId, stops: &Stops) -> Vec<Hit> {
    let mut search = Search::new(session, proc, stops, 0, session.execution().proc(proc).steps);
    let mut hits = vec![];
    while let Some((step, _)) = search.advance() {
        hits.push(Hit { order: order(session, proc, step), proc, step });
    }
    hits
}

/// Where a process was right before an event of its own, or when something arrived there.
fn before_event(session: &Session, event: EventRef) -> Hit {
    let step = session.before(event).steps_of(event.proc);
    Hit { order: session.execution().order_of(event), proc: event.proc, step }
}

/// When it was, among the events: behind the last one that the process had done, or its spawn.
pub(super) fn order(session: &Session, proc: ProcId, step: u64) -> u32 {
    let execution = session.execution();
    let p = execution.proc(proc);
    let last = match p.actions_at(step).checked_sub(1) {
        Some(last) => Some(EventRef::action(proc, last)),
        None => p.parent.map(|(parent, spawn)| EventRef::action(parent, spawn as usize)),
    };
    last.map_or(0, |event| execution.order_of(event) + 1)
}

/// An event is often one of a library that the program's own code has called: its variables are
/// meant.
fn shown(session: &Session, hit: &Hit, typed: &Typed, is_event: bool, detail: Detail) -> LoggedRow {
    let state = session.system.state_at(hit.proc, hit.step);
    let own = || {
        let own = session.own();
        let levels = scope::levels(&session.system.program().code, &state, hit.step);
        levels.into_iter().find(|level| own.contains(&level.module))
    };
    let value = match is_event.then(own).flatten() {
        Some(level) => {
            let (names, values) = level.bindings.into_iter().unzip();
            typed.among(session, (level.module, names), values, state.local.clone())
        }
        None => typed.value(session, &state, hit.step),
    };
    let value = match value {
        Ok(value) => LoggedValue::Value(line(&value, detail)),
        Err(why) => LoggedValue::None(why.to_string()),
    };
    row(session, hit.proc, hit.step, value)
}

pub(super) fn row(session: &Session, proc: ProcId, step: u64, value: LoggedValue) -> LoggedRow {
    let state = session.system.state_at(proc, step);
    let place = walk::place_of(&session.system.program().code, &state, step);
    LoggedRow {
        process: ProcRef::of(&session.system, proc),
        step,
        at: place.line.map(|(file, line)| format!("{file}:{line}")).unwrap_or_default(),
        value,
        is_ahead: step > session.steps_of(proc),
    }
}

/// Asks what an expression was each time a place of the code was come to.
#[derive(Deserialize, TS)]
pub struct LoggedQuery {
    /// `[FILE:]LINE`, `[MODULE:]FUNCTION[/ARITY]`, or a kind of event with what it has in quotes.
    place: String,
    expression: String,
    /// Only in this process.
    #[serde(default)]
    #[ts(optional = nullable)]
    proc: Option<u32>,
}

impl Query for LoggedQuery {
    const NAME: &'static str = "logged";
    const HELP: &'static str = "what an expression was each time a line or function was come to";
    type Answer = LoggedValues;

    fn answer(&self, debugger: &Debugger) -> Result<LoggedValues, QueryError> {
        let session = &debugger.session;
        let numbered = |n| super::process_numbered(session.execution(), n);
        let of = self.proc.map(numbered).transpose()?;
        let place = logged_place(&self.place)?;
        logged(session, &place, &self.expression, of, (MOST, Detail::Brief))
    }
}
