//! Why one event comes before another, and what forced each step of an undo: both are read off the
//! same graph as plans, and judged by what plans take along.

mod nowhere;

use nowhere::{Nowhere, debugger, said};
use reverl_causal::schedule::{Preference, Random};
use reverl_causal::{Cut, Edge, EventRef, Execution, Target, plan};
use reverl_programs::{Dice, Length};
use reverl_session::command::{Debugger, PlanVerb, PlanView};
use reverl_session::event::event_named;
use reverl_session::query::Detail;
use reverl_session::query::order::{Because, OrderKind, order};
use reverl_session::session::{Session, default_schedule};

const LENGTH: Length = Length { events: 150, steps: 6_000 };
/// Pairs of events of each program.
const PAIRS: usize = 25;

/// Every program, by chance.
fn everywhere(mut check: impl FnMut(&str, &mut Debugger, &[EventRef])) {
    for (seed, program) in reverl_programs::all().enumerate() {
        let mut system = program.system();
        let mut schedule = Random::new(seed as u64, Preference::None, false);
        reverl_programs::go_on(&mut system, &mut schedule, LENGTH);
        let session = Session::new(system, default_schedule());
        let mut d = Debugger::new(session, Box::new(Nowhere));
        let all: Vec<EventRef> = d.session.execution().events().collect();
        if all.len() > 1 {
            check(&program.name(), &mut d, &all);
        }
    }
}

fn is_direct(execution: &Execution, cause: EventRef, event: EventRef, because: &Because) -> bool {
    let mut found = false;
    execution.causes(event, &mut |edge: Edge, other| {
        found |= other == cause && Because::new(edge, other).rule == because.rule;
    });
    found
}

// papers: 004 | Def. 4 | why one event comes before another, hop by hop | why-before
#[test]
fn an_event_comes_before_another_exactly_if_undoing_it_undoes_the_other() {
    let (mut compared, mut dice) = (0, Dice(5));
    everywhere(|name, d, all| {
        let session = &d.session;
        let execution = session.execution();
        let end = Cut::end(execution);
        for _ in 0..PAIRS {
            let (a, b) = (all[dice.below(all.len())], all[dice.below(all.len())]);
            let undoes = |one: EventRef, other: EventRef| {
                plan::undo(execution, &end, Target::Event(one)).events.contains(&other)
            };
            let told = order(session, a, b, Detail::Brief);
            let expected = match (a == b, undoes(a, b), undoes(b, a)) {
                (true, ..) => OrderKind::Same,
                (_, true, _) => OrderKind::Before,
                (_, _, true) => OrderKind::After,
                _ => OrderKind::Concurrent,
            };
            // A signal that kills and the death are one: each is a cause of the other.
            let is_mutual = undoes(a, b) && undoes(b, a);
            assert!(told.order == expected || is_mutual, "{name}: {a:?} {b:?} {:?}", told.order);
            let way: Vec<EventRef> = told
                .way
                .iter()
                .map(|hop| event_named(execution, &hop.row.event).expect("it is there"))
                .collect();
            for (i, hop) in told.way.iter().enumerate().skip(1) {
                let because = hop.because.as_ref().expect("a reason");
                assert!(is_direct(execution, way[i - 1], way[i], because), "{name}: {because:?}");
            }
            let ends = match told.order {
                OrderKind::Before => Some((a, b)),
                OrderKind::After => Some((b, a)),
                OrderKind::Same | OrderKind::Concurrent => None,
            };
            if let Some((first, last)) = ends {
                assert_eq!((way.first(), way.last()), (Some(&first), Some(&last)), "{name}");
                compared += 1;
            }
        }
    });
    eprintln!("{compared} ways");
    assert!(compared > 1_000);
}

