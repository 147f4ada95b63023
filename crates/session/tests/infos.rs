//! `info` tells what there is: timers that are going to fire, supervisors with the children that call
//! them their ancestor, applications that were started.

mod nowhere;

use nowhere::{debugger, ran, said};
use reverl_causal::{ActionKind, EventRef, Step};
use reverl_programs::Length;
use reverl_session::command::Debugger;
use reverl_session::describe;
use std::collections::BTreeSet;

/// The time-outs of receives.
fn time_outs(d: &Debugger) -> Vec<EventRef> {
    let execution = d.session.execution();
    let of = |proc| (0..execution.proc(proc).actions.len()).map(move |i| EventRef::action(proc, i));
    let is_time_out = |e: &EventRef| {
        matches!(execution.action(*e).expect("one of them").what(), ActionKind::Timeout)
    };
    execution.ids().flat_map(of).filter(is_time_out).collect()
}

#[test]
fn before_each_time_out_it_is_among_the_timers() {
    let mut compared = 0;
    for program in reverl_programs::all() {
        let mut d = ran(program, Length::SHORT);
        for event in time_outs(&d).into_iter().take(4) {
            let pid = describe::pid(&d.session.system, event.proc);
            d.session.cut = d.session.before(event).cut.into_owned();
            let told = said(&mut d, "info timers");
            let is_told = told.contains(&format!("{pid},'after'}}"));
            // Who can run, or looks only whether there is a message, does not wait for the clock.
            let copy = d.session.system.branch(&d.session.cut);
            let is_waiting = copy.running(event.proc).process.is_waiting();
            let is_its = |step: &Step| match step {
                Step::TimeOut { proc } | Step::Run { proc, .. } => *proc == event.proc,
                _ => false,
            };
            let is_due = copy.enabled().iter().any(is_its);
            assert!(is_told || is_due || !is_waiting, "{program} {event:?}: {told}");
            compared += usize::from(is_told);
            d.session.replay_all();
        }
    }
    eprintln!("{compared} time-outs compared");
    assert!(compared > 20, "{compared}");
}

#[test]
fn a_timer_that_sends_is_told_until_it_has() {
    let mut d = debugger("search/timer_first");
    assert_eq!(said(&mut d, "info timers"), "[]");
    said(&mut d, "break 7");
    said(&mut d, "continue");
    let told = said(&mut d, "info timers");
    // The clock has moved on since.
    let expected = ["[{10,<0.83.0>,{send,<0.83.0>,t}}]", "[{9,<0.83.0>,{send,<0.83.0>,t}}]"];
    assert!(expected.contains(&told.as_str()), "{told}");
    said(&mut d, "undo all");
    assert_eq!(said(&mut d, "info timers"), "[]");
}

/// The processes whose nearest ancestor, as `proc_lib` keeps it, is a supervisor.
const CHILDREN: &str = "print [P || P <- processes(), \
    {dictionary, D} <- [process_info(P, dictionary)], {'$ancestors', [A | _]} <- D, \
    S <- [if is_atom(A) -> whereis(A); true -> A end], is_pid(S), \
    {dictionary, E} <- [process_info(S, dictionary)], \
    {'$initial_call', {supervisor, _, _}} <- E]";

fn pids(text: &str) -> BTreeSet<String> {
    let found = text.match_indices("<0.").filter_map(|(at, _)| {
        let end = text[at..].find('>')?;
        Some(text[at..=at + end].to_string())
    });
    found.collect()
}

#[test]
fn supervisors_have_the_children_that_call_them_their_ancestor() {
    if reverl_lang::project::otp_lib().is_none() {
        return eprintln!("left out: it needs an OTP");
    }
    let (mut compared, mut same) = (0, 0);
    for name in ["servers/sup test()", "servers/kiosk/src/kiosk"] {
        let mut d = ran(reverl_programs::named(name), Length::LONG);
        let events: Vec<EventRef> = d.session.execution().events().collect();
        for event in events.iter().rev().step_by(11) {
            d.session.cut = d.session.before(*event).cut.into_owned();
            let alive = pids(&said(&mut d, "print processes()"));
            let listed = pids(&said(&mut d, "info supervisors"));
            let listed: BTreeSet<String> = listed.intersection(&alive).cloned().collect();
            let children = pids(&said(&mut d, CHILDREN));
            // One that is just being started is not known to its supervisor yet.
            assert!(listed.is_subset(&children), "{name} {event:?}: {listed:?}, {children:?}");
            same += usize::from(!listed.is_empty() && listed == children);
            compared += listed.len();
            d.session.replay_all();
        }
    }
    eprintln!("{compared} children compared, {same} times all of them");
    assert!(same > 5, "{compared} {same}");
}

#[test]
fn an_application_is_told_while_it_runs() {
    if reverl_lang::project::otp_lib().is_none() {
        return eprintln!("left out: it needs an OTP");
    }
    let mut d = ran(reverl_programs::named("servers/kiosk/src/kiosk"), Length::LONG);
    let events: Vec<EventRef> = d.session.execution().events().collect();
    let mut seen = BTreeSet::new();
    for event in events.iter().step_by(events.len() / 40 + 1) {
        d.session.cut = d.session.before(*event).cut.into_owned();
        let told = said(&mut d, "info applications");
        seen.insert(told.contains("{kiosk,<0."));
        d.session.replay_all();
    }
    // Not at the beginning, but later.
    assert_eq!(seen, BTreeSet::from([false, true]));
}

#[test]
fn a_record_is_printed_with_the_names_of_its_fields() {
    let mut d = debugger("moments/break_condition");
    said(&mut d, "break add/2");
    said(&mut d, "continue");
    let told = said(&mut d, "print {State, [State]}");
    assert!(told.starts_with("{#account{") && told.contains("[#account{"), "{told}");
    assert_eq!(said(&mut d, "print {account, 1 + 1}"), "{account,2}");
}
