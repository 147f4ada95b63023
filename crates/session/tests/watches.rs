//! Expressions that change stop a run where a brute-force search sees another value; breakpoints
//! that are counted, for once, or have commands.

mod judge;
mod nowhere;
mod run;

use judge::{Function, Trace, with_deep_stack};
use nowhere::{debugger, said};
use reverl_causal::{Cut, ProcId};
use reverl_session::command::{BreakSpec, ChangeSpec, Command, Lifetime, StopAt};
use reverl_session::describe;
use reverl_session::query::{Detail, values};
use reverl_term::{Atom, Term, exact_eq};
use run::{Run, all_stops, everywhere, spread};
use std::cell::Cell;
use std::collections::BTreeSet;

/// Functions with a variable of theirs, as the traces have them.
fn watchable(run: &Run, most: usize) -> Vec<(ProcId, String, Atom)> {
    let mut found = BTreeSet::new();
    for (proc, trace) in &run.traces {
        for p in trace.iter() {
            let Function::Named(name, arity) = p.function else { continue };
            let function = describe::mfa((p.module, name, arity));
            let names = p.variables.iter().map(|(name, _)| name.name());
            found.extend(names.map(|name| (*proc, function.clone(), name)));
        }
    }
    let all = found.into_iter().map(|(proc, function, name)| (proc, function, Atom::new(name)));
    spread(all.collect(), most)
}

/// The positions of a function at which a variable has another value than where it was seen last;
/// the first value is not a change.
fn expected_changes(trace: &Trace, function: &str, name: Atom) -> Option<Vec<u64>> {
    let mut last: Option<Term> = None;
    let mut found = vec![];
    for (step, p) in trace.iter().enumerate() {
        let Function::Named(own, arity) = p.function else { continue };
        if describe::mfa((p.module, own, arity)) != function {
            continue;
        }
        let bound = p.variables.iter().find(|(bound, _)| *bound == name);
        let Some((_, value)) = bound else { continue };
        // Funs are told apart by more than the judge knows.
        if describe::short(value).contains("#Fun<") {
            return None;
        }
        if last.as_ref().is_some_and(|last| !exact_eq(last, value)) {
            found.push(step as u64);
        }
        last = Some(value.clone());
    }
    Some(found)
}

#[test]
fn watching_stops_where_brute_force_sees_another_value_forwards_and_backwards() {
    with_deep_stack(|| {
        let compared = Cell::new(0);
        everywhere(|run| {
            if !run.session().system.enabled().is_empty() {
                return;
            }
            for (proc, function, name) in watchable(run, 6) {
                run.debugger.session.replay_all();
                let trace = &run.traces[&proc];
                let Some(expected) = expected_changes(trace, &function, name) else { continue };
                let path = run.session().execution().proc(proc).path.to_string();
                let what = format!("{}: {} of {path} in {function}", run.name, name.name());
                let change = ChangeSpec {
                    expression: name.name().into(),
                    process: path,
                    function: Some(function),
                    of_state: false,
                };
                let all = (usize::MAX, Detail::Brief);
                let values = values::values(run.session(), &change, all).expect(&what);
                let steps: Vec<u64> = values.rows.iter().skip(1).map(|row| row.step).collect();
                assert_eq!(steps, expected, "{what}: its values");
                let last = values::last(run.session(), &change, Detail::Brief);
                let last = last.map(|last| last.row.step).unwrap_or_default();
                let latest = values.rows.last().map(|row| row.step).unwrap_or_default();
                assert_eq!(last, latest, "{what}: its last change");
                let at = StopAt::Change(change);
                let spec = BreakSpec { at, condition: None, lifetime: Lifetime::Stays, hits: None };
                run.debugger.session.rewind();
                run.debugger.carry_out(&Command::Break(spec)).expect(&what);
                let forwards = all_stops(&mut run.debugger, "continue");
                let steps: Vec<u64> = forwards.iter().map(|(_, step)| *step).collect();
                assert_eq!(steps, expected, "{what} forwards");
                let end = Cut::end(run.session().execution());
                run.debugger.session.cut = end;
                let mut backwards = all_stops(&mut run.debugger, "reverse-continue all");
                backwards.reverse();
                let last = run.session().execution().proc(proc).steps;
                let passed: Vec<_> = forwards.into_iter().filter(|(_, at)| *at < last).collect();
                assert_eq!(backwards, passed, "{what} backwards");
                compared.set(compared.get() + expected.len());
                run.debugger.command("delete").expect("there is one");
            }
        });
        eprintln!("{} changes compared, in both directions", compared.get());
        assert!(compared.get() > 300);
    });
}

#[test]
fn a_breakpoint_that_ignores_stops_at_the_ones_after_and_one_for_once_stops_once() {
    let every = {
        let mut d = debugger("moments/why_argument");
        said(&mut d, "break loop/2");
        all_stops(&mut d, "continue")
    };
    assert!(every.len() > 2, "{every:?}");
    for ignored in 0..=every.len() {
        let mut d = debugger("moments/why_argument");
        said(&mut d, "break loop/2");
        said(&mut d, &format!("ignore 1 {ignored}"));
        assert_eq!(all_stops(&mut d, "continue"), every[ignored..], "{ignored}");
        // The same backwards, along what is known.
        said(&mut d, &format!("ignore 1 {ignored}"));
        let mut back = all_stops(&mut d, "reverse-continue all");
        back.reverse();
        assert_eq!(back, every[..every.len() - ignored], "{ignored} backwards");
    }
    let mut d = debugger("moments/why_argument");
    said(&mut d, "tbreak loop/2");
    assert_eq!(all_stops(&mut d, "continue"), every[..1]);
    assert_eq!(said(&mut d, "breaks"), "there are no breakpoints");
}

#[test]
fn the_commands_of_a_breakpoint_are_answered_at_each_stop() {
    let mut d = debugger("moments/why_argument");
    let stops = {
        let mut d = debugger("moments/why_argument");
        said(&mut d, "break loop/2");
        all_stops(&mut d, "continue").len()
    };
    said(&mut d, "break loop/2");
    said(&mut d, "commands 1 print {stop, self()}; continue");
    let told = said(&mut d, "continue");
    assert_eq!(told.matches("{stop,<0.").count(), stops, "{told}");
    assert!(told.contains("has finished"), "{told}");
    let refused = said(&mut d, "commands 1 continue; print 1");
    assert!(refused.contains("put it last"), "{refused}");
}
