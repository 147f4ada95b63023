//! Where a value came from: every hop is a position at which the judge sees the value too, and the
//! last one is where it was made.

mod judge;
mod nowhere;

use judge::{Frame, Trace, Trees, trace, with_deep_stack};
use nowhere::{debugger, said};
use reverl_causal::schedule::RoundRobin;
use reverl_causal::{ProcId, System, Target};
use reverl_programs::Length;
use reverl_session::command::Debugger;
use reverl_session::describe;
use reverl_session::origin::{self, Hop, HopKind, contains};
use reverl_session::session::{Session, default_schedule};
use reverl_term::{Atom, Term, View, exact_eq};
use std::collections::BTreeMap;

const LENGTH: Length = Length { events: 100, steps: 1_500 };

/// What one hop has to do with the one before it, and with the position it names.
fn check_hop(traces: &BTreeMap<ProcId, Trace>, before: &Hop, hop: &Hop, name: &str) {
    let is_same = hop.part == before.part || before.kind == HopKind::Made;
    assert!(is_same, "{name}: {before:?} then {hop:?}");
    assert!(contains(&hop.value, &hop.part), "{name}: {hop:?}");
    let Some(trace) = traces.get(&hop.proc) else { return };
    let position = trace.get(hop.step as usize).unwrap_or_else(|| panic!("{name}: {hop:?}"));
    if let (HopKind::Bound, Some(variable)) = (hop.kind, hop.variable) {
        let bound = position.variables.iter().find(|(bound, _)| *bound == variable);
        let value = &bound.unwrap_or_else(|| panic!("{name}: {hop:?} is not bound")).1;
        assert_eq!(value, &hop.value, "{name}: {hop:?}");
        assert!(position.binds(variable, trace), "{name}: {hop:?} was bound before");
    }
}

/// A value that no program has.
fn mark() -> Term {
    Term::atom(Atom::new("a mark that no program makes"))
}

/// A term with marks in place of a part of it.
fn marked(term: &Term, part: &Term) -> Term {
    if exact_eq(term, part) {
        return mark();
    }
    match term.view() {
        View::Cons(head, tail) => Term::cons(marked(head, part), marked(tail, part)),
        View::Tuple(elements) => Term::tuple(elements.iter().map(|e| marked(e, part)).collect()),
        View::Map(map) => {
            Term::map_from(map.iter().map(|(k, v)| (k.clone(), marked(v, part))).collect())
        }
        _ => term.clone(),
    }
}

/// Whether the value of the earlier hop is what the later one has: with another value there, the
/// later one would have that too. `None` if the process would have done something else.
fn arrives(
    (system, trees, trace): (&System, &Trees, &Trace),
    from: &Hop,
    to: &Hop,
) -> Option<bool> {
    let (source, target) = (from.variable?, to.variable?);
    let (call, depth) = (trace[to.step as usize].call, trace[to.step as usize].depth);
    let mut found = None;
    let mut is_marked = false;
    judge::follow(system, trees, from.proc, &mut |moment| {
        let (step, frames) = (moment.step, moment.frames.len());
        let Some(Frame { id, scope, .. }) = moment.frames.last_mut() else { return };
        if step == from.step {
            for (_, value) in scope.iter_mut().filter(|(name, _)| *name == source) {
                let other = marked(value, &from.part);
                is_marked = !exact_eq(&other, value);
                *value = other;
            }
        }
        if step == to.step && (*id, frames) == (call, depth) {
            let held = scope.iter().find(|(name, _)| *name == target);
            found = held.map(|(_, value)| contains(value, &mark()));
        }
    });
    found.filter(|_| is_marked)
}

