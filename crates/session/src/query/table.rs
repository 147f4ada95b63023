//! All processes: what never changes of them. There may be ten thousand, so this is a compact table.

use super::Query;
use crate::command::Debugger;
use crate::describe;
use crate::error::QueryError;
use crate::names;
use crate::otp::family::Family;
use crate::outcome;
use crate::session::Session;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use ts_rs::TS;

// What a face needs to know of a process beside its name.
const EXITED: u8 = 1;
const CRASHED: u8 = 2;
const SYSTEM: u8 = 4;
const RUNTIME: u8 = 8;

/// Number, pid, number of the nearest of the program's own processes that spawned it, registered
/// name, label, entry, events, flags (1: exited, 2: crashed, 4: the console or the clock, 8: run by
/// a library alone), node. Label, entry and node are places in the list of texts; where there is one
/// node, it is not named.
#[derive(Clone, Debug, Serialize, TS)]
pub struct TableRow(
    u32,
    String,
    Option<u32>,
    Option<String>,
    usize,
    usize,
    usize,
    u8,
    Option<usize>,
);

/// Every process in order of spawning.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ProcessTable {
    pub texts: Vec<String>,
    pub processes: Vec<TableRow>,
}

/// A list without repetition.
#[derive(Default)]
struct Texts {
    all: Vec<String>,
    known: HashMap<String, usize>,
}

impl Texts {
    fn place(&mut self, text: String) -> usize {
        *self.known.entry(text).or_insert_with_key(|text| {
            self.all.push(text.clone());
            self.all.len() - 1
        })
    }
}

/// Every process in a few numbers, for the whole diagram.
pub fn table(session: &Session) -> ProcessTable {
    let system = &session.system;
    let execution = system.execution();
    let family = Family::of(session);
    let mut texts = Texts::default();
    let mut processes = vec![];
    let has_several_nodes = execution.nodes().nth(1).is_some();
    for id in execution.ids() {
        let p = execution.proc(id);
        let crashed = p.exit().is_some_and(|e| !outcome::is_normal(&e.reason));
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        processes.push(TableRow(
            id.0,
            describe::pid(system, id),
            family.parent(id).map(|parent| parent.0),
            names::registered(system, id),
            texts.place(names::called(system, id)),
            texts.place(describe::initial_call(system, id)),
            p.actions.len() + p.deliveries.len(),
            flag(p.exit().is_some(), EXITED)
                | flag(crashed, CRASHED)
                | flag(p.is_system, SYSTEM)
                | flag(family.is_runtime(id), RUNTIME),
            has_several_nodes.then(|| {
                let node = system.name_of_node(execution.node_of(id));
                texts.place(node.name().to_string())
            }),
        ));
    }
    ProcessTable { texts: texts.all, processes }
}

/// Asks for every process in a few numbers.
#[derive(Deserialize, TS)]
pub struct TableQuery {}

impl Query for TableQuery {
    const NAME: &'static str = "processes";
    const HELP: &'static str = "all processes, as they were spawned";
    type Answer = ProcessTable;

    fn answer(&self, debugger: &Debugger) -> Result<ProcessTable, QueryError> {
        Ok(table(&debugger.session))
    }
}
