//! Two executions side by side: where each process does something else than it did there.

use super::events::{EventRow, told_row};
use super::outcome::outcome;
use super::renaming::Renaming;
use super::{Detail, ProcRef, Query, process_numbered};
use crate::command::Debugger;
use crate::describe;
use crate::error::QueryError;
use crate::failure::FailureKind;
use crate::outcome::OutcomeKind;
use crate::session::{Branch, Session};
use reverl_causal::{Action, ActionKind, EventRef, Execution, ProcId, System};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use ts_rs::TS;

const MOST: usize = 300;

/// How a process went on in one of two executions.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ComparedSide {
    /// How much it did, if it was there.
    pub events: Option<usize>,
    /// The first thing that it did otherwise.
    pub next: Option<String>,
}

/// How one process differs between two branches.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ComparedProcess {
    #[serde(flatten)]
    pub process: ProcRef,
    /// How many of its actions are alike.
    pub same: usize,
    pub here: ComparedSide,
    pub there: ComparedSide,
}

/// How two branches ended, and which processes differ.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ComparedBranches {
    pub here: String,
    pub there: String,
    /// How each of them ended, in words.
    pub here_end: String,
    pub there_end: String,
    /// How many processes differ, and the first of them.
    pub differ: usize,
    pub processes: Vec<ComparedProcess>,
}

/// One process in both executions, from where it differs.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ComparedEvents {
    pub same: usize,
    pub here: Vec<EventRow>,
    pub there: Vec<EventRow>,
}

/// The branch that is open beside another one.
pub fn branches(session: &Session, with: &str) -> Result<ComparedBranches, QueryError> {
    let other = other_branch(session, with)?.system();
    let (differ, processes) = differing(&session.system, other);
    Ok(ComparedBranches {
        here: session.branch_name().into(),
        there: with.into(),
        here_end: end(&session.system),
        there_end: end(other),
        differ,
        processes,
    })
}

pub(super) fn other_branch<'s>(session: &'s Session, name: &str) -> Result<&'s Branch, QueryError> {
    let found = session.other_branches().iter().find(|branch| branch.name == name);
    found.ok_or_else(|| QueryError::NoOtherBranch(name.into()))
}

/// The branch that is the same execution as this one, if there is one.
pub(crate) fn branch_of(session: &Session, system: &System) -> Option<String> {
    let others = session.other_branches().iter().map(|b| (b.name.as_str(), b.system()));
    let all = std::iter::once((session.branch_name(), &session.system)).chain(others);
    let mut same = all.filter(|(_, there)| Differing::of(system, there).processes().is_empty());
    same.next().map(|(name, _)| name.into())
}

/// How an execution ended, in words.
pub(crate) fn end(system: &System) -> String {
    let all = outcome(system, !system.is_over());
    let main = match (all.outcome, &all.main.result, &all.main.exit_reason) {
        (_, Some(result), _) => format!("ends with {result}"),
        (_, _, Some(reason)) => format!("exits with {reason}"),
        (OutcomeKind::Deadlock, ..) => "waits for ever".into(),
        (OutcomeKind::Limit, ..) => "has not ended".into(),
        _ => "halts".into(),
    };
    match all.problems.iter().filter(|p| p.kind != FailureKind::Idle).count() {
        0 => main,
        1 => format!("{main}; 1 process crashed or waits for ever"),
        n => format!("{main}; {n} processes crashed or wait for ever"),
    }
}

/// What is compared with the current execution.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(untagged)]
pub enum Comparison {
    Branches(ComparedBranches),
    Events(ComparedEvents),
}

fn page() -> usize {
    100
}

/// Asks where two executions differ.
#[derive(Deserialize, TS)]
pub struct CompareQuery {
    /// The name of the other branch.
    with: String,
    /// One process, or none: all that differ.
    #[serde(default)]
    #[ts(optional)]
    proc: Option<u32>,
    #[serde(default = "page")]
    #[ts(optional, as = "Option<usize>")]
    count: usize,
}

impl Query for CompareQuery {
    const NAME: &'static str = "compare";
    const HELP: &'static str = "this branch beside another";
    type Answer = Comparison;

    fn answer(&self, debugger: &Debugger) -> Result<Comparison, QueryError> {
        let session = &debugger.session;
        let (here, there) = (&session.system, other_branch(session, &self.with)?.system());
        match self.proc {
            Some(number) => {
                let proc = process_numbered(here.execution(), number)
                    .or_else(|_| process_numbered(there.execution(), number))?;
                Ok(Comparison::Events(events(here, there, proc, self.count.min(1_000))))
            }
            None => Ok(Comparison::Branches(branches(session, &self.with)?)),
        }
    }
}

fn events(here: &System, there: &System, proc: ProcId, count: usize) -> ComparedEvents {
    let same = common(here.execution(), there.execution(), proc);
    let rest = |system: &System| -> Vec<EventRow> {
        let Some(p) = system.execution().procs().get(proc.0 as usize) else { return vec![] };
        let end = p.actions.len().min(same + count);
        let event = |i| told_row(system, EventRef::action(proc, i), Detail::Brief);
        (same.min(end)..end).map(event).collect()
    };
    ComparedEvents { same, here: rest(here), there: rest(there) }
}

