//! The processes of an execution, as a place to begin: first call, result, what they did.

use super::facts;
use super::question;
use crate::describe;
use crate::outcome::{self, ProcessStatus};
use reverl_analysis::declare::{Kind, Node};
use reverl_causal::{Entry, ProcId, System};
use reverl_term::{Atom, Term, fmt};
use serde::Serialize;
use ts_rs::TS;

/// Where one can begin.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Beginnings {
    /// The youngest first.
    pub processes: Vec<Beginning>,
}

/// A process: what it was called with, and what came of it.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Beginning {
    pub proc: u32,
    pub pid: String,
    pub first_call: String,
    pub result: String,
    pub sent: Vec<String>,
    pub created: Vec<String>,
}

impl Beginnings {
    /// The calls a dialogue about this execution can begin with.
    pub fn new(system: &System) -> Beginnings {
        let own = |p: &ProcId| !system.execution().proc(*p).is_system;
        let mut procs: Vec<ProcId> = system.execution().ids().filter(own).collect();
        procs.reverse();
        Beginnings { processes: procs.into_iter().map(|p| told(system, p)).collect() }
    }
}

fn told(system: &System, proc: ProcId) -> Beginning {
    let p = system.execution().proc(proc);
    let everything = Node::whole(proc, Kind::Process, None);
    let result = match (p.exit(), outcome::status(system, proc)) {
        (Some(exited), _) => match &exited.value {
            Some(value) => question::value(value),
            None => format!("Exited with reason {}", question::value(&exited.reason)),
        },
        (None, ProcessStatus::Blocked) => {
            format!(
                "Blocked because it is waiting for a message at {}",
                outcome::place(system, proc)
            )
        }
        (None, _) => format!("Still running at {}", outcome::place(system, proc)),
    };
    let sent = facts::sent(system, &everything);
    let spawned = facts::spawned(system, &everything);
    Beginning {
        proc: proc.0,
        pid: describe::who(system, proc),
        first_call: entry(&p.entry),
        result,
        sent: sent.iter().map(|s| question::message(system, *s)).collect(),
        created: spawned.iter().map(|p| question::process(system, *p)).collect(),
    }
}

fn entry(entry: &Entry) -> String {
    let atom = |a: &Atom| fmt::write(&Term::atom(*a));
    let all = |args: &Term| {
        let args: Vec<String> = args.list_iter().map(question::value).collect();
        args.join(", ")
    };
    match entry {
        Entry::Call { module, name, args } => {
            format!("{}:{}({})", atom(module), atom(name), all(args))
        }
        Entry::Fun { fun, args } => format!("{}({})", fmt::write(fun), all(args)),
    }
}

/// A process by its pid or registered name.
pub fn find_process(system: &System, text: &str) -> Option<ProcId> {
    let wanted = text.trim();
    let is_it = |p: &ProcId| {
        let named = system.running(*p).name().is_some_and(|n| n.name() == wanted);
        describe::pid(system, *p) == wanted || named
    };
    system.execution().ids().find(is_it)
}
