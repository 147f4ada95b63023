//! Exploration against brute force: on small random programs every order of every step and every
//! delivery is tried, and the logs that come out are exactly those that exploration visits, each
//! once. The programs send messages, register and look up names, read and write tables, send exit
//! signals, trap them, link and monitor, time out and start timers.

use reverl_analysis::explore::{Bounds, Explorer};
use reverl_analysis::feasible::Delivery;
use reverl_analysis::history::{EventKind, History};
use reverl_analysis::observation::{Observation, ObservationLog, message_name};
use reverl_analysis::races;
use reverl_analysis::realise::realise;
use reverl_causal::execution::{Signal, SignalKind};
use reverl_causal::schedule::{ByAction, RoundRobin};
use reverl_causal::{Arrivals, Chain, Execution, ProcId, SignalId, Step, System, Until};
use std::collections::HashSet;

/// A small source of numbers: the same programs every time.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// What processes do beside sending each other messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Other {
    Nothing,
    Names,
    Tables,
    Exits,
    /// Links and monitors are made at once, so only with instant delivery.
    Ties,
    /// Receives that time out, timers, and messages to oneself.
    Times,
    /// Processes that are linked to the main one from their start, and exits.
    Children,
    Everything,
}

/// A few processes that send each other tagged messages and take them, some selectively.
fn random_program(seed: u64, other: Other) -> String {
    let mut draw = Draw(seed);
    let workers = 2 + draw.below(2);
    let mut text =
        "-module(random).\n-export([main/0]).\nmain() ->\n    Main = self(),\n".to_string();
    if matches!(other, Other::Tables | Other::Everything) {
        text += "    T = ets:new(t, [public]),\n";
    }
    let spawn = if other == Other::Children { "spawn_link" } else { "spawn" };
    for w in 1..=workers {
        let body = body(&mut draw, w, other);
        text += &format!("    W{w} = {spawn}(fun() ->\n        {body} end),\n");
    }
    let main = body(&mut draw, workers + 1, other);
    // A process's exit signal to itself arrives at once, which brute force does not know.
    text + &format!("    {}.\n", main.replace("exit(Main", "exit(W1"))
}

/// The body of the n-th process, which knows the main one and those before it.
fn body(draw: &mut Draw, n: u64, other: Other) -> String {
    let mut parts = vec![];
    for i in 0..2 + draw.below(2) {
        let to = match draw.below(n) {
            0 => "Main".to_string(),
            w => format!("W{w}"),
        };
        if other != Other::Nothing && draw.below(5) < 3 {
            parts.push(other_part(draw, &to, n, i, other));
            continue;
        }
        let tag = ["a", "b"][draw.below(2) as usize];
        parts.push(match draw.below(5) {
            0 | 1 => format!("{to} ! {{{tag}, {n}{i}}}"),
            2 => "receive _ -> ok end".to_string(),
            3 => format!("receive {{{tag}, _}} -> ok end"),
            _ => format!("receive {{{tag}, _}} -> {to} ! {{b, {n}{i}}}; _ -> ok end"),
        });
    }
    parts.join(",\n        ")
}

