//! Modules in several versions: which one is current when.
//!
//! What a recorded process loads becomes current when its call is answered; what somebody else
//! loads, when the recording comes to it.

use super::Replay;
use crate::modules::load_versions;
use crate::node::Node;
use crate::parts::{LoadedBy, NodeRecording};
use reverl_causal::ProcId;
use reverl_machine::Program;
use reverl_term::{Atom, Term};
use std::collections::HashMap;

/// A version as a replay needs it.
struct Load {
    module: Atom,
    /// Its number in the program.
    number: u32,
    /// How many entries come before the call that loads it.
    after: u32,
}

/// The versions of all modules that were loaded from memory.
pub(super) struct Versions {
    /// Those that recorded processes loaded, in order.
    recorded: Vec<Load>,
    /// What others loaded, by the entry before which it happened.
    outside: HashMap<u32, Vec<Load>>,
}

impl Versions {
    /// Adds the versions of a recording to the program.
    pub(super) fn new(recorded: &NodeRecording, program: &mut Program) -> Versions {
        let numbers = load_versions(program, &recorded.versions);
        let mut versions = Versions { recorded: vec![], outside: HashMap::new() };
        for (version, number) in recorded.versions.iter().zip(numbers) {
            let Some(number) = number else { continue };
            let (module, after) = (Atom::new(&version.module.name), version.after);
            let load = Load { module, number, after };
            match version.loaded_by {
                LoadedBy::Recorded => versions.recorded.push(load),
                LoadedBy::Outside => versions.outside.entry(after).or_default().push(load),
            }
        }
        versions
    }

    /// Whether such a call loads one of them.
    pub(super) fn are_loaded_by(&self, (module, name, _): (Atom, Atom, u16)) -> bool {
        let is_one = || matches!(name.name(), "load_binary" | "load_module" | "load_abs");
        !self.recorded.is_empty() && matches!(module.name(), "code" | "erlang") && is_one()
    }

    /// The version of a module that a call loaded whose value is this entry.
    fn loaded_before(&self, entry: u32, module: Atom) -> Option<u32> {
        let before = self.recorded.partition_point(|load| load.after <= entry);
        let mut loads = self.recorded[..before].iter().rev();
        loads.find(|load| load.module == module).map(|load| load.number)
    }
}

impl Replay<'_> {
    /// What others changed just before this entry is so now: the name of the node, and modules.
    pub(super) fn change_from_outside(&mut self, entry: u32) {
        let first = (entry == 0).then(|| Node::read(&self.recorded.node).name()).flatten();
        let later = self.recorded.names.iter().filter(|name| name.after == entry);
        let later = later.map(|name| Atom::new(&name.name));
        for name in first.into_iter().chain(later) {
            let what = vec![Term::atom(Atom::new("name")), Term::atom(name)];
            self.drive_outside(self.clock, Term::tuple(what));
        }
        let versions = self.versions.clone();
        for load in versions.outside.get(&entry).into_iter().flatten() {
            let what = vec![
                Term::atom(Atom::new("use")),
                Term::atom(load.module),
                Term::int(i64::from(load.number)),
            ];
            self.drive_outside(self.clock, Term::tuple(what));
        }
    }

    /// The number of the version that a process has just loaded, if that is what it asks for.
    pub(super) fn asked_version(
        &self,
        proc: ProcId,
        (module, name, _): (Atom, Atom, u16),
        args: &[Term],
    ) -> Option<Term> {
        if (module.name(), name.name()) != ("reverl", "version") {
            return None;
        }
        let asked = args.last()?.list_iter().next()?.as_atom()?;
        let entry = self.loading.get(&proc);
        let number = entry.and_then(|entry| self.versions.loaded_before(*entry, asked));
        Some(number.map_or(Term::atom(reverl_term::atoms::NONE), |n| Term::int(i64::from(n))))
    }
}
