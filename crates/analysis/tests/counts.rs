//! How many executions a program has is known for these: none is missed, none counted twice.

use reverl_analysis::explore::{Bounds, Explorer, Summary};
use reverl_analysis::feasible::Delivery;
use reverl_causal::{Absent, Entry, Loader, System};
use reverl_lang::forms::Module;
use reverl_lang::module::load_source;
use reverl_lang::options::Options;
use reverl_lang::source::SourceMap;
use reverl_machine::{Program, library};
use reverl_term::{Atom, Term};
use std::collections::BTreeSet;
use std::path::Path;

struct Programs;

impl Loader for Programs {
    fn load(&mut self, module: Atom, sources: &mut SourceMap) -> Option<Module> {
        let options = Options::default();
        if module.name() == "programs" {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs.erl");
            return load_source(Path::new(path), &options, sources).0;
        }
        let own = library::find(module.name())?;
        let path = format!("{}.erl", module.name());
        reverl_lang::module::load_bytes(Path::new(&path), own.text.into(), &options, sources).0
    }
}

/// Explores and returns the summary, the distinct results and how often main was left waiting.
fn explore(function: &str, args: &[i64], delivery: Delivery) -> (Summary, BTreeSet<String>, u64) {
    let args = Term::list(args.iter().map(|i| Term::int(*i)));
    let entry = Entry::Call { module: Atom::new("programs"), name: Atom::new(function), args };
    let mut system = System::new(Program::new(), Box::new(Programs), Box::new(Absent), entry);
    let bounds = Bounds { steps: 1_000_000, ..Bounds::default() };
    let mut results = BTreeSet::new();
    let mut blocked = 0;
    let explorer = Explorer::new(delivery, bounds);
    explorer.work(&mut system, &mut |visit| {
        match visit.system.execution.proc(visit.system.main).exit() {
            Some(exit) => {
                results.insert(format!("{:?}", exit.value));
            }
            None => blocked += 1,
        }
        true
    });
    (explorer.summary(), results, blocked)
}

fn check_count(function: &str, args: &[i64], delivery: Delivery, executions: u64) {
    let (summary, _, _) = explore(function, args, delivery);
    assert_eq!(summary.executions, executions, "{function}{args:?} {delivery:?}");
    assert!(summary.complete, "{function}{args:?} {delivery:?}");
}

#[test]
fn n_senders_arrive_in_n_factorial_orders() {
    for (n, count) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120), (6, 720)] {
        check_count("senders", &[n], Delivery::Pair, count);
        check_count("senders", &[n], Delivery::Instant, count);
    }
}

#[test]
fn a_receiver_that_names_its_sender_sees_one_order() {
    check_count("by_sender", &[5], Delivery::Pair, 1);
}

#[test]
fn a_receiver_that_takes_one_message_has_n_executions() {
    check_count("first", &[5], Delivery::Pair, 5);
}

#[test]
fn two_streams_interleave_in_all_ways() {
    for (k, count) in [(1, 2), (2, 6), (3, 20), (4, 70)] {
        check_count("streams", &[k], Delivery::Pair, count);
    }
}

#[test]
fn messages_of_one_sender_and_rings_have_one_order() {
    check_count("one_sender", &[], Delivery::Pair, 1);
    check_count("ring", &[6], Delivery::Pair, 1);
}

#[test]
fn a_message_can_be_overtaken_only_without_instant_delivery() {
    check_count("overtaking", &[], Delivery::Pair, 2);
    check_count("overtaking", &[], Delivery::Instant, 1);
}

#[test]
fn a_time_out_races_with_the_message() {
    check_count("timeout", &[], Delivery::Pair, 2);
}

#[test]
fn what_was_passed_over_keeps_its_place() {
    // {b, 2} can come before or after {b, 1}, whenever {a, 1} is taken.
    check_count("selective", &[], Delivery::Pair, 2);
}

#[test]
fn a_monitor_races_with_a_message() {
    check_count("monitors", &[], Delivery::Pair, 2);
}

#[test]
fn updates_get_lost_in_all_possible_ways() {
    // (2n)! / 2^n orders of n reads each before its write.
    for (n, count) in [(1, 1), (2, 6), (3, 90)] {
        let (summary, results, _) = explore("update", &[n], Delivery::Pair);
        assert_eq!(summary.executions, count, "update({n})");
        let expected: BTreeSet<String> =
            (1..=n).map(|v| format!("{:?}", Some(Term::int(v)))).collect();
        assert_eq!(results, expected, "update({n})");
    }
}

#[test]
fn dining_philosophers_deadlock_in_one_of_the_ways_to_take_forks() {
    for (n, count) in [(2, 3), (3, 7), (4, 15)] {
        let (summary, _, blocked) = explore("philosophers", &[n], Delivery::Pair);
        assert_eq!((summary.executions, blocked), (count, 1), "{n} philosophers");
    }
}
