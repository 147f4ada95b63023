//! Moments with names, and several targets in one request: where they lead is what the order of
//! cuts says.

mod nowhere;

use nowhere::{Nowhere, debugger, said};
use reverl_causal::schedule::RoundRobin;
use reverl_causal::{Cut, EventRef, Target, plan};
use reverl_programs::{Dice, Length};
use reverl_session::command::Debugger;
use reverl_session::event::event_name;
use reverl_session::session::{Session, default_schedule};

const LENGTH: Length = Length { events: 120, steps: 4_000 };

fn finished(program: &reverl_programs::Program) -> Debugger {
    let mut system = program.system();
    reverl_programs::go_on(&mut system, &mut RoundRobin, LENGTH);
    Debugger::new(Session::new(system, default_schedule()), Box::new(Nowhere))
}

fn events(d: &Debugger) -> Vec<EventRef> {
    let execution = d.session.execution();
    execution.events().filter(|e| !execution.proc(e.proc).is_system).collect()
}

/// Every consistent cut below both is below it, and it is below both.
fn is_meet(meet: &Cut, a: &Cut, b: &Cut, d: &Debugger) -> bool {
    d.session.execution().ids().all(|p| {
        let (m, a, b) = (meet.place(p), a.place(p), b.place(p));
        m.steps == a.steps.min(b.steps) && m.deliveries == a.deliveries.min(b.deliveries)
    })
}

// papers: 000 | 4 (footnote 5) | several rollback requests at once | undo TARGET TARGET
#[test]
fn several_targets_undo_what_each_undoes_in_whatever_order() {
    let (mut compared, mut dice) = (0, Dice(7));
    for program in reverl_programs::all() {
        let mut d = finished(program);
        let all = events(&d);
        if all.len() < 2 {
            continue;
        }
        for _ in 0..6 {
            let (a, b) = (all[dice.below(all.len())], all[dice.below(all.len())]);
            let end = Cut::end(d.session.execution());
            let undone = |event| plan::undo(d.session.execution(), &end, Target::Event(event)).to;
            let (to_a, to_b) = (undone(a), undone(b));
            let name = |event| event_name(event);
            let mut reached = vec![];
            for (first, second) in [(a, b), (b, a)] {
                d.session.cut = end.clone();
                let command = format!("undo event {} event {}", name(first), name(second));
                d.command(&command).unwrap_or_else(|why| panic!("{program}: {command}: {why}"));
                reached.push(d.session.cut.clone());
            }
            assert_eq!(reached[0], reached[1], "{program}");
            assert!(is_meet(&reached[0], &to_a, &to_b, &d), "{program}: {a:?} {b:?}");
            // One after the other leads there too.
            d.session.cut = end.clone();
            let _ = d.command(&format!("undo event {}", name(a)));
            let _ = d.command(&format!("undo event {}", name(b)));
            assert_eq!(d.session.cut, reached[0], "{program}: one after the other");
            // And redoing both brings back both with their causes.
            let command = format!("redo event {} event {}", name(a), name(b));
            d.command(&command).unwrap_or_else(|why| panic!("{program}: {command}: {why}"));
            let execution = d.session.execution();
            let has = |event| d.session.cut.contains(execution, event);
            assert!(has(a) && has(b), "{program}: {command}");
            compared += 1;
        }
    }
    eprintln!("{compared} requests compared");
    assert!(compared > 100);
}

// papers: 002 | related work (checkpoints) | rollback to a given moment | mark, undo to, goto
#[test]
fn a_mark_is_come_back_to_from_anywhere() {
    let (mut compared, mut dice) = (0, Dice(3));
    for program in reverl_programs::all().step_by(2) {
        let mut d = finished(program);
        let all = events(&d);
        if all.is_empty() {
            continue;
        }
        for round in 0..4 {
            let to = format!("undo event {}", event_name(all[dice.below(all.len())]));
            let _ = d.command(&to);
            let marked = d.session.cut.clone();
            said(&mut d, &format!("mark here{round}"));
            let elsewhere = format!("undo event {}", event_name(all[dice.below(all.len())]));
            d.command("redo all").expect("always");
            let _ = d.command(&elsewhere);
            let other = d.session.cut.clone();
            // What is not in the mark is undone, and nothing else.
            let _ = d.command(&format!("undo to here{round}"));
            assert!(is_meet(&d.session.cut, &other, &marked, &d), "{program}: undo to");
            d.session.cut = other;
            d.command(&format!("goto here{round}")).expect("a mark");
            assert_eq!(d.session.cut, marked, "{program}: goto");
            compared += 1;
        }
        assert!(said(&mut d, "marks").lines().count() == 4, "{program}");
    }
    eprintln!("{compared} marks compared");
    assert!(compared > 50);
}

#[test]
fn marks_that_are_not_there_or_elsewhere_are_told() {
    let mut d = debugger("moments/why_receive");
    assert!(said(&mut d, "goto nowhere").contains("there is no mark 'nowhere'"));
    assert!(said(&mut d, "undo to nowhere").contains("there is no mark 'nowhere'"));
    said(&mut d, "step 3");
    said(&mut d, "mark early");
    said(&mut d, "run");
    said(&mut d, "goto early");
    // Another future of the same past is a branch of its own.
    said(&mut d, "set schedule random 3");
    said(&mut d, "step 2 event");
    said(&mut d, "unmark early");
    assert_eq!(said(&mut d, "marks"), "there are no marks");
    assert!(said(&mut d, "unmark early").contains("there is no mark"));
}
