//! Whoever sends is held until it is its turn; what is no order is refused.

#[path = "../src/gate.rs"]
mod gate;

use gate::Gate;
use proptest::prelude::*;
use std::sync::{Barrier, Mutex};
use std::time::{Duration, Instant};

const RECEIVER: u64 = 100;

/// Threads that send to one receiver, as often as the order says, as soon as they can: the order in which
/// their messages came.
fn order_of_threads(order: &[usize]) -> Vec<usize> {
    let senders = order.iter().max().expect("somebody sends") + 1;
    let arrivals: Vec<String> = order.iter().map(|from| (from + 1).to_string()).collect();
    let mut text = format!("- 0 | {} |\n", arrivals.join(" "));
    for sender in 0..senders {
        let places = (0..order.len()).filter(|place| order[*place] == sender);
        let sends: Vec<String> = places.map(|place| format!("0@{place}")).collect();
        text += &format!("0 {sender} | | {}\n", sends.join(" "));
    }
    let gate = Gate::new(&text).expect("it is an order");
    gate.began(RECEIVER);
    (0..senders).for_each(|sender| gate.spawned(RECEIVER, sender as u64));
    let (mailbox, start) = (Mutex::new(vec![]), Barrier::new(senders));
    std::thread::scope(|scope| {
        for sender in 0..senders {
            let (gate, mailbox, start) = (&gate, &mailbox, &start);
            let times = order.iter().filter(|from| **from == sender).count();
            scope.spawn(move || {
                start.wait();
                for _ in 0..times {
                    gate.before_send(sender as u64, Some(RECEIVER));
                    mailbox.lock().expect("no panic").push(sender);
                    gate.went_on(sender as u64);
                }
            });
        }
    });
    mailbox.into_inner().expect("no panic")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn messages_come_in_the_order_that_is_followed(order in prop::collection::vec(0usize..5, 1..30)) {
        prop_assert_eq!(order_of_threads(&order), order);
    }

    #[test]
    fn whatever_the_text_is_it_is_an_order_or_refused(text in "[-0-9 |@t\n]{0,60}") {
        if let Some(gate) = Gate::new(&text) {
            gate.began(1);
            gate.spawned(1, 2);
            gate.arrived(2, 1);
            gate.timed_out(1);
            gate.ended(2);
        }
    }
}

#[test]
fn numbers_of_nobody_are_refused() {
    for text in ["- 0 | 1 |", "- 0 | | 1", "- 0 | | 0@0", "3 0 | |", "- 0", "0 x | |"] {
        assert!(Gate::new(text).is_none(), "{text}");
    }
    assert!(Gate::new("- 0 | 0 t | 0@0 0 -").is_some());
}

#[test]
fn another_arrival_than_the_wanted_one_opens_the_gate() {
    let gate = Gate::new("- 0 | 1 t |\n0 0 | | 0@0\n0 1 | | 0").expect("it is an order");
    gate.began(1);
    gate.spawned(1, 2);
    gate.spawned(1, 3);
    gate.arrived(1, 3);
    // Nobody is held any more, also one that would have to wait for a time-out.
    let start = Instant::now();
    gate.before_send(3, Some(1));
    assert!(start.elapsed() < Duration::from_secs(5));
}