fn other_part(draw: &mut Draw, to: &str, n: u64, i: u64, other: Other) -> String {
    let name = ["x", "y"][draw.below(2) as usize];
    match other {
        Other::Nothing => unreachable!("something else is wanted"),
        Other::Names => match draw.below(6) {
            0 | 1 => format!("catch register({name}, self())"),
            2 => format!("catch register({name}, {to})"),
            3 => format!("catch unregister({name})"),
            4 => format!("catch ({name} ! {{a, {n}{i}}})"),
            _ => format!("whereis({name}) =:= undefined andalso ({to} ! {{a, {n}{i}}})"),
        },
        Other::Tables => match draw.below(11) {
            0 | 1 => format!("ets:insert(T, {{{name}, {n}{i}}})"),
            5 => format!("ets:insert(T, [{{{name}, {n}{i}}}])"),
            6 => format!(
                "ets:insert_new(T, [{{x, {n}{i}}}, {{y, 1}}]) andalso ({to} ! {{b, {n}{i}}})"
            ),
            7 => format!("ets:delete_object(T, {{{name}, 1}})"),
            8 => format!("{to} ! {{a, ets:match(T, {{{name}, '$1'}})}}"),
            9 => format!(
                "ets:select_count(T, [{{{{{name}, '_'}}, [], [true]}}]) =:= 0 andalso ({to} ! {{a, {n}{i}}})"
            ),
            10 => format!("ets:match_delete(T, {{{name}, '_'}})"),
            2 => format!("ets:lookup(T, {name}) =:= [] andalso ({to} ! {{a, {n}{i}}})"),
            3 => format!("ets:insert_new(T, {{{name}, {n}{i}}}) andalso ({to} ! {{b, {n}{i}}})"),
            4 => format!("ets:delete(T, {name})"),
            _ => format!("{to} ! {{a, length(ets:tab2list(T))}}"),
        },
        Other::Exits => match draw.below(6) {
            0 => format!("exit({to}, kill)"),
            1 => format!("exit({to}, oops)"),
            2 => format!("exit({to}, normal)"),
            3 => "process_flag(trap_exit, true)".to_string(),
            4 => format!("receive {{a, _}} -> exit({to}, oops); _ -> ok end"),
            _ => format!("is_process_alive({to}) andalso ({to} ! {{a, {n}{i}}})"),
        },
        Other::Ties => match draw.below(6) {
            0 => format!("link({to})"),
            1 => format!("unlink({to})"),
            2 => format!("monitor(process, {to})"),
            3 => "process_flag(trap_exit, true)".to_string(),
            4 => "exit(oops)".to_string(),
            _ => format!("exit({to}, oops)"),
        },
        Other::Children => match draw.below(4) {
            0 => "process_flag(trap_exit, true)".to_string(),
            1 => "exit(oops)".to_string(),
            2 => format!("exit({to}, oops)"),
            _ => format!("{to} ! {{a, {n}{i}}}"),
        },
        Other::Times => match draw.below(5) {
            0 => format!("receive {{a, _}} -> ok after 0 -> {to} ! {{b, {n}{i}}} end"),
            1 => format!("receive {{b, _}} -> {to} ! {{a, {n}{i}}} after 5 -> ok end"),
            2 => format!("self() ! {{a, {n}{i}}}"),
            3 => format!("erlang:send_after(5, {to}, {{a, {n}{i}}})"),
            _ => "receive _ -> ok after 5 -> ok end".to_string(),
        },
        Other::Everything => {
            let kind = [Other::Names, Other::Tables, Other::Exits][draw.below(3) as usize];
            other_part(draw, to, n, i, kind)
        }
    }
}

fn explored(text: &str, delivery: Delivery) -> (HashSet<ObservationLog>, u64) {
    let system = reverl_programs::text(text);
    let explorer = Explorer::new(delivery, Bounds { steps: 100_000, ..Bounds::default() });
    let mut logs = HashSet::new();
    let mut visits = 0;
    explorer.work(&system, &mut |visit| {
        visits += 1;
        let run = visit.system;
        let log = History::of(run.execution()).log();
        // What is told and saved is an execution that can really be lived through.
        let real = realise(run, delivery).unwrap_or_else(|| panic!("cannot happen:\n{text}"));
        assert_eq!(History::of(real.execution()).log(), log, "{text}");
        logs.insert(log);
        true
    });
    assert!(explorer.summary().complete);
    (logs, visits)
}

/// What a moment is, however it came about: what each process did and what arrived at it.
fn moment(system: &System) -> Vec<u64> {
    let mut key = vec![History::of(system.execution()).fingerprint(|_| true)];
    for proc in system.execution().ids() {
        let p = system.execution().proc(proc);
        key.push(p.actions.len() as u64);
        key.push(u64::from(system.running(proc).process.is_waiting()));
        key.extend(
            p.deliveries.iter().map(|d| u64::from(d.signal.from.0) << 32 | u64::from(d.signal.k)),
        );
        key.push(u64::MAX);
        let receives = p.actions.iter().filter_map(|a| match a.what() {
            reverl_causal::ActionKind::Receive(id) => {
                Some(u64::from(id.from.0) << 32 | u64::from(id.k))
            }
            _ => None,
        });
        key.extend(receives);
        key.push(u64::MAX);
    }
    key
}

/// What can happen next, one action at a time. Timers and time-outs may come at any moment.
fn enabled(run: &mut System) -> Vec<Step> {
    let by_action = |step| match step {
        Step::Run { proc, until } => Some(Step::Run { proc, until: Until::Action(until.limit()) }),
        Step::Deliver { .. } => Some(step),
        _ => None,
    };
    if let Some(own) = run.next_to_itself() {
        return vec![own];
    }
    let mut steps: Vec<Step> = run.enabled().into_iter().filter_map(by_action).collect();
    let procs: Vec<ProcId> = run.execution().ids().collect();
    for proc in procs {
        let p = run.execution().proc(proc);
        let timers = p.special_signals().filter(|(_, kind)| **kind == SignalKind::Timer);
        let left = timers.map(|(k, _)| &p.signals[k as usize]).filter(|s| s.to().is_none());
        let fire = |s: &Signal| Step::Fire { owner: proc, started_by: s.sent_by() };
        steps.extend(left.map(fire));
        if run.is_waiting(proc) && run.receive_timeout(proc).is_some() {
            steps.push(Step::TimeOut { proc });
        }
    }
    steps
}

