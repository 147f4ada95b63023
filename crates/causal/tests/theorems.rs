//! The theorems of the papers as they are stated: of configurations that processes really reach,
//! forwards and backwards, not of plans alone.

use reverl_causal::plan::{self, Target};
use reverl_causal::schedule::{Preference, Random};
use reverl_causal::system::Arrivals;
use reverl_causal::*;
use reverl_machine::Process;
use reverl_programs::compare::{Chains, Configuration, assert_same, calls, chains};
use reverl_programs::{
    Dice,
    brute::{Edges, closure, edges},
};
use reverl_programs::{Length, for_each_crowd, for_each_execution};
use std::collections::HashSet;

fn end(system: &System) -> Cut {
    Cut::end(system.execution())
}

fn all_chains(system: &System) -> Chains {
    chains(system.execution(), |_| true)
}

/// The same system a second time.
fn twin(system: &System) -> System {
    system.branch(&end(system))
}

/// Every program and many crowds, stopped now and then on their way to the end of `SHORT`.
fn for_each_beginning(mut law: impl FnMut(&mut System, &str)) {
    for (number, program) in reverl_programs::all().enumerate() {
        let mut system = program.system();
        system.set_arrivals(Arrivals::Queued);
        let mut schedule = Random::new(number as u64, Preference::None, false);
        for stop in 1..=4 {
            let length = Length { events: stop * 15, ..Length::SHORT };
            reverl_programs::go_on(&mut system, &mut schedule, length);
            law(&mut system, &format!("{program}, the first {} events", stop * 15));
        }
    }
    for_each_crowd(30, |system, name| {
        let events: Vec<EventRef> = system.execution().events().collect();
        for event in events.iter().step_by(events.len() / 3 + 1) {
            let before = plan::undo(system.execution(), &end(system), Target::Event(*event)).to;
            let mut beginning = system.branch(&before);
            beginning.set_arrivals(Arrivals::Queued);
            law(&mut beginning, &format!("{name} before {event:?}"));
        }
    });
}

/// 002, Lemma 4.6: from a configuration forwards and back again, and backwards and forth again,
/// is nowhere else. What the past tells of it is what it was when it was the present.
// papers: 002 | Lemma 4.6 | each step has its inverse | undo-one, redo-one
#[test]
fn loop_lemma_undoing_leads_back_to_the_same_configuration() {
    let mut compared = 0;
    for (number, program) in reverl_programs::all().enumerate() {
        let mut schedule = Random::new(number as u64, Preference::None, number % 2 == 0);
        let mut system = program.system();
        let mut been = vec![];
        for events in (5..Length::SHORT.events).step_by(12) {
            let length = Length { events, ..Length::SHORT };
            reverl_programs::go_on(&mut system, &mut schedule, length);
            been.push((end(&system), Configuration::live(&mut system)));
        }
        let now = Configuration::live(&mut system);
        for (i, (cut, was)) in been.iter().enumerate() {
            let what = format!("{program}, stop {i}");
            Configuration::told(&system, cut).assert_same(was, &what);
            let mut back = system.branch(cut);
            Configuration::live(&mut back).assert_same(was, &format!("{what}, alive"));
            let all = end(&system);
            let again = script::script(system.execution(), cut, &all);
            let family = script::family(system.execution());
            back.replay(&family, again, Some(&all)).expect("it has happened");
            Configuration::live(&mut back).assert_same(&now, &format!("{what}, forth again"));
            compared += was.processes().count();
        }
    }
    assert!(compared > 1_000, "{compared} processes were compared");
}

/// The process that a step concerns.
fn subject(step: &Step) -> ProcId {
    match step {
        Step::Run { proc, .. }
        | Step::Answer { proc, .. }
        | Step::Take { proc, .. }
        | Step::TimeOut { proc }
        | Step::Assign { proc, .. }
        | Step::End { proc, .. } => *proc,
        Step::Deliver { to, .. } => *to,
        Step::Fire { owner, .. } => *owner,
    }
}

