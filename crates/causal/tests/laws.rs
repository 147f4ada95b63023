//! The theorems of the papers, as laws that hold of every program under random schedules.
//!
//! The graph's edges are written down here a second time, directly from the definitions
//! (paper 004, Def. 4, and the rules of docs/semantics.md for what goes beyond it), and plans
//! are compared with brute-force closures over them.

use reverl_causal::execution::SignalKind;
use reverl_causal::plan::{self, Target};
use reverl_causal::schedule::{Preference, Random, RoundRobin, Schedule};
use reverl_causal::script;
use reverl_causal::*;
use reverl_machine::Program;
use reverl_programs::{Files, Length};
use reverl_term::fmt::{self, Encoding};
use reverl_term::{Atom, Term, phash2_default};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Every program under the usual schedule and two others; those that are made of what ties
/// processes together under many.
fn for_each_execution(mut law: impl FnMut(&mut System, &str)) {
    for (number, program) in reverl_programs::all().enumerate() {
        let is_dense = program.file.starts_with("events/") && program.call == "main()";
        let beginning = program.system();
        let schedules = reverl_programs::schedules(if is_dense { 6 } else { 1 });
        for (i, mut schedule) in schedules.into_iter().enumerate() {
            // One of two schedules with instant delivery, and one of two without.
            if !is_dense && i > 0 && (i + number) % 2 == 0 {
                continue;
            }
            let mut system = beginning.beginning();
            reverl_programs::go_on(&mut system, &mut *schedule, Length::SHORT);
            law(&mut system, &format!("{program}, schedule {i}"));
        }
    }
    for_each_crowd(10, law);
}

/// Processes that do what a number tells them, with everything that ties processes together.
fn for_each_crowd(crowds: i64, mut law: impl FnMut(&mut System, &str)) {
    let actors = reverl_programs::directory().join("events/actors.erl");
    for seed in 0..crowds {
        let args = Term::list([Term::int(seed)]);
        let entry = Entry::Call { module: Atom::new("actors"), name: Atom::new("main"), args };
        let loader = Box::new(Files::without_otp(&actors));
        let mut system = System::new(Program::new(), loader, Box::new(NoOutside), entry);
        let mut schedule: Box<dyn Schedule> = match seed % 3 {
            0 => Box::new(RoundRobin),
            1 => Box::new(Random::new(seed as u64, Preference::None, true)),
            _ => Box::new(Random::new(seed as u64, Preference::None, false)),
        };
        system.run(&mut *schedule, &mut |_| true);
        law(&mut system, &format!("actors:main({seed})"));
    }
}

/// Direct causes of each event.
fn edges(execution: &Execution) -> HashMap<EventRef, Vec<EventRef>> {
    let mut causes: HashMap<EventRef, Vec<EventRef>> = HashMap::new();
    let mut edge = |from: EventRef, to: EventRef| causes.entry(to).or_default().push(from);
    for proc in execution.ids() {
        let p = execution.proc(proc);
        let spawn = p.parent.map(|(parent, i)| EventRef::action(parent, i as usize));
        for (i, action) in p.actions.iter().enumerate() {
            let event = EventRef::action(proc, i);
            spawn.iter().for_each(|s| edge(*s, event));
            if i > 0 {
                edge(EventRef::action(proc, i - 1), event);
            }
            match action.what() {
                ActionKind::Receive(signal) => {
                    let d = execution.signal(signal).delivery().expect("received, so delivered");
                    edge(EventRef::delivery(proc, d as usize), event);
                }
                ActionKind::Exit(exited) => {
                    for d in 0..p.deliveries.len() {
                        edge(EventRef::delivery(proc, d), event);
                    }
                    // A signal that kills and the death are one.
                    if let Some(d) = exited.killed_by {
                        edge(event, EventRef::delivery(proc, d as usize));
                    }
                }
                _ => {}
            }
        }
        for (i, delivery) in p.deliveries.iter().enumerate() {
            let event = EventRef::delivery(proc, i);
            spawn.iter().for_each(|s| edge(*s, event));
            if i > 0 {
                edge(EventRef::delivery(proc, i - 1), event);
            }
            let sent_by = execution.signal(delivery.signal).sent_by() as usize;
            edge(EventRef::action(delivery.signal.from, sent_by), event);
            let before = p.actions.range(0..delivery.after_actions() as usize);
            for (j, action) in before.enumerate() {
                if let ActionKind::Timeout = action.what() {
                    edge(EventRef::action(proc, j), event);
                }
            }
        }
    }
    for proc in execution.ids() {
        let p = execution.proc(proc);
        let actions = p.actions.iter().enumerate().filter(|(_, a)| is_about_ties(a));
        for (i, _) in actions {
            let arrivals = p.deliveries.iter().enumerate();
            for (j, arrival) in arrivals.filter(|(_, d)| depends_on_ties(execution.kind(d.signal)))
            {
                let (did, came) = (EventRef::action(proc, i), EventRef::delivery(proc, j));
                match arrival.after_actions() as usize <= i {
                    true => edge(came, did),
                    false => edge(did, came),
                }
            }
        }
    }
    let signals = |from: ProcId| {
        (0..execution.proc(from).signals.len() as u32).map(move |k| SignalId { from, k })
    };
    for request in execution.ids().flat_map(signals) {
        let Some(reply) = execution.late_answer(request) else { continue };
        let asked_by = execution.signal(request).sent_by() as usize;
        if let Some(i) = execution.signal(reply).delivery() {
            edge(
                EventRef::action(request.from, asked_by),
                EventRef::delivery(request.from, i as usize),
            );
        }
    }
    for (_, history) in execution.objects().iter() {
        for (j, later) in history.accesses.iter().enumerate() {
            for earlier in &history.accesses[..j] {
                // Objects that exist before the program have an access without an event.
                let exists = execution.proc(earlier.event.proc).actions.len()
                    > earlier.event.index() as usize
                    || earlier.event.chain() == Chain::Delivery;
                let is_told = !earlier.mode.commutes(later.mode);
                if is_told && earlier.event != later.event && exists {
                    edge(earlier.event, later.event);
                }
            }
        }
    }
    looks(execution, &mut edge);
    causes
}

