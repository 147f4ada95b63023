//! The forks of a window of the diagram: its receives that could have taken another message.

use super::axis::{AskedColumns, Axis};
use super::races::inbox;
use super::{Detail, Query, process_numbered};
use crate::command::Debugger;
use crate::describe;
use crate::error::QueryError;
use crate::event::event_name;
use crate::places;
use crate::session::Session;
use reverl_analysis::races::{Inbox, Receive};
use reverl_causal::SignalId;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use ts_rs::TS;

/// An answer comes after so long, with what was found by then.
const PATIENCE: Duration = Duration::from_millis(60);
/// Forks in one answer.
const MOST: usize = 300;
/// Messages that are tried at one fork.
const MOST_ARMS: usize = 6;

/// A receive that could have taken another message.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Fork {
    pub event: String,
    pub proc: u32,
    pub column: u32,
    pub arms: Vec<ForkArm>,
}

/// A message that could have been taken at a fork.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ForkArm {
    /// `#84.2`
    pub message: String,
    pub text: String,
    /// Who sent it, and when.
    pub from: u32,
    pub column: u32,
}

/// The forks of a window.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Forks {
    pub forks: Vec<Fork>,
    /// There are more: it took too long to look at all.
    pub more: bool,
}

/// Asks which receives of a window of the diagram could have gone otherwise.
#[derive(Deserialize, TS)]
pub struct ForksQuery {
    lanes: Vec<u32>,
    #[serde(flatten)]
    #[ts(flatten)]
    columns: AskedColumns,
}

impl Query for ForksQuery {
    const NAME: &'static str = "forks";
    const HELP: &'static str = "the receives of a window that could have taken another message";
    type Answer = Forks;

    fn answer(&self, debugger: &Debugger) -> Result<Forks, QueryError> {
        let session = &debugger.session;
        let (execution, begun) = (session.execution(), Instant::now());
        let (axis, from, to) = self.columns.seen(session);
        let window = from..=to;
        let mut forks = vec![];
        for number in &self.lanes {
            let proc = process_numbered(execution, *number)?;
            let Some(inbox) = inbox(session, proc) else { continue };
            for receive in &inbox.receives {
                let column = axis.column(execution.order_of(receive.event));
                if !window.contains(&(column as usize)) {
                    continue;
                }
                if begun.elapsed() > PATIENCE || forks.len() >= MOST {
                    return Ok(Forks { forks, more: true });
                }
                let arms = arms(session, &axis, &inbox, receive);
                if !arms.is_empty() {
                    let event = event_name(receive.event);
                    forks.push(Fork { event, proc: *number, column, arms });
                }
            }
        }
        Ok(Forks { forks, more: false })
    }
}

/// The messages that a receive would have taken, had they come before.
fn arms(session: &Session, axis: &Axis, inbox: &Inbox, receive: &Receive) -> Vec<ForkArm> {
    let (system, execution) = (&session.system, session.execution());
    let others: Vec<SignalId> = inbox.racing(execution, receive).take(MOST_ARMS).collect();
    let Some(race) = inbox.race(system, receive, others) else { return vec![] };
    let arm = |id: SignalId| ForkArm {
        message: describe::signal_name(system, id),
        text: super::term::line(&execution.signal(id).message, Detail::Brief),
        from: id.from.0,
        column: axis.column(execution.order_of(places::send_event(execution, id))),
    };
    race.racing.iter().filter(|other| other.is_actual).map(|other| arm(other.message)).collect()
}
