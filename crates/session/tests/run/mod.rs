//! Programs that have run, with every position of their processes as the judge has it.
#![allow(dead_code, reason = "each test uses a part of it")]

use crate::judge::{self, Function, Trace, trace};
use crate::nowhere::Nowhere;
use reverl_causal::ProcId;
use reverl_causal::schedule::RoundRobin;
use reverl_programs::{Length, Program};
use reverl_session::command::Debugger;
use reverl_session::session::{Session, default_schedule};
use reverl_session::stops::{Search, Stops};
use reverl_term::Atom;
use std::collections::{BTreeMap, BTreeSet};

const LENGTH: Length = Length { events: 200, steps: 2_500 };

/// A program that has run, at its beginning again, with everything there is to know about its own
/// processes.
pub struct Run {
    pub name: String,
    pub debugger: Debugger,
    pub traces: BTreeMap<ProcId, Trace>,
}

impl Run {
    pub fn new(program: &Program) -> Option<Run> {
        let (mut system, trees) = judge::keeping_trees(program);
        reverl_programs::go_on(&mut system, &mut RoundRobin, LENGTH);
        let own: Vec<ProcId> = system.execution().ids().collect();
        let mut traces = BTreeMap::new();
        for proc in own.into_iter().filter(|p| !system.execution().proc(*p).is_system) {
            let (positions, is_whole) = trace(&system, &trees.borrow(), proc);
            if !is_whole {
                return None;
            }
            traces.insert(proc, positions);
        }
        let session = Session::new(system, default_schedule());
        let debugger = Debugger::new(session, Box::new(Nowhere));
        Some(Run { name: program.name(), debugger, traces })
    }

    pub fn session(&self) -> &Session {
        &self.debugger.session
    }

    /// Lines of the program itself on which something begins, spread over all there are.
    pub fn lines(&self, most: usize) -> Vec<(String, u32)> {
        let own = |file: &str| !file.starts_with(char::is_alphabetic);
        let all: BTreeSet<(String, u32)> = self
            .traces
            .values()
            .flat_map(|t| t.iter().filter(|p| p.begins_line(t)).filter_map(|p| p.line.clone()))
            .filter(|(file, _)| own(file))
            .map(|(file, line)| (file.to_string(), line))
            .collect();
        spread(all.into_iter().collect(), most)
    }

    pub fn variables(&self, most: usize) -> Vec<Atom> {
        let positions = self.traces.values().flatten();
        let names = positions.flat_map(|p| p.variables.iter().map(|(name, _)| name.name()));
        let all: BTreeSet<&str> = names.collect();
        spread(all.into_iter().map(Atom::new).collect(), most)
    }

    pub fn functions(&self, most: usize) -> Vec<(Atom, Atom, u32)> {
        let positions = self.traces.values().flatten();
        let named = positions.filter_map(|p| match p.function {
            Function::Named(name, arity) => Some((p.module.name(), name.name(), arity)),
            _ => None,
        });
        let all: BTreeSet<_> = named.collect();
        let atoms = all.into_iter().map(|(m, f, a)| (Atom::new(m), Atom::new(f), a));
        spread(atoms.collect(), most)
    }

    /// All positions of one process at which it would stop.
    pub fn stops(
        &self,
        proc: ProcId,
        stops: &Stops,
        holds: impl Fn(&Session, u64) -> bool,
    ) -> Vec<u64> {
        let end = self.session().execution().proc(proc).steps;
        let mut search = Search::new(self.session(), proc, stops, 0, end);
        let mut found = vec![];
        while let Some((step, _)) = search.advance() {
            if holds(self.session(), step) {
                found.push(step);
            }
        }
        found
    }
}

/// Not all of many, but some from everywhere.
pub fn spread<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let every = all.len().div_ceil(most).max(1);
    all.into_iter().step_by(every).collect()
}

pub fn positions(trace: &Trace, is_stop: impl Fn(usize) -> bool) -> Vec<u64> {
    (0..trace.len()).filter(|i| is_stop(*i)).map(|i| i as u64).collect()
}

pub fn everywhere(check: impl Fn(&mut Run)) {
    for program in reverl_programs::all() {
        if let Some(mut run) = Run::new(program) {
            check(&mut run);
        }
    }
}

/// Where each process is.
pub fn places(d: &Debugger) -> Vec<u64> {
    let session = &d.session;
    session.execution().ids().map(|p| session.steps_of(p)).collect()
}

/// Continues until there is nothing more; the position of the process that stopped, each time.
pub fn all_stops(d: &mut Debugger, command: &str) -> Vec<(ProcId, u64)> {
    let mut found = vec![];
    loop {
        let reply = d.command(command).unwrap_or_else(|why| panic!("{command}: {why}"));
        let reply = serde_json::to_value(&reply).expect("plain data");
        if reply["notes"][0].get("breakpoint").is_none() {
            return found;
        }
        let current = d.session.current;
        found.push((current, d.session.steps_of(current)));
        assert!(found.len() < 5_000, "{:?}", places(d));
    }
}
