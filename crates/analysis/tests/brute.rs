//! Exploration against brute force: on small random programs every order of every step and every
//! delivery is tried, and the logs that come out are exactly those that exploration visits, each
//! once.

use reverl_analysis::explore::{Bounds, Explorer};
use reverl_analysis::feasible::Delivery;
use reverl_analysis::history::{History, Log};
use reverl_analysis::realise::realise;
use reverl_causal::schedule::Choice;
use reverl_causal::{Absent, Chain, Entry, Loader, System, Until};
use reverl_lang::forms::Module;
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use reverl_lang::source::SourceMap;
use reverl_machine::Program;
use reverl_term::{Atom, Term};
use std::collections::HashSet;
use std::path::Path;

struct Text(String);

impl Loader for Text {
    fn load(&mut self, _: Atom, sources: &mut SourceMap) -> Option<Module> {
        let text = self.0.clone().into_bytes();
        load_bytes(Path::new("random.erl"), text, &Options::default(), sources).0
    }
}

fn system(text: &str) -> System {
    let entry =
        Entry::Call { module: Atom::new("random"), name: Atom::new("main"), args: Term::nil() };
    let loader = Box::new(Text(text.to_string()));
    System::new(Program::new(), loader, Box::new(Absent), entry)
}

/// A small source of numbers: the same programs every time.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// A few processes that send each other tagged messages and take them, some selectively.
fn random_program(seed: u64) -> String {
    let mut draw = Draw(seed);
    let workers = 2 + draw.below(2);
    let mut text =
        "-module(random).\n-export([main/0]).\nmain() ->\n    Main = self(),\n".to_string();
    for w in 1..=workers {
        text += &format!("    W{w} = spawn(fun() ->\n        {} end),\n", body(&mut draw, w));
    }
    text + &format!("    {}.\n", body(&mut draw, workers + 1))
}

/// The body of the n-th process, which knows the main one and those before it.
fn body(draw: &mut Draw, n: u64) -> String {
    let mut parts = vec![];
    for i in 0..2 + draw.below(2) {
        let to = match draw.below(n) {
            0 => "Main".to_string(),
            w => format!("W{w}"),
        };
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

fn explored(text: &str, delivery: Delivery) -> (HashSet<Log>, u64) {
    let mut system = system(text);
    let explorer = Explorer::new(delivery, Bounds { steps: 100_000, ..Bounds::default() });
    let mut logs = HashSet::new();
    let mut visits = 0;
    explorer.work(&mut system, &mut |visit| {
        visits += 1;
        let run = visit.system;
        let log = History::of(&run.execution).log();
        // What is told and saved is an execution that can really be lived through.
        let mut real = realise(run, delivery).unwrap_or_else(|| panic!("cannot happen:\n{text}"));
        assert_eq!(History::of(&real.execution).log(), log, "{text}");
        run.borrow(real.lend());
        logs.insert(log);
        true
    });
    assert!(explorer.summary().complete);
    (logs, visits)
}

/// What a moment is, however it came about: what each process did and what arrived at it.
fn moment(system: &System) -> Vec<u64> {
    let mut key = vec![];
    for proc in system.execution.ids() {
        let p = system.execution.proc(proc);
        key.push(p.actions.len() as u64);
        key.push(u64::from(system.live(proc).process.is_waiting()));
        key.extend(
            p.deliveries.iter().map(|d| u64::from(d.signal.from.0) << 32 | u64::from(d.signal.k)),
        );
        key.push(u64::MAX);
        let receives = p.actions.iter().filter_map(|a| match a.what() {
            reverl_causal::What::Receive(id) => Some(u64::from(id.from.0) << 32 | u64::from(id.k)),
            _ => None,
        });
        key.extend(receives);
        key.push(u64::MAX);
    }
    key
}

/// Every log, by trying everything; `None` if there are too many moments to try.
fn by_force(text: &str, delivery: Delivery) -> Option<HashSet<Log>> {
    let mut first = system(text);
    let mut logs = HashSet::new();
    let mut seen = HashSet::new();
    let mut todo: Vec<Vec<Choice>> = vec![vec![]];
    while let Some(path) = todo.pop() {
        let mut run = first.beginning();
        run.set_instant(delivery == Delivery::Instant);
        run.until = Until::Action;
        for choice in &path {
            run.take(*choice);
        }
        let enabled = run.enabled();
        if seen.insert(moment(&run)) {
            if enabled.is_empty() {
                logs.insert(History::of(&run.execution).log());
            }
            for choice in enabled {
                let mut longer = path.clone();
                longer.push(choice);
                todo.push(longer);
            }
        }
        first.borrow(run.lend());
        if seen.len() > 20_000 {
            return None;
        }
    }
    Some(logs)
}

#[test]
fn exploration_visits_exactly_what_brute_force_finds() {
    let (mut compared, mut most) = (0, 0);
    for seed in 0..200 {
        let text = random_program(seed);
        for delivery in [Delivery::Pair, Delivery::Instant] {
            let Some(forced) = by_force(&text, delivery) else { continue };
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
    assert!(compared > 250, "only {compared} programs were small enough");
    assert!(most > 10, "no program had many executions: {most}");
}

#[test]
fn deliveries_are_in_the_key() {
    // The key must tell moments apart that differ only in what has arrived.
    let mut run = system("-module(random).\n-export([main/0]).\nmain() -> self() ! a, ok.\n");
    run.set_instant(false);
    run.until = Until::Action;
    let first = run.enabled()[0];
    run.take(first);
    let before = moment(&run);
    let deliver = run.enabled().into_iter().find(|c| matches!(c, Choice::Deliver { .. }));
    run.take(deliver.expect("a message is on its way"));
    assert_ne!(before, moment(&run));
    assert!(run.execution.order.iter().any(|e| e.chain() == Chain::Delivery));
}
