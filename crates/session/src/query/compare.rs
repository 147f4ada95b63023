//! Two executions side by side: where each process does something else than it did there.

use super::events::{EventRow, row};
use super::{Detail, ProcRef, Query, process_numbered};
use crate::command::Debugger;
use crate::describe;
use crate::error::QueryError;
use crate::names;
use crate::outcome::{self, OutcomeKind};
use crate::session::{Branch, Session};
use reverl_causal::{Action, ActionKind, EventRef, Execution, ProcId, System};
use reverl_term::{Ref, Term, View, exact_eq};
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

#[derive(Clone, Debug, Serialize, TS)]
pub struct ComparedProcess {
    #[serde(flatten)]
    pub process: ProcRef,
    /// How many of its actions are alike.
    pub same: usize,
    pub here: ComparedSide,
    pub there: ComparedSide,
}

/// Which processes differ.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ComparedBranches {
    pub here: String,
    pub there: String,
    /// How each of them ended, in a sentence.
    pub here_ended: String,
    pub there_ended: String,
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

#[derive(Clone, Debug, Serialize, TS)]
#[serde(untagged)]
pub enum Comparison {
    Branches(ComparedBranches),
    Events(ComparedEvents),
}

fn page() -> usize {
    100
}

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
        let other = session.other_branches().iter().find(|b| b.name == self.with);
        let other = other.ok_or_else(|| QueryError::NoOtherBranch(self.with.clone()))?;
        let (here, there) = (&session.system, other.system());
        match self.proc {
            Some(number) => {
                let proc = process_numbered(here.execution(), number)
                    .or_else(|_| process_numbered(there.execution(), number))?;
                Ok(Comparison::Events(events(here, there, proc, self.count.min(1_000))))
            }
            None => Ok(Comparison::Branches(branches(session, other))),
        }
    }
}

/// This branch beside another.
pub fn branches(session: &Session, other: &Branch) -> ComparedBranches {
    let (here, there) = (&session.system, other.system());
    let (differ, processes) = differing(here, there);
    ComparedBranches {
        here: session.branch_name().into(),
        there: other.name.clone(),
        here_ended: ending(here),
        there_ended: ending(there),
        differ,
        processes,
    }
}

/// How an execution ended, in a sentence.
fn ending(system: &System) -> String {
    let main = system.execution().proc(system.main);
    let crashed = outcome::own_processes(system).filter(|proc| {
        let exit = system.execution().proc(*proc).exit();
        exit.is_some_and(|exit| exit.killed_by.is_none() && !outcome::is_normal(&exit.reason))
    });
    let crashed: Vec<String> = crashed.map(|proc| names::called(system, proc)).collect();
    let end = match OutcomeKind::of(system, !system.is_at_rest()) {
        OutcomeKind::Deadlock => "waits for ever".into(),
        OutcomeKind::Limit => "has not ended".into(),
        OutcomeKind::Failed => "not all tests passed".into(),
        OutcomeKind::Crashed => "the main process crashed".into(),
        OutcomeKind::Finished => match main.exit().and_then(|exit| exit.value.as_ref()) {
            Some(value) => format!("ends with {}", describe::short(value)),
            None => "ends".into(),
        },
    };
    match crashed.as_slice() {
        [] => end,
        [one] => format!("{end}; {one} crashed"),
        [one, more @ ..] => format!("{end}; {one} and {} more crashed", more.len()),
    }
}

fn events(here: &System, there: &System, proc: ProcId, count: usize) -> ComparedEvents {
    let same = common(here.execution(), there.execution(), proc);
    let rest = |system: &System| -> Vec<EventRow> {
        let Some(p) = system.execution().procs().get(proc.0 as usize) else { return vec![] };
        let end = p.actions.len().min(same + count);
        let event = |i| row(system, EventRef::action(proc, i), Detail::Brief);
        (same.min(end)..end).map(event).collect()
    };
    ComparedEvents { same, here: rest(here), there: rest(there) }
}