/// Who asks for more than what has an object of its own looks at all that a process is.
fn looks(execution: &Execution, edge: &mut impl FnMut(EventRef, EventRef)) {
    let single =
        ["registered_name", "trap_exit", "initial_call", "parent", "error_handler", "priority"];
    for look in execution.events() {
        let Some(ActionKind::Request(asked)) = execution.action(look).map(|a| a.what()) else {
            continue;
        };
        let is_look =
            asked.builtin != u32::MAX && Program::builtin(asked.builtin).name == "process_info";
        let of = asked.args.first().and_then(|a| a.as_pid()).and_then(|p| execution.find(p));
        let (true, Some(of)) = (is_look, of) else { continue };
        let items = asked.args.get(1).map(|i| i.to_vec().unwrap_or(vec![i.clone()]));
        let is_single = |i: &Term| i.as_atom().is_some_and(|a| single.contains(&a.name()));
        let was_dead =
            asked.answer.as_ref().is_ok_and(|a| a.is_atom_eq(reverl_term::atoms::UNDEFINED));
        if was_dead || items.is_some_and(|items| items.iter().all(is_single)) {
            continue;
        }
        if let Some((parent, i)) = execution.proc(of).parent.filter(|_| of != look.proc) {
            edge(EventRef::action(parent, i as usize), look);
        }
        in_order(execution, look, of, edge);
    }
    // A change of the group leader is one, too, of what runs meanwhile.
    for change in execution.events().filter(|e| e.chain() == Chain::Delivery) {
        let signal = execution.proc(change.proc).deliveries[change.index() as usize].signal;
        if *execution.kind(signal) == SignalKind::GroupLeader {
            in_order(execution, change, change.proc, edge);
        }
    }
}

/// Everything of a process comes before or after a look at it.
fn in_order(
    execution: &Execution,
    look: EventRef,
    of: ProcId,
    edge: &mut impl FnMut(EventRef, EventRef),
) {
    for other in execution.events().filter(|e| e.proc == of) {
        if of != look.proc || other.chain() != look.chain() {
            match execution.order_of(other) < execution.order_of(look) {
                true => edge(other, look),
                false => edge(look, other),
            }
        }
    }
}

/// A process changes its links, monitors or aliases.
fn is_about_ties(action: &Action) -> bool {
    let ActionKind::Request(answered) = action.what() else { return false };
    let ties = ["link", "unlink", "monitor", "demonitor", "alias", "unalias"];
    answered.builtin != u32::MAX && ties.contains(&Program::builtin(answered.builtin).name)
}

