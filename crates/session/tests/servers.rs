//! Servers: a part of a state over time is what a search of all positions sees, and a breakpoint on
//! it stops there; breakpoints on what is printed, and on waiting for ever.

mod nowhere;

use nowhere::{debugger, ran, said};
use reverl_causal::ProcId;
use reverl_programs::Length;
use reverl_session::command::Debugger;
use reverl_session::otp::state::state;
use reverl_session::query::{Detail, values};
use reverl_session::watched::meant_here;
use reverl_term::Term;

const LENGTH: Length = Length { events: 400, steps: 20_000 };

/// The states that a process has had, each once, by looking at every position.
fn states(d: &Debugger, proc: ProcId) -> Vec<Term> {
    let mut found: Vec<Term> = vec![];
    for step in 0..=d.session.execution().proc(proc).steps {
        let Some(kept) = state(&d.session.at_step(proc, step), proc) else { continue };
        if found.last() != Some(&kept.value) {
            found.push(kept.value);
        }
    }
    found
}

#[test]
fn the_states_of_a_server_over_time_are_those_of_a_search_of_all_positions() {
    let mut compared = 0;
    for program in reverl_programs::all() {
        if !program.name().starts_with("servers/") && !program.name().starts_with("questions/") {
            continue;
        }
        let d = ran(program, LENGTH);
        let own = d.session.execution().ids().filter(|p| !d.session.execution().proc(*p).is_system);
        for proc in own.take(12) {
            let expected = states(&d, proc);
            if expected.is_empty() {
                continue;
            }
            let spec = meant_here(&d.session, proc, 0, "state State");
            let told = values::values(&d.session, &spec, (usize::MAX, Detail::Whole));
            let told = told.unwrap_or_else(|why| panic!("{program}: {why}"));
            // The first state is there before the loop begins; a position inside of a callback may
            // show what the loop is given next.
            let times = told.rows.len();
            assert!(times <= expected.len() && times + 1 >= expected.len(), "{program} {proc:?}");
            compared += times;
        }
    }
    eprintln!("{compared} states");
    assert!(compared > 20 || reverl_lang::project::otp_lib().is_none());
}

#[test]
fn a_breakpoint_on_a_part_of_a_state_stops_where_it_changed_in_both_directions() {
    if reverl_lang::project::otp_lib().is_none() {
        return eprintln!("left out: it needs an OTP");
    }
    let mut d = debugger("examples/jobs/jobs");
    said(&mut d, "run");
    said(&mut d, "process jobs");
    let values = said(&mut d, "values state length(State#queue.done)");
    assert_eq!(values.lines().count(), 5, "{values}");
    // The same as prints after the fact.
    assert_eq!(said(&mut d, "log state length(State#queue.done)"), values);
    assert!(said(&mut d, "last state State#queue.done").contains("[2,3,2,1]"));
    said(&mut d, "break state length(State#queue.done)");
    let mut back = vec![];
    while let told = said(&mut d, "reverse-continue jobs")
        && told.contains("breakpoint 1")
    {
        back.push(said(&mut d, "print length(State#queue.done)"));
    }
    assert_eq!(back, ["4", "3", "2", "1"]);
    // Where nothing was met, nothing has moved: it stands at the first one.
    assert_eq!(said(&mut d, "print length(State#queue.done)"), "1");
    let mut forth = vec![];
    while let told = said(&mut d, "continue")
        && told.contains("breakpoint 1")
    {
        forth.push(said(&mut d, "print length(State#queue.done)"));
    }
    assert_eq!(forth, ["2", "3", "4"]);
}

#[test]
fn a_run_stops_at_what_is_printed_and_expressions_are_printed_there() {
    let mut d = debugger("examples/stock/stock");
    said(&mut d, "break output 'Stock'");
    let told = said(&mut d, "continue");
    assert!(told.contains("breakpoint 1: output 'Stock'"), "{told}");
    assert!(said(&mut d, "breaks").contains("output 'Stock'"));
    said(&mut d, "delete");
    let told = said(&mut d, "break output 'nothing like that'");
    assert!(told.starts_with("breakpoint 2"), "{told}");
    assert!(said(&mut d, "continue").contains("has finished"));
    let told = said(&mut d, "log output 'Stock' self()");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.contains("<0.84.0>"), "{told}");
    // The variables are those of the program's own call, not of the library that prints.
    let told = said(&mut d, "log output 'Stock' Left");
    assert!(told.ends_with("  3"), "{told}");
    // Before each receive, the stock as it was then.
    let told = said(&mut d, "log receive '{add, _}' Stock");
    assert_eq!(told.lines().count(), 4, "{told}");
    assert!(said(&mut d, "log output 'Stock'").contains("say what to print"));
}

#[test]
fn a_run_stops_where_a_process_waits_for_ever() {
    let mut d = debugger("examples/dining/dining_order_bug");
    said(&mut d, "break forever");
    let first = said(&mut d, "continue");
    assert!(first.contains("breakpoint 1: forever"), "{first}");
    assert!(first.contains("waiting in"), "{first}");
    let mut stops = vec![d.session.current];
    while said(&mut d, "continue").contains("breakpoint 1") {
        stops.push(d.session.current);
        assert!(stops.len() < 20, "it goes on for ever");
    }
    let mut once = stops.clone();
    once.dedup();
    assert_eq!(stops, once);
    // Along what is known already it is the same.
    said(&mut d, "undo all");
    assert!(said(&mut d, "continue").contains("breakpoint 1: forever"));
    assert_eq!(d.session.current, stops[0]);
    // A program that ends has no such place.
    let mut d = debugger("examples/stock/stock");
    said(&mut d, "break forever");
    assert!(said(&mut d, "continue").contains("has finished"));
}

// papers: 000 | 4 | an environment of only the variables that the expression needs | bindings needed
#[test]
fn bindings_are_those_that_what_is_left_of_the_function_needs() {
    let mut d = debugger("examples/stock/stock");
    said(&mut d, "break 14");
    said(&mut d, "continue");
    let (all, needed) = (said(&mut d, "bindings"), said(&mut d, "bindings needed"));
    assert!(all.contains("Stock") && all.contains("Amount"), "{all}");
    assert_eq!(all, needed);
    said(&mut d, "undo all");
    said(&mut d, "delete");
    said(&mut d, "break stock.erl:8");
    said(&mut d, "continue");
    let (all, needed) = (said(&mut d, "bindings"), said(&mut d, "bindings needed"));
    assert!(needed.lines().count() <= all.lines().count(), "{all}\n{needed}");
}
