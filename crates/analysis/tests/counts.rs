//! How many executions a program has is known for these: none is missed, none counted twice.

use reverl_analysis::explore::{Bounds, Explorer, Summary};
use reverl_analysis::feasible::Delivery;
use reverl_causal::{Entry, NoOutside, System};
use reverl_machine::Program;
use reverl_programs::Files;
use reverl_term::{Atom, Term};
use std::collections::BTreeSet;

/// Explores and returns the summary, the distinct results and how often main was left waiting.
fn explore(function: &str, args: &[i64], delivery: Delivery) -> (Summary, BTreeSet<String>, u64) {
    let args = Term::list(args.iter().map(|i| Term::int(*i)));
    let entry = Entry::Call { module: Atom::new("programs"), name: Atom::new(function), args };
    let loader = Files::without_otp(&reverl_programs::directory().join("counts/programs.erl"));
    let system = System::new(Program::new(), Box::new(loader), Box::new(NoOutside), entry);
    let bounds = Bounds { steps: 1_000_000, ..Bounds::default() };
    let mut results = BTreeSet::new();
    let mut blocked = 0;
    let explorer = Explorer::new(delivery, bounds);
    explorer.work(&system, &mut |visit| {
        match visit.system.execution().proc(visit.system.main).exit() {
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

// papers: 004 | 3.2 | as many variants as there are orders | explore
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

// papers: 004 | 3.1 (instant delivery) | delivery at once, or in any order that a pair of processes allows | explore --delivery
#[test]
fn a_message_can_be_overtaken_only_without_instant_delivery() {
    check_count("overtaking", &[], Delivery::Pair, 2);
    check_count("overtaking", &[], Delivery::Instant, 1);
}

// papers: 004 | 3.1 (time-outs) | a time-out races with a message | explore, races
#[test]
fn a_time_out_races_with_the_message() {
    check_count("timeout", &[], Delivery::Pair, 2);
}

// papers: 004 | 3.1 | selective receive | explore
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

/// All results, and how many executions there are, with both kinds of delivery.
fn check_results(function: &str, args: &[i64], counts: [u64; 2], expected: &[Term]) {
    for (delivery, count) in [Delivery::Pair, Delivery::Instant].into_iter().zip(counts) {
        let (summary, results, blocked) = explore(function, args, delivery);
        let expected: BTreeSet<String> =
            expected.iter().map(|value| format!("{:?}", Some(value))).collect();
        assert_eq!(results, expected, "{function}{args:?} {delivery:?}");
        assert_eq!((summary.executions, blocked), (count, 0), "{function}{args:?} {delivery:?}");
        assert!(summary.complete, "{function}{args:?} {delivery:?}");
    }
}

fn atom(name: &str) -> Term {
    Term::atom(Atom::new(name))
}

#[test]
fn updates_of_a_table_get_lost() {
    // Of the orders of n reads each before its write, those of reads among each other are one.
    check_results("table", &[1], [1, 1], &[Term::int(1)]);
    check_results("table", &[2], [4, 4], &[Term::int(1), Term::int(2)]);
    check_results("table", &[3], [36, 36], &[Term::int(1), Term::int(2), Term::int(3)]);
}

#[test]
fn counting_in_one_step_loses_nothing() {
    check_results("counter", &[3], [6, 6], &[Term::int(3)]);
}

#[test]
fn different_keys_of_a_table_have_nothing_to_do_with_each_other() {
    check_results("keys", &[4], [1, 1], &[Term::int(4)]);
}

#[test]
fn only_one_process_gets_a_name() {
    let either = |first: bool| Term::list([Term::bool(first), Term::bool(!first)]);
    check_results("registering", &[], [2, 2], &[either(true), either(false)]);
}

#[test]
fn a_name_may_not_be_there_yet() {
    check_results("sending_by_name", &[], [2, 2], &[atom("nobody"), atom("hello")]);
}

#[test]
fn a_name_goes_with_its_process() {
    // It ends before it is registered, before it is looked for, or after.
    check_results("owned_name", &[], [3, 3], &[Term::bool(true), Term::bool(false)]);
}

#[test]
fn a_process_is_killed_at_every_moment() {
    let sizes = [Term::int(0), Term::int(1), Term::int(2)];
    let (summary, results, _) = explore("killing", &[], Delivery::Pair);
    let expected: BTreeSet<String> = sizes.iter().map(|n| format!("{:?}", Some(n))).collect();
    assert_eq!(results, expected);
    assert!(summary.complete);
}

#[test]
fn a_process_that_never_waits_is_killed_all_the_same() {
    check_results("killing_a_loop", &[], [1, 1], &[atom("killed")]);
}

#[test]
fn an_exit_signal_comes_before_or_after_it_is_trapped() {
    let got = Term::tuple(vec![atom("got"), atom("stop")]);
    check_results("trapping", &[], [2, 2], &[atom("stop"), got]);
}

#[test]
fn a_monitor_comes_before_or_after_the_end() {
    check_results("dying", &[], [2, 2], &[atom("early"), atom("noproc")]);
}

#[test]
fn what_is_shared_in_some_executions_only_is_explored_in_those() {
    let results = [atom("plain"), Term::int(1), Term::int(2)];
    check_results("rarely", &[], [5, 5], &results);
}

#[test]
fn what_was_visited_before_anybody_was_ended_is_not_visited_again() {
    let got = Term::tuple(vec![atom("got"), atom("stop")]);
    check_results("rarely_ended", &[], [3, 3], &[atom("plain"), atom("stop"), got]);
}