/// What becomes of such a signal depends on links, monitors or aliases of its receiver.
fn depends_on_ties(kind: &SignalKind) -> bool {
    let is_about_links = matches!(
        kind,
        SignalKind::Exit { linked: true, .. } | SignalKind::Link | SignalKind::Unlink
    );
    is_about_links || matches!(kind, SignalKind::Down | SignalKind::AliasMessage(_))
}

fn closure(start: EventRef, next: &HashMap<EventRef, Vec<EventRef>>) -> HashSet<EventRef> {
    let mut seen = HashSet::new();
    let mut work = vec![start];
    while let Some(event) = work.pop() {
        if seen.insert(event) {
            work.extend(next.get(&event).into_iter().flatten());
        }
    }
    seen
}

fn reversed(edges: &HashMap<EventRef, Vec<EventRef>>) -> HashMap<EventRef, Vec<EventRef>> {
    let mut back: HashMap<EventRef, Vec<EventRef>> = HashMap::new();
    for (to, froms) in edges {
        for from in froms {
            back.entry(*from).or_default().push(*to);
        }
    }
    back
}

fn contents(execution: &Execution, cut: &Cut) -> HashSet<EventRef> {
    execution.events().filter(|e| cut.contains(execution, *e)).collect()
}

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

#[test]
fn loop_lemma_undoing_one_event_and_redoing_it_changes_nothing() {
    for_each_execution(|system, name| {
        let execution = system.execution();
        let end = Cut::end(execution);
        for event in execution.events() {
            let back = plan::undo(execution, &end, Target::Event(event));
            let again = plan::redo(execution, &back.to, Target::Event(event));
            if back.events.len() == 1 {
                assert_eq!(
                    contents(execution, &again.to),
                    contents(execution, &end),
                    "{name}: {event:?}"
                );
            }
            // And the other way: redoing it and undoing it again.
            let undone = plan::undo(execution, &again.to, Target::Event(event));
            assert_eq!(contents(execution, &undone.to), contents(execution, &back.to), "{name}");
        }
    });
}

#[test]
fn square_lemma_independent_events_can_be_undone_in_either_order() {
    for_each_execution(|system, name| {
        let execution = system.execution();
        let consequences = reversed(&edges(execution));
        let end = Cut::end(execution);
        let events: Vec<EventRef> = execution.events().collect();
        for (i, a) in events.iter().enumerate().step_by(2) {
            for b in events[i + 1..].iter().step_by(3) {
                let (of_a, of_b) = (closure(*a, &consequences), closure(*b, &consequences));
                if of_a.contains(b) || of_b.contains(a) {
                    continue;
                }
                let undo = |cut: &Cut, e: EventRef| plan::undo(execution, cut, Target::Event(e)).to;
                let ab = undo(&undo(&end, *a), *b);
                let ba = undo(&undo(&end, *b), *a);
                assert_eq!(
                    contents(execution, &ab),
                    contents(execution, &ba),
                    "{name}: {a:?} {b:?}"
                );
            }
        }
    });
}

#[test]
fn causal_consistency_the_same_events_in_any_order_reach_the_same_cut() {
    for_each_execution(|system, name| {
        let execution = system.execution();
        // Forward to two events by two routes.
        let start = Cut::start(execution);
        let redo = |cut: &Cut, e: EventRef| plan::redo(execution, cut, Target::Event(e)).to;
        let order: Vec<EventRef> = execution.events().collect();
        for pair in order.windows(4).step_by(2) {
            let (a, b) = (pair[0], pair[3]);
            assert_eq!(redo(&redo(&start, a), b), redo(&redo(&start, b), a), "{name}");
        }
    });
}

/// What a process shows at a moment: where it is and its registers.
fn shape(system: &mut System, proc: ProcId, steps: u64) -> (u64, u32, usize, Vec<Term>) {
    let process = system.state_at(proc, steps);
    let code = &system.program().code;
    let registers = code.fun(code.fun_at(process.pc())).registers as usize;
    let visible = process.registers().iter().take(registers.min(4)).cloned().collect();
    (process.steps(), process.pc(), process.depth(), visible)
}

#[test]
fn local_determinism_a_moment_is_the_same_however_it_is_reached() {
    for_each_execution(|system, name| {
        let procs: Vec<ProcId> = system.execution().ids().collect();
        for proc in procs {
            let end = system.execution().proc(proc).steps;
            for steps in (0..=end).step_by((end as usize / 40).max(5)) {
                let mut fresh = system.from_start(proc);
                fresh.run_to(system, steps);
                let (pc, at) = (fresh.process.pc(), fresh.process.steps());
                let again = shape(system, proc, steps);
                assert_eq!((again.0, again.1), (at, pc), "{name}: {proc:?}@{steps}");
            }
        }
    });
}