/// What can happen next; a process runs for a short while only.
fn next_steps(system: &System) -> Vec<Step> {
    let bounded = |step: Step| match step {
        Step::Run { proc, .. } => {
            let limit = system.running(proc).process.steps() + 60;
            Step::Run { proc, until: Until::Steps(limit) }
        }
        other => other,
    };
    system.enabled().into_iter().map(bounded).collect()
}

/// The events that a step adds; `None` if it cannot happen.
fn events_of(system: &mut System, step: &Step) -> Option<Vec<EventRef>> {
    let before = system.execution().event_count();
    system.step(step).ok()?;
    Some(
        (before..system.execution().event_count())
            .filter_map(|i| system.execution().event(i))
            .collect(),
    )
}

fn depend(causes: &Edges, later: &[EventRef], earlier: &[EventRef]) -> bool {
    later.iter().any(|e| earlier.iter().any(|cause| closure(*e, causes).contains(cause)))
}

/// 002, Lemma 4.8, both steps forwards: if neither depends on the other, both orders lead to the
/// same configuration by the same events.
// papers: 002 | Lemma 4.8 | independent steps commute | step PID
#[test]
fn square_lemma_independent_steps_commute() {
    let (mut commuted, mut differed) = (0, 0);
    for_each_beginning(|system, name| {
        let steps = next_steps(system);
        let pairs =
            steps.iter().enumerate().flat_map(|(i, a)| steps[i + 1..].iter().map(move |b| (a, b)));
        for (a, b) in pairs.filter(|(a, b)| subject(a) != subject(b)).take(6) {
            let mut ab = twin(system);
            let first = events_of(&mut ab, a).expect("it is enabled");
            let second = events_of(&mut ab, b);
            let mut ba = twin(system);
            ba.reserve_children(&script::family(ab.execution()));
            events_of(&mut ba, b).expect("it is enabled");
            let other = events_of(&mut ba, a);
            let depends = |second: &Vec<EventRef>| depend(&edges(ab.execution()), second, &first);
            if second.as_ref().is_none_or(depends) || other.is_none() {
                differed += usize::from(all_chains(&ab) != all_chains(&ba));
                continue;
            }
            let what = format!("{name}: {a:?} and {b:?}");
            assert_same(&all_chains(&ba), &all_chains(&ab), &what);
            Configuration::live(&mut ba).assert_same(&Configuration::live(&mut ab), &what);
            commuted += 1;
        }
    });
    assert!(commuted > 300 && differed > 10, "{commuted} commuted, {differed} did not");
}

/// 002, Lemma 4.8, one step forwards and one backwards.
// papers: 002 | Lemma 4.8 | a step commutes with undoing what it does not depend on | undo-one PID
#[test]
fn square_lemma_a_step_commutes_with_undoing_what_it_does_not_depend_on() {
    let mut commuted = 0;
    for_each_beginning(|system, name| {
        let Some(step) = next_steps(system).first().cloned() else { return };
        let mut forward = twin(system);
        let done = events_of(&mut forward, &step).expect("it is enabled");
        let causes = edges(forward.execution());
        let independent = |e: &EventRef| e.proc != subject(&step) && !depend(&causes, &done, &[*e]);
        let past: Vec<EventRef> = system.execution().events().filter(independent).collect();
        for event in past.iter().rev().step_by(past.len() / 3 + 1) {
            let target = Target::Event(*event);
            let undone = plan::undo(system.execution(), &end(system), target);
            // The process that steps must not be taken along.
            let (who, all) = (subject(&step), end(system));
            let stays = undone.to.place(who) == all.place(who);
            if !stays || !undone.to.is_spawned(system.execution(), who) {
                continue;
            }
            let mut there = system.branch(&undone.to);
            there.reserve_children(&script::family(forward.execution()));
            if events_of(&mut there, &step).is_none() {
                panic!("{name}: {step:?} without {event:?}");
            }
            let cut = plan::undo(forward.execution(), &end(&forward), target).to;
            let mut here = forward.branch(&cut);
            let what = format!("{name}: {step:?} without {event:?}");
            assert_same(&all_chains(&there), &all_chains(&here), &what);
            Configuration::live(&mut there).assert_same(&Configuration::live(&mut here), &what);
            commuted += 1;
        }
    });
    assert!(commuted > 300, "{commuted} commuted");
}

