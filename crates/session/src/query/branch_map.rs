//! The branches of a session as a tree along time: where each parts from the one that it is most
//! like, and how it ended.

use super::Query;
use super::compare::{alike, end};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::session::Session;
use reverl_causal::{Execution, System};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// More branches than these are not looked at.
const MOST: usize = 40;
/// Longer executions are not compared.
const MOST_EVENTS: usize = 200_000;

/// One branch on the map.
#[derive(Clone, Debug, Serialize, TS)]
pub struct BranchBar {
    pub name: String,
    pub is_current: bool,
    /// What its processes did.
    pub actions: usize,
    /// The earlier branch that it is most like, and how much of it is alike.
    pub parent: Option<String>,
    pub alike: usize,
    pub depth: usize,
    /// How it ended, in words.
    pub end: String,
}

/// All branches, each below the one that it parts from.
#[derive(Clone, Debug, Serialize, TS)]
pub struct BranchMap {
    pub branches: Vec<BranchBar>,
}

/// Asks for the branches as a tree.
#[derive(Deserialize, TS)]
pub struct BranchMapQuery {}

impl Query for BranchMapQuery {
    const NAME: &'static str = "branch_map";
    const HELP: &'static str = "the branches as a tree along time, with how each ended";
    type Answer = BranchMap;

    fn answer(&self, debugger: &Debugger) -> Result<BranchMap, QueryError> {
        Ok(map(&debugger.session))
    }
}

/// The branches of a session, the first one first.
fn map(session: &Session) -> BranchMap {
    let mut all: Vec<(&str, &System)> =
        session.other_branches().iter().map(|b| (b.name.as_str(), b.system())).collect();
    all.push((session.branch_name(), &session.system));
    // `main`, then in the order in which they were opened.
    let number = |name: &str| name.trim_start_matches('b').parse::<usize>().unwrap_or(0);
    all.sort_by_key(|(name, _)| number(name));
    all.truncate(MOST);
    let mut bars: Vec<BranchBar> = vec![];
    for (i, (name, system)) in all.iter().enumerate() {
        let near = (0..i).filter_map(|j| shared(all[j].1, system).map(|alike| (alike, j)));
        // Of several that are as near, the first is the one that the others part from too.
        let near = near.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let parent = near.map(|(_, j)| all[j].0.to_string());
        let depth = |name: &String| bars.iter().find(|bar| bar.name == *name).map(|bar| bar.depth);
        bars.push(BranchBar {
            name: name.to_string(),
            is_current: *name == session.branch_name(),
            actions: actions(system.execution()),
            depth: parent.as_ref().and_then(depth).map_or(0, |depth| depth + 1),
            parent,
            alike: near.map_or(0, |(alike, _)| alike),
            end: end(system),
        });
    }
    BranchMap { branches: below_parents(bars) }
}

fn shared(one: &System, other: &System) -> Option<usize> {
    let (one, other) = (one.execution(), other.execution());
    let is_short = one.event_count().max(other.event_count()) <= MOST_EVENTS;
    is_short.then(|| alike(one, other))
}

/// What the processes of the program did.
fn actions(execution: &Execution) -> usize {
    let own = execution.ids().filter(|proc| !execution.proc(*proc).is_system);
    own.map(|proc| execution.proc(proc).actions.len()).sum()
}

/// Each behind its parent and what parts from that earlier.
fn below_parents(bars: Vec<BranchBar>) -> Vec<BranchBar> {
    let mut ordered: Vec<BranchBar> = vec![];
    for bar in bars {
        let parent = ordered.iter().position(|other| Some(&other.name) == bar.parent.as_ref());
        let at = parent.map_or(ordered.len(), |parent| {
            let depth = ordered[parent].depth;
            let below = ordered[parent + 1..].iter().take_while(|other| other.depth > depth);
            parent + 1 + below.count()
        });
        ordered.insert(at, bar);
    }
    ordered
}