/// Every log, by trying everything; `None` if there are too many moments to try.
fn by_force(text: &str, delivery: Delivery, most: usize) -> Option<HashSet<ObservationLog>> {
    let first = reverl_programs::text(text);
    let mut logs = HashSet::new();
    let mut seen = HashSet::new();
    let mut todo: Vec<Vec<Step>> = vec![vec![]];
    while let Some(path) = todo.pop() {
        let mut run = first.beginning();
        let at_once = delivery == Delivery::Instant;
        run.set_arrivals(if at_once { Arrivals::AtOnce } else { Arrivals::Queued });
        for step in &path {
            run.step(step).expect("it was enabled");
        }
        let enabled = enabled(&mut run);
        if seen.insert(moment(&run)) {
            if enabled.is_empty() {
                logs.insert(History::of(run.execution()).log());
            }
            for step in enabled {
                let mut longer = path.clone();
                longer.push(step);
                todo.push(longer);
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(logs)
}

/// All that the processes of an execution were told: messages, answers, how they ended.
fn told(system: &System) -> Vec<String> {
    let execution = system.execution();
    let shown = |action: &reverl_causal::Action| match action.what() {
        reverl_causal::ActionKind::Receive(id) => {
            reverl_term::fmt::write(&execution.signal(id).message)
        }
        reverl_causal::ActionKind::Request(answered) => match &answered.answer {
            Ok(value) => reverl_term::fmt::write(value),
            Err(_) => "raises".into(),
        },
        reverl_causal::ActionKind::Exit(exited) => reverl_term::fmt::write(&exited.reason),
        reverl_causal::ActionKind::Timeout => "time-out".into(),
        _ => String::new(),
    };
    let of = |proc: ProcId| {
        let p = execution.proc(proc);
        let all: Vec<String> = p.actions.iter().map(shown).collect();
        format!("{}: {}", p.path, all.join("; "))
    };
    let mut told: Vec<String> = execution.ids().map(of).collect();
    told.sort();
    told
}

/// A moment with the order of everything that touched something shared.
fn whole_moment(run: &System) -> Vec<String> {
    let execution = run.execution();
    let is_shared = |e: &reverl_causal::EventRef| !execution.objects().accesses_of(*e).is_empty();
    let mut key = told(run);
    key.extend(execution.events().filter(is_shared).map(|e| format!("{e:?}")));
    for proc in execution.ids() {
        let arrived = execution.proc(proc).deliveries.iter().map(|d| d.signal);
        key.push(format!("{:?} {}", arrived.collect::<Vec<_>>(), run.is_waiting(proc)));
    }
    key
}

/// What can be told in all executions of a program that only uses tables, by trying every order of
/// every step; it does not ask what is in conflict with what. `None` if there are too many.
fn told_by_force(text: &str, most: usize) -> Option<HashSet<Vec<String>>> {
    let first = reverl_programs::text(text);
    let (mut all, mut seen) = (HashSet::new(), HashSet::new());
    let mut todo: Vec<Vec<Step>> = vec![vec![]];
    while let Some(path) = todo.pop() {
        let mut run = first.beginning();
        run.set_arrivals(Arrivals::AtOnce);
        for step in &path {
            run.step(step).expect("it was enabled");
        }
        if !seen.insert(whole_moment(&run)) {
            continue;
        }
        let enabled = enabled(&mut run);
        if enabled.is_empty() {
            all.insert(told(&run));
        }
        todo.extend(enabled.into_iter().map(|step| [path.clone(), vec![step]].concat()));
        if seen.len() > most {
            return None;
        }
    }
    Some(all)
}

#[test]
fn all_that_processes_can_be_told_by_tables_is_told_in_some_visited_execution() {
    let mut compared = 0;
    for seed in 0..60 {
        let text = random_program(seed, Other::Tables);
        let Some(forced) = told_by_force(&text, 3_000) else { continue };
        let system = reverl_programs::text(&text);
        let explorer = Explorer::new(Delivery::Instant, Bounds::default());
        let mut found = HashSet::new();
        explorer.work(&system, &mut |visit| {
            found.insert(told(visit.system));
            true
        });
        assert_eq!(found, forced, "seed {seed}:\n{text}");
        compared += 1;
    }
    assert!(compared > 20, "{compared}");
}

/// How many programs were compared, and how many executions the largest had.
fn compare(seeds: std::ops::Range<u64>, other: Other, deliveries: &[Delivery]) -> (u64, u64) {
    let (mut compared, mut most) = (0, 0);
    for seed in seeds {
        let text = random_program(seed, other);
        for &delivery in deliveries {
            // Looking at shared things at every moment takes its time.
            let moments = if other == Other::Nothing { 20_000 } else { 800 };
            let Some(forced) = by_force(&text, delivery, moments) else { continue };
            let (logs, visits) = explored(&text, delivery);
            assert_eq!(
                logs.len() as u64,
                visits,
                "one came twice: seed {seed} {delivery:?}\n{text}"
            );
            let missed = forced.difference(&logs).count();
            let invented = logs.difference(&forced).count();
            assert_eq!((missed, invented), (0, 0), "seed {seed} {delivery:?}\n{text}");
            compared += 1;
            most = most.max(visits);
        }
    }
    (compared, most)
}

const BOTH: &[Delivery] = &[Delivery::Pair, Delivery::Instant];

// papers: 004 | 2 | all race variants are explored | explore
#[test]
fn exploration_visits_exactly_what_brute_force_finds() {
    let (compared, most) = compare(0..200, Other::Nothing, BOTH);
    assert!(compared > 250, "only {compared} programs were small enough");
    assert!(most > 10, "no program had many executions: {most}");
}

#[test]
fn all_orders_of_accesses_to_names_are_visited() {
    let (compared, most) = compare(0..60, Other::Names, BOTH);
    assert!(compared > 40 && most > 5, "{compared} programs, {most} executions at most");
}

#[test]
fn all_orders_of_accesses_to_tables_are_visited() {
    let (compared, most) = compare(0..60, Other::Tables, BOTH);
    assert!(compared > 40 && most > 5, "{compared} programs, {most} executions at most");
}

#[test]
fn all_moments_at_which_exit_signals_arrive_are_visited() {
    let (compared, most) = compare(0..60, Other::Exits, BOTH);
    assert!(compared > 40 && most > 5, "{compared} programs, {most} executions at most");
}

#[test]
fn all_orders_of_links_and_monitors_with_exits_are_visited() {
    let (compared, most) = compare(0..60, Other::Ties, &[Delivery::Instant]);
    assert!(compared > 30 && most > 5, "{compared} programs, {most} executions at most");
}

#[test]
fn all_moments_at_which_time_outs_and_timers_come_are_visited() {
    let (compared, most) = compare(0..100, Other::Times, BOTH);
    assert!(compared > 60 && most > 5, "{compared} programs, {most} executions at most");
}

#[test]
fn all_ends_of_linked_children_are_visited() {
    let (compared, most) = compare(0..100, Other::Children, BOTH);
    assert!(compared > 60 && most > 5, "{compared} programs, {most} executions at most");
}

#[test]
fn all_of_them_together_are_visited() {
    let (compared, most) = compare(0..60, Other::Everything, BOTH);
    assert!(compared > 40 && most > 5, "{compared} programs, {most} executions at most");
}

/// What an execution must take in which the n-th receive of a process takes another message, and
/// what does not come from that receive is as it was.
fn with_other(
    execution: &Execution,
    history: &History,
    (proc, nth): (usize, usize),
    message: SignalId,
) -> ObservationLog {
    let receive = history.receives[proc][nth];
    let mut log = history.log();
    for (q, receives) in history.receives.iter().enumerate() {
        let kept = receives.iter().filter(|e| !history.is_from(**e, receive)).count();
        log.0.entry(history.names[q]).or_default().truncate(kept);
    }
    log.add(history.names[proc], Observation::Message(message_name(execution, message)));
    log
}

/// Compares the races of an execution with all logs there are; how many were actual.
fn check_races(run: &System, logs: &HashSet<ObservationLog>, text: &str) -> u64 {
    let execution = run.execution();
    let history = History::of(execution);
    let mut races = vec![];
    races::races(run, &mut |race| races.push(race));
    let mut actual = 0;
    for (proc, receives) in history.receives.iter().enumerate() {
        for (nth, receive) in receives.iter().enumerate() {
            let EventKind::Receive { taken: Some(taken), step } = history.events[*receive].kind
            else {
                continue;
            };
            for message in history.inbox[proc].iter().filter(|m| **m != taken) {
                // What is sent because of the receive is not there if it takes something else.
                let is_sent = !history.is_from(history.sent_by[message], *receive);
                let wanted = with_other(execution, &history, (proc, nth), *message);
                let begins = |log: &ObservationLog| {
                    wanted.0.iter().all(|(name, taken)| {
                        taken.is_empty()
                            || log.0.get(name).is_some_and(|own| own.starts_with(taken))
                    })
                };
                let is_possible = is_sent && logs.iter().any(begins);
                let is_it = |race: &&races::Race| {
                    let action = execution.action(race.receive);
                    race.receive.proc.0 as usize == proc && action.is_some_and(|a| a.step == step)
                };
                let race = races.iter().find(is_it);
                let racing = race.into_iter().flat_map(|race| &race.racing);
                let is_told = racing.into_iter().any(|r| r.message == *message && r.is_actual);
                assert_eq!(
                    is_told, is_possible,
                    "process {proc}, receive {nth}, {message:?}\n{text}"
                );
                actual += u64::from(is_possible);
            }
        }
    }
    actual
}

// papers: 004 | Def. 5 | race sets, and which of their messages can really be taken | races
#[test]
fn a_race_is_actual_exactly_if_another_execution_takes_that_message_there() {
    let mut actual = 0;
    for seed in 0..2000 {
        let other = if seed % 4 == 0 { Other::Times } else { Other::Nothing };
        let text = random_program(seed, other);
        let (logs, _) = explored(&text, Delivery::Pair);
        let system = reverl_programs::text(&text);
        let explorer =
            Explorer::new(Delivery::Pair, Bounds { executions: 30, ..Bounds::default() });
        explorer.work(&system, &mut |visit| {
            let run = realise(visit.system, Delivery::Pair).expect("it can happen");
            actual += check_races(&run, &logs, &text);
            true
        });
    }
    assert!(actual > 2_000, "{actual}");
}

/// The logs of all executions that share the first events of one that is run by chance, and the
/// log of that one.
fn explored_after(text: &str, part: usize, of: usize) -> (HashSet<ObservationLog>, ObservationLog) {
    let mut system = reverl_programs::text(text);
    system.run(&mut ByAction(&mut RoundRobin), &mut |_| true);
    let whole = History::of(system.execution()).log();
    let events = system.execution().event_count();
    let mut past = system.beginning();
    past.run(&mut ByAction(&mut RoundRobin), &mut |s| {
        s.execution().event_count() * of < events * part
    });
    let explorer = Explorer::after(past.execution(), Delivery::Pair, Bounds::default());
    let mut logs = HashSet::new();
    explorer.work(&system, &mut |visit| {
        logs.insert(History::of(visit.system.execution()).log());
        true
    });
    (logs, whole)
}

// papers: 004 | 3.2 (prefixes) | variants of what follows a prefix | explore, in the debugger
#[test]
fn what_is_explored_from_a_moment_shares_its_past() {
    let mut fewer = 0;
    for seed in 0..60 {
        let text = random_program(seed, Other::Everything);
        let (all, _) = explored(&text, Delivery::Pair);
        if all.len() > 500 {
            continue;
        }
        let mut last = all.len();
        for part in 0..=4 {
            let (logs, whole) = explored_after(&text, part, 4);
            assert!(logs.is_subset(&all), "seed {seed}, part {part}\n{text}");
            assert!(logs.len() <= last, "seed {seed}, part {part}\n{text}");
            fewer += usize::from(logs.len() < last);
            last = logs.len();
            match part {
                0 => assert!(logs.len() == all.len(), "seed {seed}\n{text}"),
                4 => assert_eq!(logs, HashSet::from([whole]), "seed {seed}\n{text}"),
                _ => {}
            }
        }
    }
    assert!(fewer > 50, "the past decided nothing: {fewer}");
}

#[test]
fn deliveries_are_in_the_key() {
    // The key must tell moments apart that differ only in what has arrived.
    let mut run = reverl_programs::text(
        "-module(random).\n-export([main/0]).\nmain() -> spawn(fun() -> ok end) ! a, ok.\n",
    );
    run.set_arrivals(Arrivals::Queued);
    let goes_on = Step::Run { proc: run.main, until: Until::Action(u64::MAX) };
    for _ in 0..2 {
        run.step(&goes_on).expect("it is enabled");
    }
    let before = moment(&run);
    let deliver = enabled(&mut run).into_iter().find(|s| matches!(s, Step::Deliver { .. }));
    run.step(&deliver.expect("a message is on its way")).expect("it is enabled");
    assert_ne!(before, moment(&run));
    assert!(run.execution().events().any(|e| e.chain() == Chain::Delivery));
}