/// Another derivation to where the system stands: events in another order, some of them undone on
/// the way and done again.
fn wander(system: &System, dice: &mut Dice) -> System {
    let past = system.execution();
    let family = script::family(past);
    let mut cut = Cut::start(past);
    let mut live = system.branch(&cut);
    for turn in 0.. {
        let (inside, missing): (Vec<EventRef>, Vec<EventRef>) =
            past.events().partition(|e| cut.contains(past, *e));
        if missing.is_empty() {
            break;
        }
        if turn < 20 && !inside.is_empty() && dice.below(4) == 0 {
            let event = inside[dice.below(inside.len())];
            cut = plan::undo(past, &cut, Target::Event(event)).to;
            // Cuts name processes, steps and deliveries: they mean the same in both.
            live = live.branch(&cut);
            continue;
        }
        let event = missing[dice.below(missing.len())];
        let to = plan::redo(past, &cut, Target::Event(event)).to;
        let steps: Vec<Step> = script::script(past, &cut, &to).collect();
        live.replay(&family, steps.into_iter(), Some(&to)).expect("its causes are there");
        cut = to;
    }
    let _ = live.replay(&family, std::iter::empty(), Some(&end(system)));
    live
}

/// 002, Thm 4.17, and replay correctness (Thm 4.22) whatever the schedule: derivations of the same
/// events reach the same configuration, and each is a rearrangement of the other that never
/// changes the order of cause and effect.
// papers: 002 | Thm 4.17 | causal consistency | undo, redo
// papers: 002 | Lemma 4.15, 4.16 | what was done and undone on the way leaves no trace | undo, redo
#[test]
fn causal_consistency_derivations_are_cofinal_exactly_if_they_are_equivalent() {
    let mut dice = Dice(7);
    let mut rearranged = 0;
    for_each_execution(|system, name| {
        let mut other = wander(system, &mut dice);
        assert_same(&all_chains(&other), &all_chains(system), name);
        Configuration::live(&mut other).assert_same(&Configuration::live(system), name);
        let (causes, others) = (edges(system.execution()), edges(other.execution()));
        // That a time-out comes before all later arrivals says also of messages that would not
        // have ended the wait; those may arrive before it as well.
        let is_timeout = |e: EventRef| {
            matches!(system.execution().action(e).map(|a| a.what()), Some(ActionKind::Timeout))
        };
        let is_strict = |(from, to): &(EventRef, EventRef)| {
            !(is_timeout(*from) && from.proc == to.proc && to.chain() == Chain::Delivery)
        };
        let set = |edges: &Edges| -> HashSet<(EventRef, EventRef)> {
            let pairs = edges.iter().flat_map(|(to, from)| from.iter().map(|f| (*f, *to)));
            pairs.filter(is_strict).collect()
        };
        let (causes, others) = (set(&causes), set(&others));
        let only: Vec<_> = causes.symmetric_difference(&others).take(5).collect();
        assert!(only.is_empty(), "{name}: happened-before is the same, but for {only:?}");
        rearranged += usize::from(!system.execution().events().eq(other.execution().events()));
    });
    assert!(rearranged > 100, "{rearranged} had another order");
}

/// 002, Lemma 3.5: a process that receives the same does the same, to the last register.
// papers: 002 | Lemma 3.5 | a process is deterministic given what it receives | goto PID@STEP
#[test]
fn local_determinism_a_moment_is_the_same_however_it_is_reached() {
    for_each_execution(|system, name| {
        let other = system.branch(&end(system));
        for proc in system.execution().ids() {
            let last = system.execution().proc(proc).steps;
            for steps in (0..=last).step_by((last as usize / 40).max(5)) {
                let mut fresh = system.from_start(proc);
                fresh.run_to(system, steps);
                let seen = |process: &Process| {
                    let calls = calls(&system.program().code, process);
                    (process.steps(), process.pc(), calls)
                };
                let told = seen(&system.state_at(proc, steps));
                assert_eq!(told, seen(&fresh.process), "{name}: {proc:?}@{steps}");
                assert_eq!(told, seen(&other.state_at(proc, steps)), "{name}: {proc:?}@{steps}");
            }
        }
    });
}
