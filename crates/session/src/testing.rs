//! Tests that failed inside of an execution: what EUnit, Common Test and ExUnit tell each other about
//! a test is read off their messages and exits.

use crate::language;
use crate::outcome::{self, Frame};
use reverl_causal::{EventRef, ProcId, System};
use reverl_term::{Atom, Term};

/// So many are told.
const MOST: usize = 50;

/// A test that failed.
pub struct FailedTest {
    /// `module:name`
    pub name: String,
    pub reason: Term,
    pub frames: Vec<Frame>,
    /// The process that ran it.
    pub proc: ProcId,
    /// The event that told it.
    pub event: EventRef,
}

/// The tests that failed, in the order in which they did.
pub fn failed(system: &System) -> Vec<FailedTest> {
    let program = system.program();
    let has = |module: &str| program.code.modules.contains_key(&Atom::new(module));
    let runs_tests = ["eunit_proc", "test_server", "Elixir.ExUnit.Runner"].into_iter().any(has);
    drop(program);
    if !runs_tests {
        return vec![];
    }
    let execution = system.execution();
    let mut found: Vec<FailedTest> = vec![];
    for proc in execution.ids() {
        let p = execution.proc(proc);
        for signal in &p.signals {
            let Some(told) = of_message(&signal.message) else { continue };
            let known = |t: &FailedTest| t.proc == proc && t.name == told.name;
            if !found.iter().any(known) {
                let event = EventRef::action(proc, signal.sent_by() as usize);
                found.push(told.by(proc, event));
            }
        }
        if let Some(told) = p.exit().and_then(|exit| of_suite(&exit.reason)) {
            found.push(told.by(proc, EventRef::action(proc, p.actions.len() - 1)));
        }
    }
    found.sort_by_key(|test| execution.order_of(test.event));
    // The first to tell is the one that ran it.
    let mut named: Vec<String> = vec![];
    found.retain(|test| {
        let is_new = !named.contains(&test.name);
        named.push(test.name.clone());
        is_new
    });
    found.truncate(MOST);
    found
}

/// What is told about a test.
struct Told {
    name: String,
    reason: Term,
    frames: Vec<Frame>,
}

impl Told {
    fn by(self, proc: ProcId, event: EventRef) -> FailedTest {
        let Told { name, reason, frames } = self;
        FailedTest { name, reason, frames, proc, event }
    }
}

fn of_message(message: &Term) -> Option<Told> {
    let is = |term: &Term, name: &str| term.is_atom_eq(Atom::new(name));
    match message.as_tuple()? {
        [child, _, _, told] if is(child, "child") => of_eunit(told),
        [_, what, test] if is(what, "test_finished") => of_exunit(test),
        _ => None,
    }
}

/// `{'end', {error, {Class, Reason, Trace}}, Time}`, from the process that has run a test.
fn of_eunit(end: &Term) -> Option<Told> {
    let [_, status, _] = end.as_tuple()? else { return None };
    let [error, exception] = status.as_tuple()? else { return None };
    let [_, reason, trace] = exception.as_tuple()? else { return None };
    let frames = outcome::frames(trace);
    let is_error = error.is_atom_eq(Atom::new("error"));
    // Below the test itself is what runs it.
    let runner = frames.iter().position(|f| f.module.name() == "eunit_test");
    let test = runner.and_then(|i| frames.get(i.checked_sub(1)?));
    let name = test.map(test_name).unwrap_or_default();
    is_error.then(|| Told { name, reason: reason.clone(), frames })
}

/// `%ExUnit.Test{state: {:failed, [{kind, reason, stack} | _]}}`
fn of_exunit(test: &Term) -> Option<Told> {
    let map = test.as_map()?;
    let of = |name: &str| map.get(&Term::atom(Atom::new(name)));
    let [failed, failures] = of("state")?.as_tuple()? else { return None };
    if !failed.is_atom_eq(Atom::new("failed")) {
        return None;
    }
    let [_, reason, trace] = failures.list_iter().next()?.as_tuple()? else { return None };
    let name = format!("{}: {}", language::value(of("module")?), of("name")?.as_atom()?.name());
    Some(Told { name, reason: reason.clone(), frames: outcome::frames(trace) })
}

/// A test case of Common Test ends its process with `{Ref, Time, {'EXIT', {Reason, Trace}}, Location,
/// Options}`.
fn of_suite(reason: &Term) -> Option<Told> {
    let [_, _, value, _, _] = reason.as_tuple()? else { return None };
    let [exit, why] = value.as_tuple()? else { return None };
    let [reason, trace] = why.as_tuple()? else { return None };
    let frames = outcome::frames(trace);
    let is_suite = |f: &&Frame| f.module.name().ends_with("_SUITE");
    let name = frames.iter().rfind(is_suite).map(test_name)?;
    exit.is_atom_eq(Atom::new("EXIT")).then(|| Told { name, reason: reason.clone(), frames })
}

/// The function that a frame is in; of a fun, the function around it.
fn test_name(frame: &Frame) -> String {
    let name = frame.name.name().trim_start_matches('-').split('/').next().unwrap_or_default();
    format!("{}:{name}", language::atom(frame.module))
}

/// The message by which `reverl_tests` tells what is set up for a test from the test itself.
pub const BEGINS: &str = "$reverl_test_begins";

/// Whether an event only tells that a test begins.
pub fn is_beginning(system: &System, event: EventRef) -> bool {
    let id = crate::describe::message_of(system, event);
    let message = id.map(|id| &system.execution().signal(id).message);
    message.and_then(Term::as_atom).is_some_and(|atom| atom.name() == BEGINS)
}