/// A message in a few words, however large it is; another message has others.
fn brief(message: &Term) -> String {
    let text = fmt::write_depth(message, 10, Encoding::Unicode);
    format!("{text} #{}", phash2_default(message))
}

/// What happened, in words that two executions can share.
fn log(execution: &Execution) -> Vec<String> {
    let line = |e: EventRef| match execution.action(e).map(|a| (a.what(), a.step)) {
        None => {
            let d = execution.proc(e.proc).deliveries[e.index() as usize];
            format!("{:?} deliver {:?}", e.proc, { d.signal })
        }
        Some((ActionKind::Send(k), step)) => {
            let message = &execution.proc(e.proc).signals[k as usize].message;
            format!("{:?}@{step} send {k} {}", e.proc, brief(message))
        }
        Some((ActionKind::Receive(s), step)) => format!("{:?}@{step} receive {s:?}", e.proc),
        Some((ActionKind::Timeout, step)) => format!("{:?}@{step} timeout", e.proc),
        Some((ActionKind::Request(a), step)) => {
            format!("{:?}@{step} request {} {:?}", e.proc, a.builtin, a.answer.as_ref().ok())
        }
        Some((ActionKind::Exit(x), step)) => format!("{:?}@{step} exit {:?}", e.proc, x.reason),
    };
    execution.events().map(line).collect()
}

#[test]
fn replay_correctness_living_the_past_again_gives_the_same_execution() {
    for_each_execution(|system, name| {
        let before = log(system.execution());
        let end = Cut::end(system.execution());
        let branch = system.branch(&end);
        assert_eq!(log(branch.execution()), before, "{name}");
        assert_eq!(Cut::end(branch.execution()), end, "{name}");
    });
}

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
                {
                    assert_eq!(old.pid, branch.execution().proc(proc).pid, "{name}");
                }
            }
        }
    });
}

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

type Chains = BTreeMap<(ProcId, bool), Vec<String>>;

/// What each process did and what arrived at it, in the words of `log`.
fn by_process(execution: &Execution, included: impl Fn(EventRef) -> bool) -> Chains {
    let mut chains = Chains::new();
    for (event, line) in execution.events().zip(log(execution)).filter(|(e, _)| included(*e)) {
        let is_delivery = event.chain() == Chain::Delivery;
        chains.entry((event.proc, is_delivery)).or_default().push(line);
    }
    chains
}

fn assert_same(found: &Chains, expected: &Chains, what: &str) {
    let lines = |chains: &Chains| chains.values().flatten().cloned().collect::<Vec<String>>();
    let (found, expected) = (lines(found), lines(expected));
    let differs = found.iter().zip(&expected).position(|(a, b)| a != b);
    let at = differs.unwrap_or(found.len().min(expected.len()));
    let (is, should) = (found.get(at), expected.get(at));
    assert!(is == should, "{what}:\nis     {is:?}\nshould {should:?}");
}

/// Confluence: whatever is undone, the rest of the past can be lived without it, and living
/// through what was undone afterwards gives the same execution, with the same names.
fn confluence(system: &mut System, name: &str) {
    let before = by_process(system.execution(), |_| true);
    let end = Cut::end(system.execution());
    let picks: Vec<EventRef> = system.execution().events().step_by(3).collect();
    for event in picks {
        let cut = plan::undo(system.execution(), &end, Target::Event(event)).to;
        let kept = by_process(system.execution(), |e| cut.contains(system.execution(), e));
        let mut branch = system.branch(&cut);
        let lived = by_process(branch.execution(), |_| true);
        assert_same(&lived, &kept, &format!("{name}: without {event:?}"));
        let family = script::family(system.execution());
        let rest = script::script_after(system.execution(), &cut);
        branch
            .replay(&family, rest, Some(&end))
            .unwrap_or_else(|e| panic!("{name}: after {event:?}: {e:?}"));
        let after = by_process(branch.execution(), |_| true);
        assert_same(&after, &before, &format!("{name}: after {event:?}"));
    }
}

#[test]
fn what_was_undone_can_be_done_after_everything_else() {
    for_each_crowd(150, confluence);
    for_each_execution(confluence);
}

/// Who has looked at the registered names cannot stay when a name is undone that it saw.
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
