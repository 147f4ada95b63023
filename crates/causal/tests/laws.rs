//! Laws of plans, branches and recordings, which hold of every program under random schedules.
//! Plans are compared with brute-force closures over edges that are written down a second time.

use reverl_causal::execution::SignalKind;
use reverl_causal::plan::{self, Target};
use reverl_causal::schedule::RoundRobin;
use reverl_causal::script;
use reverl_causal::*;
use reverl_machine::Program;
use reverl_programs::brute::{closure, contents, edges, reversed};
use reverl_programs::compare::{assert_same, chains, log};
use reverl_programs::{Length, for_each_crowd, for_each_crowd_on_nodes, for_each_execution};
use std::collections::{HashMap, HashSet};

// papers: 000 | 3, 4 (rollback) | an action is undone with all and only its consequences | undo
// papers: 002 | Thm 5.1 | rollback is sound | undo
// papers: 000 | 6 (future work) | which processes depend on a step | undo --dry-run
#[test]
fn undo_takes_all_and_only_the_consequences() {
    for_each_execution(|system, name| {
        let execution = system.execution();
        let consequences = reversed(&edges(execution));
        let end = Cut::end(execution);
        for event in execution.events() {
            let plan = plan::undo(execution, &end, Target::Event(event));
            let undone: HashSet<EventRef> = plan.events.iter().copied().collect();
            assert_eq!(undone, closure(event, &consequences), "{name}: undoing {event:?}");
            let left = contents(execution, &plan.to);
            let all = contents(execution, &end);
            assert_eq!(left, &all - &undone, "{name}: the plan leaves what it says");
        }
    });
}

// papers: 001 | 3.2 | a request to replay an action does all and only its causes | redo, replay
// papers: 002 | 5 | controlled replay | redo
// papers: 002 | Thm 5.4 | a request ends in what was asked for, and all that it does depends on it | undo, redo
#[test]
fn redo_takes_all_and_only_the_causes() {
    for_each_execution(|system, name| {
        let execution = system.execution();
        let causes = edges(execution);
        let start = Cut::start(execution);
        for event in execution.events() {
            let plan = plan::redo(execution, &start, Target::Event(event));
            let done: HashSet<EventRef> = plan.events.iter().copied().collect();
            assert_eq!(done, closure(event, &causes), "{name}: redoing {event:?}");
            assert_eq!(contents(execution, &plan.to), done, "{name}: the plan does what it says");
        }
    });
}

/// Minimality (002, Thm 5.6) from cuts in the middle: undoing takes what is there and depends on
/// the target, redoing what is missing and the target depends on.
// papers: 002 | Thm 5.6 | rollback and replay are minimal | undo --dry-run, redo --dry-run
#[test]
fn plans_are_minimal_from_any_cut() {
    for_each_execution(|system, name| {
        let execution = system.execution();
        let causes = edges(execution);
        let needs: HashMap<EventRef, HashSet<EventRef>> =
            execution.events().map(|event| (event, closure(event, &causes))).collect();
        let end = Cut::end(execution);
        for first in execution.events().step_by(7) {
            let cut = plan::undo(execution, &end, Target::Event(first)).to;
            let here = contents(execution, &cut);
            for event in execution.events().step_by(5) {
                let (plan, expected): (_, HashSet<EventRef>) = if here.contains(&event) {
                    let depends = |e: &&EventRef| needs[*e].contains(&event);
                    let plan = plan::undo(execution, &cut, Target::Event(event));
                    (plan, here.iter().filter(depends).copied().collect())
                } else {
                    let plan = plan::redo(execution, &cut, Target::Event(event));
                    (plan, needs[&event].difference(&here).copied().collect())
                };
                let moved: HashSet<EventRef> = plan.events.iter().copied().collect();
                assert_eq!(moved, expected, "{name}: {event:?} from before {first:?}");
            }
        }
    });
}

// papers: 002 | Def. 4.5, 5.2 | controlled undo and redo reach consistent states only | undo, redo
#[test]
fn every_cut_that_a_plan_reaches_is_consistent() {
    for_each_execution(|system, name| {
        let execution = system.execution();
        let causes = edges(execution);
        let end = Cut::end(execution);
        for event in execution.events().step_by(3) {
            let cut = plan::undo(execution, &end, Target::Event(event)).to;
            let inside = contents(execution, &cut);
            for e in &inside {
                for cause in causes.get(e).into_iter().flatten() {
                    assert!(inside.contains(cause), "{name}: {e:?} without its cause {cause:?}");
                }
            }
        }
    });
}

