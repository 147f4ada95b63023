//! All races of an execution that has ended: what `reverl races` tells.

use super::Detail;
use super::events::{EventRow, told_row};
use super::races::{RaceRow, RacingMessage};
use super::term::line;
use crate::describe;
use reverl_analysis::conflicts::{Conflict, conflicts};
use reverl_analysis::races::{Race, races};
use reverl_causal::object::Object;
use reverl_causal::{EventRef, SignalId, System};
use serde::Serialize;

/// What else than messages can come in another order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ConflictKind {
    Timeout,
    Exit,
    Name,
    Table,
    Atomics,
    Shared,
}

impl ConflictKind {
    pub fn name(self) -> &'static str {
        match self {
            ConflictKind::Timeout => "timeout",
            ConflictKind::Exit => "exit",
            ConflictKind::Name => "name",
            ConflictKind::Table => "table",
            ConflictKind::Atomics => "atomics",
            ConflictKind::Shared => "shared",
        }
    }
}

/// Two accesses that could have come in the other order.
#[derive(Clone, Debug, Serialize)]
pub struct ConflictRow {
    pub kind: ConflictKind,
    pub text: String,
    pub events: Vec<EventRow>,
}

/// All races of an execution.
#[derive(Clone, Debug, Serialize)]
pub struct RaceReport {
    pub races: Vec<RaceRow>,
    /// Receives that could really have taken another message.
    pub actual: usize,
    /// Receives before which only messages could have come that do not match.
    pub potential: usize,
    pub others: Vec<ConflictRow>,
}

/// The races of an execution. Receives whose races are only potential are rows if that is asked
/// for, else they are counted.
pub fn report(system: &System, with_potential: bool) -> RaceReport {
    let is_actual = |race: &Race| race.racing.iter().any(|other| other.is_actual);
    let (mut rows, mut actual, mut potential) = (vec![], 0, 0);
    races(system, &mut |race| {
        if system.execution().proc(race.receive.proc).is_system {
            return;
        }
        *(if is_actual(&race) { &mut actual } else { &mut potential }) += 1;
        if with_potential || is_actual(&race) {
            rows.push(race_row(system, &race));
        }
    });
    let others = conflicts(system).iter().map(|c| conflict_row(system, c)).collect();
    RaceReport { races: rows, actual, potential, others }
}

fn race_row(system: &System, race: &Race) -> RaceRow {
    let racing = race.racing.iter().map(|other| RacingMessage::of(system, other, Detail::Whole));
    RaceRow { racing: racing.collect(), receive: told_row(system, race.receive, Detail::Whole) }
}

fn conflict_row(system: &System, conflict: &Conflict) -> ConflictRow {
    let (kind, events, text) = told(system, conflict);
    let events = events.iter().map(|e| told_row(system, *e, Detail::Whole)).collect();
    ConflictRow { kind, text, events }
}

/// What kind of race it is, its events, and what it is about.
fn told(system: &System, conflict: &Conflict) -> (ConflictKind, Vec<EventRef>, String) {
    let message = |id: SignalId| {
        let name = describe::signal_name(system, id);
        format!("{name} {}", line(&system.execution().signal(id).message, Detail::Whole))
    };
    match conflict {
        Conflict::LateMessage { timeout, message: id } => {
            let text = format!("{} would have been taken if it had come earlier", message(*id));
            (ConflictKind::Timeout, vec![*timeout], text)
        }
        Conflict::CouldTimeOut { receive } => {
            let text = "it could have timed out before the message came".into();
            (ConflictKind::Timeout, vec![*receive], text)
        }
        Conflict::Killed { exit, signal } => {
            let from = describe::who(system, signal.from);
            let text = format!("the exit signal of {from} could have come at any step");
            (ConflictKind::Exit, vec![*exit], text)
        }
        Conflict::Access { object, first, second } => {
            let (kind, what) = match object {
                Object::Name(_, name) => (ConflictKind::Name, name.name().to_string()),
                Object::Registry(_) => (ConflictKind::Name, "the registered names".into()),
                Object::Population(_) => (ConflictKind::Shared, "the list of processes".into()),
                Object::Table(_) => (ConflictKind::Table, "a table".into()),
                Object::TableName(_, name) => {
                    (ConflictKind::Table, format!("the table {}", name.name()))
                }
                Object::Atomics(_) => (ConflictKind::Atomics, "atomics or counters".into()),
                Object::Line(..) | Object::Peers(_) | Object::NodeNamed(_) => {
                    (ConflictKind::Shared, "the connection of two nodes".into())
                }
                _ => (ConflictKind::Shared, "something shared".into()),
            };
            let text = format!("two accesses of {what} could have come in the other order");
            (kind, vec![*first, *second], text)
        }
    }
}
