//! The processes as they belong to each other: supervisors with their children, alike ones together,
//! the runtime's own only counted.

use super::process::{ProcessState, mailbox_length};
use super::{ProcRef, Query};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::otp::family::Family;
use crate::otp::start::{Behaviour, Start};
use crate::outcome;
use crate::query::failure::restarts;
use crate::reasons;
use crate::session::Session;
use crate::viewpoint::Viewpoint;
use reverl_causal::{ProcId, System};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use ts_rs::TS;

/// So many alike children of one process are shown one by one.
const MOST_ALIKE: usize = 3;

/// One process, or several that are alike.
#[derive(Clone, Debug, Serialize, TS)]
pub struct FamilyRow {
    pub depth: usize,
    #[serde(flatten)]
    pub process: ProcRef,
    /// Of several that are alike, how many more there are than this one.
    pub more: usize,
    pub behaviour: Option<Behaviour>,
    pub children: usize,
    pub state: ProcessState,
    /// What it is about: `idle`, `waits`, `crashed: ...`.
    pub about: String,
    pub mailbox: usize,
    /// The processes that were started in its place.
    pub restarted_as: Vec<ProcRef>,
}

/// Who started whom.
#[derive(Clone, Debug, Serialize, TS)]
pub struct FamilyTree {
    /// The process that commands are about.
    pub current: u32,
    pub rows: Vec<FamilyRow>,
    /// Processes of the runtime.
    pub runtime: usize,
}

pub fn tree(session: &Session) -> FamilyTree {
    let family = Family::of(session);
    let execution = session.execution();
    let here = |p: &ProcId| !execution.proc(*p).is_system && session.cut.is_spawned(execution, *p);
    let (runtime, own): (Vec<ProcId>, Vec<ProcId>) =
        execution.ids().filter(here).partition(|p| family.is_runtime(*p));
    let mut children: HashMap<Option<ProcId>, Vec<ProcId>> = HashMap::new();
    for proc in own {
        children.entry(family.parent(proc)).or_default().push(proc);
    }
    let mut grown = Grown { session, seen: session.now(), children, rows: vec![] };
    grown.level(None, 0);
    FamilyTree { current: session.current.0, rows: grown.rows, runtime: runtime.len() }
}

struct Grown<'s> {
    session: &'s Session,
    seen: Viewpoint<'s>,
    children: HashMap<Option<ProcId>, Vec<ProcId>>,
    rows: Vec<FamilyRow>,
}

impl Grown<'_> {
    /// The children of a process, each with its own.
    fn level(&mut self, parent: Option<ProcId>, depth: usize) {
        let mut shown: HashMap<String, (usize, usize)> = HashMap::new();
        for proc in self.children.get(&parent).cloned().unwrap_or_default() {
            let row = self.row(proc, depth);
            let is_leaf = row.children == 0;
            // Alike: they do the same job and are in the same state.
            let key = format!("{} {}", job(&self.session.system, proc), row.about);
            let is_quiet = matches!(row.about.as_str(), "idle" | "finished");
            let at = self.rows.len();
            match shown.get_mut(&key) {
                Some((last, count)) if is_leaf && is_quiet && *count >= MOST_ALIKE => {
                    self.rows[*last].more += 1;
                    continue;
                }
                Some((last, count)) => (*last, *count) = (at, *count + 1),
                None => {
                    shown.insert(key, (at, 1));
                }
            }
            self.rows.push(row);
            self.level(Some(proc), depth + 1);
        }
    }

    fn row(&self, proc: ProcId, depth: usize) -> FamilyRow {
        let (session, system) = (self.session, &self.session.system);
        let process = self.seen.state(proc);
        let state = ProcessState::of(&self.seen, proc, &process);
        let mailbox = mailbox_length(&self.seen, proc);
        let restarted = match state {
            ProcessState::Crashed | ProcessState::Exited => restarts(session, proc),
            _ => vec![],
        };
        FamilyRow {
            depth,
            process: ProcRef::of(system, proc),
            more: 0,
            behaviour: Start::of(system, proc).behaviour,
            children: self.children.get(&Some(proc)).map_or(0, Vec::len),
            state,
            about: about(&self.seen, proc, state, mailbox),
            mailbox,
            restarted_as: restarted.into_iter().map(|p| ProcRef::of(system, p)).collect(),
        }
    }
}

/// What a process is about, in a few words.
pub fn about(seen: &Viewpoint, proc: ProcId, state: ProcessState, mailbox: usize) -> String {
    let (session, system) = (seen.session, &seen.session.system);
    match state {
        ProcessState::Crashed => {
            let exit = session.execution().proc(proc).exit();
            let frames = outcome::frames_of_end(&session.system, proc);
            let why = exit.map(|e| reasons::sentence(system, &e.reason, frames.first()));
            format!("crashed: {}", why.unwrap_or_default())
        }
        ProcessState::Exited => "finished".into(),
        ProcessState::Waiting => {
            let is_server = Start::of(system, proc).behaviour.is_some();
            let is_called = || outcome::own_place(system, &session.own(), proc).is_some();
            match is_server && mailbox == 0 && !is_called() {
                true => "idle".into(),
                false => "waits".into(),
            }
        }
        ProcessState::Running => "can run".into(),
        ProcessState::Unspawned => "is not there".into(),
    }
}

/// What a process was started to do.
fn job(system: &System, proc: ProcId) -> String {
    let start = Start::of(system, proc);
    format!("{}:{}", start.module.name(), start.name.name())
}

/// Asks who started whom.
#[derive(Deserialize, TS)]
pub struct TreeQuery {}

impl Query for TreeQuery {
    const NAME: &'static str = "tree";
    const HELP: &'static str = "the processes as they belong to each other, alike ones together";
    type Answer = FamilyTree;

    fn answer(&self, debugger: &Debugger) -> Result<FamilyTree, QueryError> {
        Ok(tree(&debugger.session))
    }
}
