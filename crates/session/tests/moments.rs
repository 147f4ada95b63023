//! What the debugger says of a moment is what a second evaluator says of it, at every position of
//! every process of every program.

mod judge;

use judge::{Followed, Frame, Function, Moment, Next, Trees, with_deep_stack};
use reverl_causal::object::Object;
use reverl_causal::schedule::{Preference, Random, RoundRobin, Schedule};
use reverl_causal::{ProcId, System};
use reverl_lang::code::{Code, Rule};
use reverl_machine::Process;
use reverl_programs::Length;
use reverl_programs::random::{Random as RandomNumbers, argument, function};
use reverl_session::scope::{self, Level};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Write;

/// So much of each program is judged.
const LENGTH: Length = Length { events: 300, steps: 10_000 };

/// What is different between what the debugger shows and what the judge says, if anything.
fn difference(code: &Code, process: &Process, moment: &Moment) -> Option<String> {
    let here = scope::here(code, process, moment.step);
    let said = here.next.map(|(rule, _)| rule);
    let expected = match moment.next {
        Next::End => None,
        // Which message comes, or none, is the system's business.
        Next::Step(Rule::Receive) => None,
        Next::Step(Rule::Timeout) if process.is_waiting() => None,
        Next::Step(rule) => Some(rule),
    };
    if said != expected {
        let at = moment.frames.last().and_then(|frame| code.sources.shown_at(frame.at));
        return Some(format!("next is {said:?}, not {expected:?} of {at:?}"));
    }
    let is_later = |calls: &[Frame]| calls[0].id < calls[1].id;
    assert!(moment.frames.windows(2).all(is_later), "callers began before their callees");
    let levels = scope::levels(code, process, moment.step);
    if levels.len() != moment.frames.len() {
        return Some(format!("{} calls, not {}", levels.len(), moment.frames.len()));
    }
    let calls = levels.iter().zip(moment.frames.iter().rev());
    calls.enumerate().find_map(|(i, (level, frame))| {
        Some(format!(
            "call {i}, {}/{}: {}",
            level.name,
            level.arity,
            call_differs(code, level, frame)?
        ))
    })
}

fn call_differs(code: &Code, level: &Level, frame: &Frame) -> Option<String> {
    let line = |span| code.sources.shown_at(span);
    let named = Function::Named(level.name, level.arity);
    let is_same = level.module == frame.module
        && match frame.function {
            Function::Named(..) => named == frame.function,
            Function::Fun(_) | Function::Turn => level.name.name().starts_with('-'),
        };
    if !is_same {
        return Some(format!("it should be {}:{:?}", frame.module.name(), frame.function));
    }
    if level.span != frame.at {
        return Some(format!(
            "at {:?} {:?}, not {:?} {:?}",
            line(level.span),
            level.span,
            line(frame.at),
            frame.at
        ));
    }
    let shown: BTreeMap<&str, &_> = level.bindings.iter().map(|(n, v)| (n.name(), v)).collect();
    let bound: BTreeMap<&str, &_> = frame.scope.iter().map(|(n, v)| (n.name(), v)).collect();
    (shown != bound).then(|| format!("it shows {shown:?}, not {bound:?}"))
}

/// The usual schedule and one by chance.
fn schedules(seed: u64) -> [Box<dyn Schedule>; 2] {
    [Box::new(RoundRobin), Box::new(Random::new(seed, Preference::None, false))]
}

#[derive(Default)]
struct Tally {
    positions: Cell<u64>,
    processes: Cell<u64>,
    left: Cell<u64>,
}

impl Tally {
    fn told(&self, wrong: &[String]) {
        let [positions, processes, left] = [&self.positions, &self.processes, &self.left];
        eprintln!(
            "{} positions of {} processes compared, {} could not be followed",
            positions.get(),
            processes.get(),
            left.get()
        );
        assert!(positions.get() > 100 * left.get(), "nearly everything can be followed");
        assert!(wrong.is_empty(), "{} moments are told wrong:\n{}", wrong.len(), wrong.join("\n"));
    }
}

