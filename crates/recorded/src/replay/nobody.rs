//! Monitors and links that found nobody: they came after the end of the process that they were for.

use crate::parts::{NodeRecording, TraceAction};
use crate::terms::{pid, term};
use reverl_term::{Pid, Term, atoms};
use std::collections::{HashMap, HashSet};

/// What came too late, by what was recorded of it.
#[derive(Default)]
pub(super) struct Nobody {
    /// References of monitors.
    monitors: HashSet<Term>,
    /// Processes by their numbers, with the pid that each was linked to; whether in vain the first time.
    links: HashMap<(u32, Term), bool>,
    /// Processes that were linked to somebody at his end, and trapped it.
    linked: HashMap<Term, Vec<u32>>,
    /// Processes that ended because of such a link.
    ended: HashSet<u32>,
    /// Processes that have learned of any of these.
    told: HashSet<u32>,
}

impl Nobody {
    pub(super) fn new(recorded: &NodeRecording) -> Nobody {
        let mut nobody = Nobody::default();
        let is_noproc = |reason: &Term| reason.is_atom_eq(atoms::NOPROC);
        for entry in &recorded.entries {
            match &entry.action {
                TraceAction::DeliverTerm { message, .. } => match term(message).as_tuple() {
                    Some([_, reference, _, _, reason]) if is_noproc(reason) => {
                        nobody.monitors.insert(reference.clone());
                        nobody.told.insert(entry.proc);
                    }
                    Some([exit, pid, reason]) if exit.is_atom_eq(atoms::EXIT_UPPER) => {
                        match is_noproc(reason) {
                            true => drop(nobody.told.insert(entry.proc)),
                            false => nobody.linked.entry(pid.clone()).or_default().push(entry.proc),
                        }
                        let linked = (entry.proc, pid.clone());
                        nobody.links.entry(linked).or_insert(is_noproc(reason));
                    }
                    _ => {}
                },
                TraceAction::Exit(reason) if is_noproc(&term(reason)) => {
                    nobody.ended.insert(entry.proc);
                    nobody.told.insert(entry.proc);
                }
                _ => {}
            }
        }
        nobody
    }

    /// The processes that have learned that somebody is not there.
    pub(super) fn told(&self, recorded: &NodeRecording) -> HashSet<Pid> {
        let process = |number: &u32| recorded.processes.get(*number as usize);
        self.told.iter().filter_map(|number| Some(pid(process(number)?.pid))).collect()
    }

    pub(super) fn has_monitor(&self, reference: &Term) -> bool {
        self.monitors.contains(reference)
    }

    /// The processes that were linked to this one when it ended, as far as they were told of it.
    pub(super) fn linked_to(&self, pid: &Term) -> Vec<u32> {
        self.linked.get(pid).cloned().unwrap_or_default()
    }

    /// Whether a link of the process with this number to `pid` is one of them.
    pub(super) fn has_link(&self, number: u32, pid: Term) -> bool {
        self.ended.contains(&number) || self.links.get(&(number, pid)).is_some_and(|late| *late)
    }
}
