//! What went wrong by the end of the execution: the one answer that `run`, `problems`, the page and
//! exploring all give.

use super::messages;
use super::term::line;
use super::{Detail, ProcRef, Query};
use crate::command::Debugger;
use crate::describe;
use crate::error::QueryError;
use crate::event::event_name;
use crate::failure::FailureKind;
use crate::outcome::{self, Wait};
use crate::reasons;
use reverl_causal::{EventRef, ProcId, SignalId, System};
use reverl_term::Atom;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use ts_rs::TS;

/// Problems beyond this are only counted.
const MOST: usize = 500;

/// One thing that went wrong.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Problem {
    pub kind: FailureKind,
    /// The process; of a message, its sender.
    #[serde(flatten)]
    pub process: ProcRef,
    pub path: String,
    /// What the process was started to do.
    pub entry: String,
    /// It is about the main process.
    pub is_main: bool,
    /// `file:line` where it happened; of a message, where it was sent.
    pub at: String,
    /// If that is in OTP's code: the line of the program's own that called it.
    pub own_at: Option<String>,
    /// The reason of an exit, or the message.
    pub text: String,
    /// Whose exit signal ended it.
    pub by: Option<ProcRef>,
    /// Whom the message was sent to.
    pub to: Option<ProcRef>,
    /// `#84.2`
    pub message: Option<String>,
    /// The event to look at.
    pub event: Option<String>,
}

impl Problem {
    /// Where it happened, in words.
    pub fn place(&self) -> String {
        match self.own_at.as_ref().filter(|own| **own != self.at) {
            Some(own) => format!("{}, called from {own}", self.at),
            None => self.at.clone(),
        }
    }
}

/// All that went wrong, the worst first.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Problems {
    /// How many there are; the list may have fewer.
    pub count: usize,
    pub problems: Vec<Problem>,
}

/// What went wrong up to now; at most `most` of it.
pub fn problems(system: &System, most: usize, detail: Detail) -> Problems {
    let own = outcome::own_code(system);
    let is_stuck = outcome::is_anybody_stuck(system, &own);
    let mut found = vec![];
    let mut count = 0;
    for proc in outcome::own_processes(system) {
        let Some(kind) = kind_of(system, &own, is_stuck, proc) else { continue };
        count += 1;
        if found.len() < most {
            found.push(of_process(system, &own, proc, kind, detail));
        }
    }
    let (lost, orphans) = outcome::unreceived(system);
    for (kind, list) in [(FailureKind::Lost, lost), (FailureKind::Orphan, orphans)] {
        count += list.len();
        let room = most.saturating_sub(found.len());
        found.extend(list.iter().take(room).map(|id| of_message(system, *id, kind, detail)));
    }
    Problems { count, problems: found }
}

/// What is wrong with a process, if anything is; `is_stuck` if some process is.
pub fn kind_of(
    system: &System,
    own: &HashSet<Atom>,
    is_stuck: bool,
    proc: ProcId,
) -> Option<FailureKind> {
    let exit = system.execution().proc(proc).exit();
    match (outcome::wait(system, own, proc), exit) {
        (Some(Wait::Stuck), _) => Some(FailureKind::Blocked),
        (Some(Wait::Looping), _) if is_stuck => Some(FailureKind::Blocked),
        (Some(_), _) => Some(FailureKind::Idle),
        (_, Some(exit)) if outcome::is_way_of_others(system, own, proc, exit) => None,
        (_, Some(exit)) if !outcome::is_normal(&exit.reason) => {
            let is_assertion = || reasons::is_assertion(&outcome::short_reason(&exit.reason));
            Some(match exit.killed_by {
                Some(_) => FailureKind::Killed,
                None if is_assertion() => FailureKind::Assertion,
                None => FailureKind::Crashed,
            })
        }
        _ => None,
    }
}

/// The problem of one process, if it has one.
pub fn of_process(
    system: &System,
    own: &HashSet<Atom>,
    proc: ProcId,
    kind: FailureKind,
    detail: Detail,
) -> Problem {
    let p = system.execution().proc(proc);
    let last = p.actions.len().checked_sub(1).map(|i| event_name(EventRef::action(proc, i)));
    let reason = p.exit().map(|e| line(&outcome::short_reason(&e.reason), detail));
    let killer =
        p.exit().and_then(|e| e.killing_signal()).and_then(|i| p.deliveries.get(i as usize));
    Problem {
        kind,
        process: ProcRef::of(system, proc),
        path: p.path.to_string(),
        entry: describe::initial_call(system, proc),
        is_main: proc == system.main,
        at: outcome::place(system, proc),
        own_at: outcome::own_place(system, own, proc),
        text: reason.unwrap_or_else(|| "waits in this receive".into()),
        by: killer.map(|d| ProcRef::of(system, d.signal.from)),
        to: None,
        message: None,
        event: last,
    }
}

/// The problem of one message: it was never received, or never arrived.
pub fn of_message(system: &System, id: SignalId, kind: FailureKind, detail: Detail) -> Problem {
    let row = messages::row(system, id, detail);
    let p = system.execution().proc(id.from);
    Problem {
        kind,
        process: row.from,
        path: p.path.to_string(),
        entry: describe::initial_call(system, id.from),
        is_main: id.from == system.main,
        at: row.at,
        own_at: None,
        text: row.message.text,
        by: None,
        to: row.to,
        message: Some(row.id),
        event: Some(row.sent),
    }
}

/// Asks what went wrong.
#[derive(Deserialize, TS)]
pub struct ProblemsQuery {}

impl Query for ProblemsQuery {
    const NAME: &'static str = "problems";
    const HELP: &'static str = "blocked, crashed, lost, orphan";
    type Answer = Problems;

    fn answer(&self, debugger: &Debugger) -> Result<Problems, QueryError> {
        Ok(problems(&debugger.session.system, MOST, Detail::Brief))
    }
}