#[test]
fn with_another_value_at_a_hop_the_next_one_has_that_value() {
    with_deep_stack(|| {
        let (mut arrived, mut departed) = (0, 0);
        let mut wrong = vec![];
        for program in reverl_programs::all() {
            let (mut system, trees) = judge::keeping_trees(program);
            reverl_programs::go_on(&mut system, &mut RoundRobin, LENGTH);
            let session = Session::new(system, default_schedule());
            let system = &session.system;
            for proc in system.execution().ids().collect::<Vec<_>>() {
                if system.execution().proc(proc).is_system {
                    continue;
                }
                let (trace, is_whole) = trace(system, &trees.borrow(), proc);
                for step in (0..trace.len()).step_by(trace.len().div_ceil(6).max(1)) {
                    for (variable, _) in trace[step].variables.iter().filter(|_| is_whole) {
                        let hops =
                            origin::of_variable(&session, proc, step as u64, *variable, vec![]);
                        let copied = hops.split(|hop| hop.kind == HopKind::Made).next();
                        // What comes back through another process is not followed here.
                        let is_elsewhere = |h: &Hop| {
                            h.proc != proc || matches!(h.kind, HopKind::Sent | HopKind::Spawned)
                        };
                        let own = copied.unwrap_or_default().split(is_elsewhere).next();
                        let own = own.unwrap_or_default().iter();
                        let own: Vec<&Hop> = own.filter(|h| h.kind == HopKind::Bound).collect();
                        for pair in own.windows(2).take(2) {
                            match arrives((system, &trees.borrow(), &trace), pair[1], pair[0]) {
                                Some(true) => arrived += 1,
                                Some(false) => wrong.push(format!(
                                    "{program}: {} of {proc:?}@{step}: {:?} is not from {:?}",
                                    variable.name(),
                                    pair[0],
                                    pair[1]
                                )),
                                None => departed += 1,
                            }
                        }
                    }
                }
            }
        }
        eprintln!("{arrived} values arrived, {departed} changed what was done");
        assert!(wrong.is_empty(), "{} of {arrived}\n{}", wrong.len(), wrong.join("\n"));
        assert!(arrived > 1_000);
    });
}

#[test]
fn every_hop_is_a_position_with_the_value_and_the_origin_made_it() {
    with_deep_stack(|| {
        let (mut chains, mut hops, mut longest) = (0, 0, 0);
        for program in reverl_programs::all() {
            let (mut system, trees) = judge::keeping_trees(program);
            reverl_programs::go_on(&mut system, &mut RoundRobin, LENGTH);
            let mut traces = BTreeMap::new();
            for proc in system.execution().ids().collect::<Vec<_>>() {
                if !system.execution().proc(proc).is_system {
                    let (trace, is_whole) = trace(&system, &trees.borrow(), proc);
                    if is_whole {
                        traces.insert(proc, trace);
                    }
                }
            }
            let session = Session::new(system, default_schedule());
            for (&proc, trace) in &traces {
                for step in (0..trace.len()).step_by(trace.len().div_ceil(12).max(1)) {
                    for (variable, value) in &trace[step].variables {
                        let name = format!("{program}: {proc:?}@{step} {}", variable.name());
                        let step = step as u64;
                        let found = origin::of_variable(&session, proc, step, *variable, vec![]);
                        let first = found.first().unwrap_or_else(|| panic!("{name}: no origin"));
                        assert_eq!(&first.value, value, "{name}");
                        check_hop(&traces, first, first, &name);
                        found.windows(2).for_each(|w| check_hop(&traces, &w[0], &w[1], &name));
                        let steps = |h: &Hop| (h.proc, h.step);
                        let all: std::collections::HashSet<_> =
                            found.iter().map(|h| (steps(h), h.kind as u8, h.variable)).collect();
                        assert_eq!(all.len(), found.len(), "{name}: nothing is passed twice");
                        for hop in found.iter().take(3) {
                            let plan = session.plan_redo(Target::Steps(hop.proc, hop.step));
                            assert!(plan.to.place(hop.proc).steps >= hop.step, "{name}");
                        }
                        (chains, hops) = (chains + 1, hops + found.len());
                        longest = longest.max(found.len());
                    }
                }
            }
        }
        eprintln!("{chains} chains with {hops} hops, the longest {longest}");
        assert!(chains > 5_000);
    });
}