/// How many processes differ, and the first of them.
fn differing(here: &System, there: &System) -> (usize, Vec<ComparedProcess>) {
    let count = here.execution().procs().len().max(there.execution().procs().len());
    let mut rows = vec![];
    let mut differ = 0;
    for proc in (0..count as u32).map(ProcId) {
        let actions = |e: &Execution| spawned(e, proc).map(|p| p.actions.len());
        let (a, b) = (actions(here.execution()), actions(there.execution()));
        let system =
            [here, there].iter().any(|s| spawned(s.execution(), proc).is_some_and(|p| p.is_system));
        if (a.is_none() && b.is_none()) || system {
            continue;
        }
        let same = common(here.execution(), there.execution(), proc);
        if a == b && a == Some(same) {
            continue;
        }
        differ += 1;
        if rows.len() < MOST {
            let side = |system: &System, events: Option<usize>| {
                let more = events.filter(|n| same < *n);
                let next = more.map(|_| describe::what(system, EventRef::action(proc, same)));
                ComparedSide { events, next }
            };
            let process = ProcRef::of(if a.is_some() { here } else { there }, proc);
            let (here, there) = (side(here, a), side(there, b));
            rows.push(ComparedProcess { process, same, here, there });
        }
    }
    (differ, rows)
}

fn spawned(execution: &Execution, proc: ProcId) -> Option<&reverl_causal::execution::Proc> {
    execution.procs().get(proc.0 as usize).filter(|p| p.is_spawned)
}

/// How many actions a process did alike in both. References are only names: they are alike if each
/// always stands for the same one.
fn common(a: &Execution, b: &Execution, proc: ProcId) -> usize {
    let (Some(p), Some(q)) = (spawned(a, proc), spawned(b, proc)) else { return 0 };
    let pairs = p.actions.iter().zip(q.actions.iter());
    let mut renaming = Renaming::default();
    pairs.take_while(|(x, y)| is_same((a, x), (b, y), proc, &mut renaming)).count()
}

/// Which reference of one execution stands for which of the other.
#[derive(Default)]
struct Renaming {
    there: HashMap<Ref, Ref>,
    here: HashMap<Ref, Ref>,
}

impl Renaming {
    /// Whether two terms are the same but for the names of references.
    fn same(&mut self, a: &Term, b: &Term) -> bool {
        match (a.view(), b.view()) {
            (View::Ref(x), View::Ref(y)) => {
                let there = *self.there.entry(*x).or_insert(*y);
                let here = *self.here.entry(*y).or_insert(*x);
                there == *y && here == *x
            }
            (View::Cons(..), View::Cons(..)) => {
                let (mut left, mut right) = (a.list_iter(), b.list_iter());
                loop {
                    match (left.next(), right.next()) {
                        (Some(x), Some(y)) if self.same(x, y) => {}
                        (None, None) => break self.same(left.tail(), right.tail()),
                        _ => break false,
                    }
                }
            }
            (View::Tuple(x), View::Tuple(y)) => {
                x.len() == y.len() && x.iter().zip(y).all(|(x, y)| self.same(x, y))
            }
            (View::Map(x), View::Map(y)) if x.len() == y.len() => {
                let (x, y) = (x.sorted(), y.sorted());
                x.iter().zip(&y).all(|((k, v), (l, w))| self.same(k, l) && self.same(v, w))
            }
            _ => exact_eq(a, b),
        }
    }
}

fn is_same(
    (a, x): (&Execution, &Action),
    (b, y): (&Execution, &Action),
    proc: ProcId,
    renaming: &mut Renaming,
) -> bool {
    let signal = |e: &Execution, k: u32| {
        let signal = &e.proc(proc).signals[k as usize];
        (signal.to(), signal.message.clone())
    };
    match (x.what(), y.what()) {
        (ActionKind::Send(j), ActionKind::Send(k)) => {
            let ((to, m), (to2, m2)) = (signal(a, j), signal(b, k));
            to == to2 && renaming.same(&m, &m2)
        }
        (ActionKind::Receive(s), ActionKind::Receive(t)) => {
            s == t && renaming.same(&a.signal(s).message, &b.signal(t).message)
        }
        (ActionKind::Timeout, ActionKind::Timeout) => true,
        (ActionKind::Request(r), ActionKind::Request(s)) => {
            let answers = match (&r.answer, &s.answer) {
                (Ok(v), Ok(w)) => renaming.same(v, w),
                (Err(_), Err(_)) => true,
                _ => false,
            };
            r.builtin == s.builtin
                && r.args.len() == s.args.len()
                && r.args.iter().zip(&s.args).all(|(v, w)| renaming.same(v, w))
                && answers
        }
        (ActionKind::Exit(e), ActionKind::Exit(f)) => renaming.same(&e.reason, &f.reason),
        _ => false,
    }
}