/// All of it, and in a world where nothing has been loaded yet the first time: what was called
/// before by others must not show.
// papers: 002 | Thm 4.22 | a log leads to the execution that it was made of | replay R.reverl
#[test]
fn replay_correctness_living_the_past_again_gives_the_same_execution() {
    for program in reverl_programs::all() {
        let mut system = program.system();
        reverl_programs::go_on(&mut system, &mut RoundRobin, Length::LONG);
        let end = Cut::end(system.execution());
        let branch = system.branch(&end);
        for (again, before) in log(branch.execution()).iter().zip(log(system.execution())) {
            assert_eq!(*again, before, "{program}");
        }
        assert_eq!(Cut::end(branch.execution()), end, "{program}");
    }
}

// papers: 002 | 4 | from any state that was gone back to, the execution goes on | step after undo
#[test]
fn a_branch_is_alive_exactly_at_its_cut() {
    for_each_execution(|system, name| {
        let end = Cut::end(system.execution());
        let picks: Vec<EventRef> = system.execution().events().step_by(4).collect();
        for event in picks {
            let cut = plan::undo(system.execution(), &end, Target::Event(event)).to;
            let mut branch = system.branch(&cut);
            let inside = contents(system.execution(), &cut).len();
            assert_eq!(branch.execution().event_count(), inside, "{name}: before {event:?}");
            for proc in branch.execution().ids() {
                assert_eq!(branch.execution().proc(proc).steps, cut.place(proc).steps, "{name}");
            }
            // It can go on, and every process and message of the past keeps its name.
            let longer = Length { events: inside + 100, ..Length::LONG };
            reverl_programs::go_on(&mut branch, &mut RoundRobin, longer);
            for proc in branch.execution().ids() {
                let old = system.execution().procs().get(proc.0 as usize);
                if let Some(old) = old
                    .filter(|old| old.is_spawned && old.path == branch.execution().proc(proc).path)
                    .filter(|old| old.node == branch.execution().node_of(proc))
                {
                    assert_eq!(old.pid, branch.execution().proc(proc).pid, "{name}");
                }
            }
        }
    });
}

// papers: 001 | 2 | messages of one pair keep their order | deliver
#[test]
fn messages_of_one_pair_arrive_in_the_order_in_which_they_were_sent() {
    for_each_execution(|system, name| {
        for proc in system.execution().ids() {
            let mut last: HashMap<ProcId, u32> = HashMap::new();
            for delivery in &system.execution().proc(proc).deliveries {
                let SignalId { from, k } = delivery.signal;
                if *system.execution().kind(delivery.signal) == SignalKind::Timer {
                    continue;
                }
                let before = last.insert(from, k);
                assert!(before.is_none_or(|b| b < k), "{name}: {from:?} to {proc:?}");
            }
        }
    });
}

#[test]
fn a_recording_is_read_back_as_the_execution_that_was_saved() {
    for_each_execution(|system, name| {
        let before = log(system.execution());
        let end = Cut::end(system.execution());
        let mut writer = recording::Writer::new(b"meta");
        writer.branch("main", system.execution(), &end);
        let bytes = writer.finish();
        let read = recording::read(&bytes).expect("whole");
        assert!(!read.is_torn && read.meta == b"meta", "{name}");
        let branch = &read.branches[0];
        let mut again = system.beginning();
        let places = branch.places.as_ref().map(|(end, _)| end);
        again.replay(&branch.family, branch.steps.iter().cloned(), places).expect("it fits");
        assert_eq!(log(again.execution()), before, "{name}");
        assert_eq!(contents(again.execution(), &Cut::end(again.execution())).len(), before.len());
    });
}

#[test]
fn a_recording_cut_anywhere_is_readable_up_to_there_and_never_panics() {
    let mut system = reverl_programs::named("events/fanin").system();
    system.run(&mut RoundRobin, &mut |_| true);
    let end = Cut::end(system.execution());
    let mut writer = recording::Writer::new(b"meta");
    writer.branch("main", system.execution(), &end);
    let bytes = writer.finish();
    for length in 0..bytes.len() {
        if let Ok(read) = recording::read(&bytes[..length]) {
            assert!(read.is_torn, "{length} of {} bytes", bytes.len());
        }
    }
    for i in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[i] ^= 0x55;
        let _ = recording::read(&damaged);
    }
}