// papers: 000 | 3, 4 (rollback) | which rule forced each step of a rollback | undo --dry-run, rolllog
#[test]
fn each_undone_event_was_forced_by_another_one_that_is_undone_but_the_one_asked_for() {
    let (mut compared, mut dice) = (0, Dice(9));
    everywhere(|name, d, all| {
        let (system, execution) = (&d.session.system, d.session.execution());
        let (start, end) = (Cut::start(execution), Cut::end(execution));
        for _ in 0..6 {
            let asked = all[dice.below(all.len())];
            let back = plan::undo(execution, &end, Target::Event(asked));
            let forth = plan::redo(execution, &start, Target::Event(asked));
            for (plan, verb) in [(back, PlanVerb::WouldUndo), (forth, PlanVerb::WouldRedo)] {
                let view = PlanView::of(system, &plan, verb);
                for passed in &view.events {
                    let event = event_named(execution, &passed.row.event).expect("it is there");
                    let Some(because) = &passed.because else {
                        assert_eq!(event, asked, "{name}: nothing forced it");
                        continue;
                    };
                    let other = event_named(execution, &because.event).expect("it is there");
                    assert!(plan.events.contains(&other), "{name}: {other:?} stays");
                    let (cause, event) = match verb {
                        PlanVerb::WouldUndo => (other, event),
                        _ => (event, other),
                    };
                    let mut found = false;
                    execution.causes(event, &mut |_, direct| found |= direct == cause);
                    assert!(found, "{name}: {because:?} is not a direct cause");
                    compared += 1;
                }
            }
        }
    });
    eprintln!("{compared} reasons");
    assert!(compared > 1_000);
}

// papers: 002 | Def. 3.1 | logs in the notation of the paper, of any cut | notation
// papers: 004 | 3 | traces in the notation of the paper, of any cut | notation
#[test]
fn logs_and_traces_are_written_as_the_papers_write_them() {
    let mut d = debugger("examples/proxy/proxy");
    assert_eq!(said(&mut d, "notation"), "<0.83.0> (main)\n  log    ()\n  trace  ");
    said(&mut d, "run");
    let told = said(&mut d, "notation");
    assert!(
        told.contains("log    (spawn(<0.84.0>), spawn(<0.85.0>), send(#83.1), send(#83.2))"),
        "{told}"
    );
    assert!(told.contains("log    (rec(#83.1), send(#85.1))"), "{told}");
    assert!(told.contains("deliver(#83.1), receive(#83.1), send(#85.1,<0.84.0>,"), "{told}");
    // Of the cut, not of the end.
    said(&mut d, "undo send #83.2");
    let told = said(&mut d, "notation P");
    assert!(told.contains("log    (spawn(<0.84.0>), spawn(<0.85.0>), send(#83.1))"), "{told}");
}

// papers: 004 | 3.2 | race sets by sender | races senders
#[test]
fn race_sets_by_sender_have_the_same_messages_as_by_receive() {
    let mut compared = 0;
    everywhere(|name, d, _| {
        let asked = |view: &str| {
            reverl_session::query::ask(d, view, serde_json::json!({})).expect("an answer")
        };
        let (races, senders) = (asked("races"), asked("senders"));
        if !races["next"].is_null() || senders["has_more"] == true {
            return;
        }
        let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
        let mut by_receive: Vec<String> = vec![];
        for race in list(&races["races"]) {
            let receive = race["event"].clone();
            by_receive
                .extend(list(&race["racing"]).iter().map(|m| format!("{receive} {}", m["id"])));
        }
        let mut by_sender: Vec<String> = vec![];
        for sender in list(&senders["senders"]) {
            for race in list(&sender["races"]) {
                assert_eq!(race["message"]["from"]["proc"], sender["proc"], "{name}");
                by_sender.push(format!("{} {}", race["receive"]["event"], race["message"]["id"]));
            }
        }
        by_receive.sort();
        by_sender.sort();
        assert_eq!(by_receive, by_sender, "{name}");
        compared += by_sender.len();
    });
    assert!(compared > 50, "{compared}");
}
