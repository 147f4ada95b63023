//! What an execution is known by: what each process took and saw, in words that are the same
//! however processes were scheduled.

use reverl_causal::{ActionKind, Execution, ProcId, SignalId};
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{LazyLock, PoisonError, RwLock};

/// A process, named by its spawn path: the same in every execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcName(u32);

impl ProcName {
    /// The name of a path; no two paths have the same.
    pub fn of_path(path: &str) -> ProcName {
        static NAMES: LazyLock<RwLock<HashMap<Box<str>, u32>>> = LazyLock::new(RwLock::default);
        let known = NAMES.read().unwrap_or_else(PoisonError::into_inner).get(path).copied();
        ProcName(known.unwrap_or_else(|| {
            let mut names = NAMES.write().unwrap_or_else(PoisonError::into_inner);
            let next = names.len() as u32;
            *names.entry(path.into()).or_insert(next)
        }))
    }
}

/// A signal: the k-th of its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MessageName {
    /// The process that sent it.
    pub from: ProcName,
    /// Its number among the signals of that process.
    pub k: u32,
}

/// What a process learned at one point of its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Observation {
    /// This message was received.
    Message(MessageName),
    /// The receive ended without a message.
    Timeout,
    /// Its n-th deed found something shared as certain deeds of others had left it.
    Saw {
        /// Which deed it was, counted in its process.
        nth: u32,
        /// A hash of the names of the deeds that had left it so.
        left_by: u64,
    },
    /// An exit signal ended it after so many deeds.
    Killed {
        /// The exit signal.
        by: MessageName,
        /// The number of deeds.
        after: u32,
    },
}

/// What each process took and saw: two executions with the same log are the same (paper 002,
/// Thm 3.6).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ObservationLog(pub BTreeMap<ProcName, Vec<Observation>>);

impl ObservationLog {
    /// Adds what a process observed next.
    pub fn add(&mut self, name: ProcName, taken: Observation) {
        self.0.entry(name).or_default().push(taken);
    }

    /// A number that two logs share only if they are the same, but for one chance in 2^64.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for (name, taken) in self.0.iter().filter(|(_, taken)| !taken.is_empty()) {
            name.hash(&mut hasher);
            taken.hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// A hash of anything, the same in every run.
pub fn hash_of(thing: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    thing.hash(&mut hasher);
    hasher.finish()
}

/// The name that a process has in every execution in which it exists.
pub fn name_of(execution: &Execution, proc: ProcId) -> ProcName {
    ProcName::of_path(&execution.proc(proc).path)
}

/// Names made from something else than a number have this bit.
const MADE: u32 = 1 << 31;

/// The name of a signal. The number that it has in this execution will not do where that depends
/// on others: at an exit, on who linked or monitored first.
pub fn message_name(execution: &Execution, id: SignalId) -> MessageName {
    let p = execution.proc(id.from);
    let from = name_of(execution, id.from);
    let signal = execution.signal(id);
    if let Some(exit) = p.exit().filter(|e| id.k >= e.signals.start) {
        let same =
            (exit.signals.start..id.k).filter(|k| p.signals[*k as usize].to() == signal.to());
        return sent_at_exit(from, signal.to().map(|to| name_of(execution, to)), same.count());
    }
    MessageName { from, k: id.k }
}

/// The name of the n-th signal that a process sends another when it ends.
pub fn sent_at_exit(from: ProcName, to: Option<ProcName>, nth: usize) -> MessageName {
    MessageName { from, k: MADE | (hash_of((to, nth)) >> 33) as u32 }
}

/// What each receive has taken so far.
pub fn receives_of(execution: &Execution) -> ObservationLog {
    let mut log = ObservationLog::default();
    for proc in execution.ids() {
        let name = name_of(execution, proc);
        for action in &execution.proc(proc).actions {
            match action.what() {
                ActionKind::Receive(id) => {
                    log.add(name, Observation::Message(message_name(execution, id)))
                }
                ActionKind::Timeout => log.add(name, Observation::Timeout),
                _ => {}
            }
        }
    }
    log
}