#[test]
fn a_process_with_a_number_far_from_all_others_is_not_believed() {
    let mut system = reverl_programs::named("events/fanin").system();
    let family = script::Family(vec![(1, 0, 600_000_000, 84)]);
    system.replay(&family, std::iter::empty(), None).expect("nothing happens");
    assert!(system.execution().ids().count() < 100);
}

/// Confluence: whatever is undone, the rest of the past can be lived without it, and living
/// through what was undone afterwards gives the same execution, with the same names.
fn confluence(system: &mut System, name: &str) {
    let before = chains(system.execution(), |_| true);
    let end = Cut::end(system.execution());
    let picks: Vec<EventRef> = system.execution().events().step_by(3).collect();
    for event in picks {
        let cut = plan::undo(system.execution(), &end, Target::Event(event)).to;
        let kept = chains(system.execution(), |e| cut.contains(system.execution(), e));
        let mut branch = system.branch(&cut);
        let lived = chains(branch.execution(), |_| true);
        assert_same(&lived, &kept, &format!("{name}: without {event:?}"));
        let family = script::family(system.execution());
        let rest = script::script(system.execution(), &cut, &end);
        branch
            .replay(&family, rest, Some(&end))
            .unwrap_or_else(|e| panic!("{name}: after {event:?}: {e:?}"));
        let after = chains(branch.execution(), |_| true);
        assert_same(&after, &before, &format!("{name}: after {event:?}"));
    }
}

// papers: 002 | Prop. 5.5 | undoing in whatever order leads to the same place | undo
// papers: 002 | Thm 4.14 | a log that is followed in any order gives an equivalent execution | redo
#[test]
fn what_was_undone_can_be_done_after_everything_else() {
    for_each_crowd(150, confluence);
    for_each_crowd_on_nodes(60, confluence);
    for_each_execution(confluence);
}

/// Who has looked at the registered names cannot stay when a name is undone that it saw.
// papers: 000 | future work (names) | registered names are undone with who has seen them | undo register
#[test]
fn a_look_at_all_names_is_undone_with_the_name_that_it_found() {
    let mut system = reverl_programs::named("moments/registered_edge").system();
    system.run(&mut RoundRobin, &mut |_| true);
    let execution = system.execution();
    let builtin = |name: &str| {
        let is_it = |e: &EventRef| match execution.action(*e).map(|a| a.what()) {
            Some(ActionKind::Request(r)) => Program::builtin(r.builtin).name == name,
            _ => false,
        };
        // The last look is the one that found it.
        execution.events().rfind(is_it).expect(name)
    };
    let end = Cut::end(execution);
    let plan = plan::undo(execution, &end, Target::Event(builtin("register")));
    assert!(plan.events.contains(&builtin("registered")), "{:?}", plan.events);
}

/// What has just fired is an event: who stops there and goes on in a branch keeps it.
#[test]
fn a_time_out_is_in_the_end_before_its_process_runs() {
    let mut system = reverl_programs::named("search/endless_wait").system();
    system.run(&mut RoundRobin, &mut |s| s.execution().event_count() < 3);
    let last = system.execution().last_event().expect("three events");
    let what = system.execution().action(last).map(|a| a.what());
    assert!(matches!(what, Some(ActionKind::Timeout)));
    let end = Cut::end(system.execution());
    assert!(end.contains(system.execution(), last));
    assert_eq!(system.branch(&end).execution().event_count(), 3);
}

/// Two events of a process never have one step: redoing the one would bring the other.
#[test]
fn each_action_has_a_step_of_its_own() {
    for_each_execution(|system, name| {
        for proc in system.execution().ids() {
            let p = system.execution().proc(proc);
            let steps: Vec<u64> = p.actions.iter().map(|a| a.step).collect();
            assert!(steps.first().is_none_or(|first| *first > 0), "{name}: {proc:?} at its start");
            assert!(steps.windows(2).all(|w| w[0] < w[1]), "{name}: {proc:?} {steps:?}");
            assert!(steps.last().is_none_or(|last| *last <= p.steps), "{name}: {proc:?} runs on");
        }
    });
}