fn judge_process(system: &System, trees: &Trees, proc: ProcId, tally: &Tally) -> Vec<String> {
    let (mut wrong, mut next) = (vec![], 0);
    // What a program loads itself has no tree.
    if !system.execution().objects().accesses(Object::Code).is_empty() {
        tally.left.set(tally.left.get() + 1);
        return wrong;
    }
    let path = &system.execution().proc(proc).path;
    let followed = judge::follow(system, trees, proc, &mut |moment| {
        assert_eq!(moment.step, next, "positions come one after the other");
        next += 1;
        tally.positions.set(tally.positions.get() + 1);
        let process = system.state_at(proc, moment.step);
        let found = difference(&system.program().code, &process, moment);
        if let Some(how) = found.filter(|_| wrong.is_empty()) {
            wrong.push(format!("{path}@{}: {how}", moment.step));
        }
    });
    tally.processes.set(tally.processes.get() + 1);
    let end = system.execution().proc(proc).steps;
    match followed {
        Followed::All if next <= end => wrong.push(format!("{path}: {next} of {end} are there")),
        Followed::All => {}
        Followed::Differs(how) => wrong.push(format!("{path}: {how}")),
        Followed::Up { to, because } => {
            tally.left.set(tally.left.get() + end - to);
            eprintln!("{path} is followed to {to} of {end}: {because}");
        }
    }
    wrong
}

fn judge_system(name: &str, system: &System, trees: &Trees, tally: &Tally) -> Vec<String> {
    let own = system.execution().ids().filter(|p| !system.execution().proc(*p).is_system);
    let wrong = own.flat_map(|proc| judge_process(system, trees, proc, tally));
    wrong.map(|how| format!("{name}: {how}")).collect()
}

// papers: 001 | 2, Fig. 7 | the semantics of source Erlang: expression, environment and stack at every step | step, where, bindings
#[test]
fn every_moment_is_what_the_judge_says() {
    with_deep_stack(|| {
        let (tally, mut wrong) = (Tally::default(), vec![]);
        for (number, program) in reverl_programs::all().enumerate() {
            for mut schedule in schedules(number as u64) {
                let (mut system, trees) = judge::keeping_trees(program);
                reverl_programs::go_on(&mut system, &mut *schedule, LENGTH);
                wrong.extend(judge_system(&program.name(), &system, &trees.borrow(), &tally));
            }
        }
        tally.told(&wrong);
    });
}

/// Random functions: every construct inside every other.
fn random_module(seed: u64) -> String {
    let mut random = RandomNumbers::new(seed);
    let mut text = String::from(
        "-module(random).\n-export([main/0]).\n-record(r, {a = 1, b}).\n\
         id(X) -> X.\nt(_, X) -> X.\n",
    );
    let mut calls = String::new();
    for i in 0..30 {
        text += &function(&format!("p{i}"), random.below(1 << 30) as u64);
        let args: Vec<String> = (0..3).map(|_| argument(&mut random)).collect();
        let _ = writeln!(calls, "    catch p{i}({}),", args.join(", "));
        let _ = writeln!(calls, "    catch p{i}(3, {}),", argument(&mut random));
    }
    let last =
        format!("p0({})", (0..3).map(|_| argument(&mut random)).collect::<Vec<_>>().join(", "));
    text + "\nmain() ->\n" + &calls + "    " + &last + ".\n"
}

#[test]
fn every_moment_of_random_programs_is_what_the_judge_says() {
    with_deep_stack(|| {
        let (tally, mut wrong) = (Tally::default(), vec![]);
        for seed in 0..60 {
            let (mut system, trees) = judge::keeping_tree_of(&random_module(seed), "random");
            reverl_programs::go_on(&mut system, &mut RoundRobin, LENGTH);
            assert!(system.execution().steps() > 500, "it runs");
            let name = format!("random {seed}");
            wrong.extend(judge_system(&name, &system, &trees.borrow(), &tally));
        }
        tally.told(&wrong);
    });
}