/// The processes of the program that do not do the same in two executions, with how much of each is
/// alike: those first whose first difference came first.
pub(super) struct Differing {
    found: Vec<(u32, ProcId)>,
    same: HashMap<ProcId, usize>,
}

impl Differing {
    pub(super) fn of(here: &System, there: &System) -> Differing {
        let (here, there) = (here.execution(), there.execution());
        let count = here.procs().len().max(there.procs().len());
        let (mut found, mut alike) = (vec![], HashMap::new());
        for proc in (0..count as u32).map(ProcId) {
            let both = [spawned(here, proc), spawned(there, proc)];
            if both.iter().flatten().any(|p| p.is_system) || both.iter().all(Option::is_none) {
                continue;
            }
            let same = common(here, there, proc);
            alike.insert(proc, same);
            let lengths = both.map(|p| p.map(|p| p.actions.len()));
            if lengths != [Some(same), Some(same)] {
                // When it came to that; what ended earlier in one of them comes after the rest.
                let next = both.map(|p| p.and_then(|p| p.actions.get(same)).map(|a| a.order));
                found.push((next.into_iter().flatten().min().unwrap_or(u32::MAX), proc));
            }
        }
        found.sort_unstable();
        Differing { found, same: alike }
    }

    /// The processes, the first difference first.
    pub(super) fn processes(&self) -> Vec<ProcId> {
        self.found.iter().map(|(_, proc)| *proc).collect()
    }

    /// How many actions of each process are alike.
    pub(super) fn same(self) -> HashMap<ProcId, usize> {
        self.same
    }
}

/// How many processes differ, and the first of them.
fn differing(here: &System, there: &System) -> (usize, Vec<ComparedProcess>) {
    let differing = Differing::of(here, there);
    let processes = differing.processes();
    let (differ, same) = (processes.len(), differing.same());
    let compared = |proc: ProcId| {
        let same = same.get(&proc).copied().unwrap_or(0);
        let side = |system: &System| {
            let events = spawned(system.execution(), proc).map(|p| p.actions.len());
            let more = events.filter(|n| same < *n);
            let next = more.map(|_| describe::what(system, EventRef::action(proc, same)));
            ComparedSide { events, next }
        };
        let is_here = spawned(here.execution(), proc).is_some();
        let process = ProcRef::of(if is_here { here } else { there }, proc);
        ComparedProcess { process, same, here: side(here), there: side(there) }
    };
    (differ, processes.into_iter().take(MOST).map(compared).collect())
}

fn spawned(execution: &Execution, proc: ProcId) -> Option<&reverl_causal::execution::Proc> {
    execution.procs().get(proc.0 as usize).filter(|p| p.is_spawned)
}

/// How much all processes of the program did alike in both.
pub(super) fn alike(a: &Execution, b: &Execution) -> usize {
    let own = a.ids().filter(|proc| !a.proc(*proc).is_system);
    own.map(|proc| common(a, b, proc)).sum()
}

/// How many actions a process did alike in both.
fn common(a: &Execution, b: &Execution, proc: ProcId) -> usize {
    let (Some(p), Some(q)) = (spawned(a, proc), spawned(b, proc)) else { return 0 };
    let pairs = p.actions.iter().zip(q.actions.iter());
    let mut names = Renaming::default();
    pairs.take_while(|(x, y)| is_same((a, x), (b, y), proc, &mut names)).count()
}

fn is_same(
    (a, x): (&Execution, &Action),
    (b, y): (&Execution, &Action),
    proc: ProcId,
    names: &mut Renaming,
) -> bool {
    match (x.what(), y.what()) {
        (ActionKind::Send(j), ActionKind::Send(k)) => {
            let (s, t) = (&a.proc(proc).signals[j as usize], &b.proc(proc).signals[k as usize]);
            s.to() == t.to() && names.is_same(&s.message, &t.message)
        }
        (ActionKind::Receive(s), ActionKind::Receive(t)) => {
            s.from == t.from && names.is_same(&a.signal(s).message, &b.signal(t).message)
        }
        (ActionKind::Timeout, ActionKind::Timeout) => true,
        (ActionKind::Assign(v), ActionKind::Assign(w)) => {
            v.name == w.name && names.is_same(&v.value, &w.value)
        }
        (ActionKind::Request(r), ActionKind::Request(s)) => {
            r.builtin == s.builtin
                && names.are_same(&r.args, &s.args)
                && match (&r.answer, &s.answer) {
                    (Ok(v), Ok(w)) => names.is_same(v, w),
                    (Err(_), Err(_)) => true,
                    _ => false,
                }
        }
        (ActionKind::Exit(e), ActionKind::Exit(f)) => names.is_same(&e.reason, &f.reason),
        _ => false,
    }
}
