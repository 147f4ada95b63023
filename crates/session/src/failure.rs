//! What is wrong with an execution that has ended: the failures that exploring tells apart.

use crate::outcome::{self, show};
use crate::query::Detail;
use crate::query::problems::{self, Problem};
use reverl_causal::System;
use serde::Serialize;
use ts_rs::TS;

/// What went wrong, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum FailureKind {
    /// A process ended with an exception.
    Crashed,
    /// The same, by an assertion of a test.
    Assertion,
    /// A process was ended by the exit signal of another.
    Killed,
    /// The main process waits for ever.
    Deadlock,
    /// A process waits in a receive.
    Blocked,
    /// A server without work waits in code that is not the program's own.
    Idle,
    /// A message was sent and never arrived.
    Lost,
    /// A message arrived and was never received.
    Orphan,
    /// A bound on the steps was reached.
    Limit,
    /// An execution does not have the property that it should have.
    Property,
}

impl FailureKind {
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::Crashed => "crashed",
            FailureKind::Assertion => "assertion",
            FailureKind::Killed => "killed",
            FailureKind::Deadlock => "deadlock",
            FailureKind::Blocked => "blocked",
            FailureKind::Idle => "idle",
            FailureKind::Lost => "lost",
            FailureKind::Orphan => "orphan",
            FailureKind::Limit => "limit",
            FailureKind::Property => "property",
        }
    }
}

/// One way in which an execution fails. Executions that fail in the same way are counted together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
pub struct Failure {
    pub kind: FailureKind,
    /// `file:line`, in words.
    pub at: String,
    pub reason: String,
}

/// What the main process came to.
pub fn result(system: &System, is_cut_off: bool) -> String {
    match system.execution().proc(system.main).exit() {
        Some(exit) => match &exit.value {
            Some(value) => show(value),
            None => format!("exit: {}", show(&outcome::short_reason(&exit.reason))),
        },
        None if is_cut_off => "cut off".into(),
        None => "blocked".into(),
    }
}

/// Everything that is wrong with a finished execution. Of lost and orphan messages the first is
/// enough, and a process that was killed by another's end is not a failure of its own.
pub fn failures(system: &System, is_cut_off: bool) -> Vec<Failure> {
    let own = outcome::own_code(system);
    let mut found: Vec<Failure> = vec![];
    for proc in outcome::own_processes(system) {
        let failure = match problems::kind_of(system, &own, proc) {
            Some(kind @ (FailureKind::Crashed | FailureKind::Assertion)) => {
                of_problem(&problems::of_process(system, &own, proc, kind, Detail::Whole))
            }
            Some(kind @ FailureKind::Blocked) if proc == system.main && !is_cut_off => Failure {
                kind: FailureKind::Deadlock,
                at: problems::of_process(system, &own, proc, kind, Detail::Whole).place(),
                reason: "the main process waits for ever".into(),
            },
            _ => continue,
        };
        found.push(failure);
    }
    if is_cut_off {
        let reason = "the bound on steps was reached".into();
        found.push(Failure { kind: FailureKind::Limit, at: String::new(), reason });
        return found;
    }
    let (lost, orphans) = outcome::unreceived(system);
    for (kind, list) in [(FailureKind::Lost, lost), (FailureKind::Orphan, orphans)] {
        let first = list.first();
        let problem = first.map(|id| problems::of_message(system, *id, kind, Detail::Whole));
        found.extend(problem.as_ref().map(of_problem));
    }
    found
}

fn of_problem(problem: &Problem) -> Failure {
    Failure { kind: problem.kind, at: problem.place(), reason: problem.text.clone() }
}
