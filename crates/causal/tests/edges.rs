//! The one definition of happened-before, held to what it promises: causes and consequences are
//! each other's inverse, causes come first, every kind of edge occurs, and none can be spared.

use reverl_causal::schedule::{Preference, Random, RoundRobin, Schedule};
use reverl_causal::*;
use reverl_machine::Program;
use reverl_programs::{Files, Length};
use reverl_term::{Atom, Term};
use std::collections::{BTreeSet, HashMap, HashSet};

fn executions() -> Vec<(String, System)> {
    let mut all = vec![];
    for (number, program) in reverl_programs::all().enumerate() {
        let mut random = Random::new(number as u64, Preference::None, number % 2 == 0);
        let schedules: [&mut dyn Schedule; 2] = [&mut RoundRobin, &mut random];
        let beginning = program.system();
        for (i, schedule) in schedules.into_iter().enumerate() {
            let mut system = beginning.beginning();
            reverl_programs::go_on(&mut system, schedule, Length::SHORT);
            all.push((format!("{program}, schedule {i}"), system));
        }
    }
    for seed in 0..40 {
        let mut schedule = Random::new(seed, Preference::None, seed % 2 == 0);
        let args = Term::list([Term::int(seed as i64)]);
        let entry = Entry::Call { module: Atom::new("actors"), name: Atom::new("main"), args };
        let loader = Files::without_otp(&reverl_programs::directory().join("events/actors.erl"));
        let mut system = System::new(Program::new(), Box::new(loader), Box::new(NoOutside), entry);
        system.run(&mut schedule, &mut |_| true);
        all.push((format!("actors:main({seed})"), system));
    }
    all
}

type Pair = (EventRef, EventRef);

/// Every direct edge as (cause, consequence), read off upwards and downwards.
fn both_ways(execution: &Execution) -> [HashSet<(Edge, Pair)>; 2] {
    let (mut up, mut down) = (HashSet::new(), HashSet::new());
    for event in execution.events() {
        execution.causes(event, &mut |edge, cause| {
            // Two events may access several objects in conflict.
            let is_new = up.insert((edge, (cause, event)));
            assert!(is_new || edge == Edge::Object, "{edge:?} twice above {event:?}");
        });
        execution.consequences(event, &mut |edge, later| {
            let is_new = down.insert((edge, (event, later)));
            assert!(is_new || edge == Edge::Object, "{edge:?} twice below {event:?}");
        });
    }
    [up, down]
}

// papers: 004 | Def. 4 | happened-before | undo, redo, why
#[test]
fn causes_and_consequences_are_each_others_inverse() {
    for (name, system) in executions() {
        let [up, down] = both_ways(system.execution());
        let only: Vec<_> = up.symmetric_difference(&down).take(5).collect();
        assert!(only.is_empty(), "{name}: only one way: {only:?}");
    }
}

#[test]
fn a_cause_has_happened_before_its_consequence() {
    for (name, system) in executions() {
        let execution = system.execution();
        for (edge, (cause, later)) in &both_ways(execution)[0] {
            let in_order = execution.order_of(*cause) < execution.order_of(*later);
            // A death comes right after the signal that it is one with.
            assert!(in_order != (*edge == Edge::Kill), "{name}: {edge:?} {cause:?} {later:?}");
        }
    }
}

/// Everything that comes after each event, without one kind of edge.
fn closures(execution: &Execution, without: Option<Edge>) -> HashMap<EventRef, usize> {
    let follow = |event: EventRef| {
        let (mut seen, mut todo) = (HashSet::new(), vec![event]);
        while let Some(event) = todo.pop() {
            execution.consequences(event, &mut |edge, later| {
                if Some(edge) != without && seen.insert(later) {
                    todo.push(later);
                }
            });
        }
        seen.len()
    };
    execution.events().map(|event| (event, follow(event))).collect()
}

// papers: 001 | 4 (future work) | links, monitors and exit signals have causes and consequences | undo exit, redo exit
#[test]
fn every_kind_of_edge_occurs_and_none_can_be_spared() {
    let mut needed: BTreeSet<Edge> = BTreeSet::new();
    for (_, system) in executions() {
        let missing = Edge::ALL.iter().filter(|edge| !needed.contains(edge));
        let missing: Vec<Edge> = missing.copied().collect();
        if missing.is_empty() {
            break;
        }
        let whole = closures(system.execution(), None);
        let is_missed = |edge: &Edge| closures(system.execution(), Some(*edge)) != whole;
        needed.extend(missing.into_iter().filter(is_missed));
    }
    let spared: Vec<_> = Edge::ALL.iter().filter(|edge| !needed.contains(edge)).collect();
    assert!(spared.is_empty(), "nothing changes without {spared:?}");
}

#[test]
fn a_depth_is_one_more_than_that_of_the_deepest_cause() {
    for (name, system) in executions() {
        let execution = system.execution();
        let depths = fold::depths(execution);
        for event in execution.events() {
            let own = execution.order_of(event);
            let mut deepest = None;
            execution.causes(event, &mut |edge, cause| {
                if edge != Edge::Kill {
                    deepest = deepest.max(Some(depths[execution.order_of(cause) as usize]));
                }
            });
            let expected = deepest.map_or(0, |depth| depth + 1);
            assert_eq!(depths[own as usize], expected, "{name}: {event:?}");
        }
    }
}