/// The lines of a chain without their path and process.
fn chain(d: &mut Debugger, asked: &str) -> Vec<String> {
    let reply = d.command(&format!("why {asked}")).unwrap_or_else(|why| panic!("{asked}: {why}"));
    let reply = serde_json::to_value(&reply).expect("plain data");
    let hops = reply["chain"].as_array().expect("a chain").clone();
    let line = |hop: &serde_json::Value| {
        let at = hop["at"].as_str().unwrap_or_default();
        let line = at.rsplit(':').next().unwrap_or_default();
        let variable = hop["variable"].as_str().unwrap_or("-");
        let kind = hop["kind"].as_str().unwrap_or_default();
        format!("{kind} {variable} {} :{line}", hop["value"].as_str().unwrap_or_default())
    };
    hops.iter().map(line).collect()
}

#[test]
fn a_value_right_after_a_receive_came_with_that_message() {
    let mut d = debugger("moments/why_receive");
    said(&mut d, "step 4 event");
    assert!(said(&mut d, "bindings").contains("State = b"));
    let found = chain(&mut d, "State");
    assert_eq!(found, ["bound State b :11", "sent - b :5", "made - b :5"]);
    let undone = said(&mut d, "undo variable State");
    assert!(undone.contains("1 event\n") && undone.contains("#83.2"), "{undone}");
}

#[test]
fn an_argument_that_is_handed_on_was_made_where_the_loop_was_called() {
    let mut d = debugger("moments/why_unchanged");
    said(&mut d, "step 4 event");
    said(&mut d, "step");
    let found = chain(&mut d, "Keep");
    let last = found.last().expect("an origin");
    assert_eq!(last, "made - [1,2,3] :5", "{found:?}");
    assert!(found.iter().all(|hop| !hop.starts_with("sent")), "{found:?}");
}

#[test]
fn a_chain_goes_through_a_fun_to_what_it_closed_over() {
    let mut d = debugger("moments/why_closed_over");
    said(&mut d, "break done/1");
    said(&mut d, "continue");
    said(&mut d, "up");
    let found = chain(&mut d, "Thing");
    assert!(found.contains(&"bound Request {take,cheese} :11".to_string()), "{found:?}");
    assert!(found.contains(&"bound Sku cheese :8".to_string()), "{found:?}");
    assert_eq!(found.last().map(String::as_str), Some("made - cheese :5"), "{found:?}");
}

#[test]
fn a_chain_goes_through_arguments_and_computations_to_the_message() {
    let mut d = debugger("moments/why_argument");
    said(&mut d, "break done/1");
    said(&mut d, "continue");
    let found = chain(&mut d, "R");
    assert_eq!(found[0], "bound R 160 :14");
    assert_eq!(
        found.iter().filter(|hop| hop.starts_with("made") && hop.ends_with(":11")).count(),
        3
    );
    assert!(found.iter().any(|hop| hop.starts_with("bound V 20")), "{found:?}");
    assert_eq!(found.last().map(String::as_str), Some("made - 20 :6"), "{found:?}");
}

#[test]
fn messages_exits_and_parts_of_terms_have_origins() {
    let mut d = debugger("moments/why_argument");
    said(&mut d, "run");
    let found = chain(&mut d, "#84.1");
    assert_eq!(found.last().map(String::as_str), Some("made - {val,20} :6"), "{found:?}");
    assert_eq!(chain(&mut d, "exit"), ["made - normal :15"]);
    let mut d = debugger("moments/crash_in_loop");
    said(&mut d, "run");
    let found = chain(&mut d, "exit");
    assert!(found[0].starts_with("made - {badarith"), "{found:?}");
    let mut d = debugger("moments/why_receive");
    said(&mut d, "run");
    said(&mut d, "reverse-step 2");
    assert!(!chain(&mut d, "hd([X])").is_empty());
}

#[test]
fn going_to_where_a_value_was_made_ends_at_the_end_of_its_chain() {
    let mut d = debugger("moments/why_argument");
    said(&mut d, "break done/1");
    said(&mut d, "continue");
    let told = said(&mut d, "why R");
    let last = told.lines().last().expect("a chain").to_string();
    said(&mut d, "goto why R");
    let current = d.session.current;
    let pid = describe::pid(&d.session.system, current);
    let place = format!("({pid}@{})", d.session.steps_of(current));
    assert!(last.starts_with("  made at") && last.ends_with(&place), "{last}, not {place}");
    let refused = said(&mut d, "goto why");
    assert!(refused.contains("expression"), "{refused}");
}
