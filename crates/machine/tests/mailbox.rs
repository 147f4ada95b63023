//! A mailbox: messages in order of delivery, and a receive that looks at them one by one.

use reverl_machine::{Mailbox, Message, MessageId, Taken};
use reverl_term::Term;

fn message(n: u64) -> Message {
    Message { id: MessageId(n), term: Term::int(n as i64) }
}

fn filled(count: u64) -> Mailbox {
    let mut mailbox = Mailbox::default();
    (1..=count).for_each(|n| mailbox.push(message(n)));
    mailbox
}

fn ids(mailbox: &Mailbox) -> Vec<u64> {
    mailbox.iter().map(|m| m.id.0).collect()
}

/// Takes the first message that fits, as a receive does.
fn receive(mailbox: &mut Mailbox, fits: impl Fn(u64) -> bool) -> Option<u64> {
    mailbox.rewind();
    while let Some(message) = mailbox.current() {
        if fits(message.id.0) {
            let Taken::Delivered(message) = mailbox.take() else { panic!("nothing is kept") };
            return Some(message.id.0);
        }
        mailbox.skip();
    }
    None
}

#[test]
fn messages_are_taken_in_order_of_delivery() {
    let mut mailbox = filled(3);
    let taken: Vec<u64> = (0..3).filter_map(|_| receive(&mut mailbox, |_| true)).collect();
    assert_eq!(taken, [1, 2, 3]);
    assert!(mailbox.is_empty() && receive(&mut mailbox, |_| true).is_none());
}

#[test]
fn what_a_receive_passes_over_stays_where_it_was() {
    let mut mailbox = filled(5);
    assert_eq!(receive(&mut mailbox, |n| n % 2 == 0), Some(2));
    assert_eq!(ids(&mailbox), [1, 3, 4, 5]);
    assert_eq!(receive(&mut mailbox, |n| n % 2 == 0), Some(4));
    assert_eq!(receive(&mut mailbox, |n| n % 2 == 0), None);
    assert_eq!(ids(&mailbox), [1, 3, 5]);
}

#[test]
fn a_receive_that_waits_looks_only_at_what_is_new() {
    let mut mailbox = filled(2);
    assert_eq!(receive(&mut mailbox, |n| n > 2), None);
    assert!(mailbox.current().is_none(), "it has seen both");
    mailbox.push(message(3));
    assert_eq!(mailbox.current().map(|m| m.id.0), Some(3));
    assert!(matches!(mailbox.take(), Taken::Delivered(message) if message.id.0 == 3));
    assert_eq!(mailbox.current().map(|m| m.id.0), Some(1), "the next receive begins at the start");
}

#[test]
fn a_copy_is_independent_and_what_is_put_in_its_place_is_looked_at_from_the_start() {
    let mut mailbox = filled(3);
    mailbox.rewind();
    mailbox.skip();
    let copy = mailbox.clone();
    mailbox.replace([message(9)]);
    assert_eq!((ids(&mailbox), mailbox.len()), (vec![9], 1));
    assert_eq!(mailbox.current().map(|m| m.id.0), Some(9));
    assert_eq!(ids(&copy), [1, 2, 3]);
    assert_eq!(copy.current().map(|m| m.id.0), Some(2));
}

#[test]
fn what_woke_a_process_comes_first_and_is_not_received_twice() {
    let mut mailbox = filled(2);
    mailbox.keep(Term::int(7));
    assert_eq!(mailbox.len(), 3);
    mailbox.rewind();
    assert_eq!(mailbox.current().map(|m| m.term.clone()), Some(Term::int(7)));
    mailbox.skip();
    assert!(matches!(mailbox.take(), Taken::Delivered(message) if message.id.0 == 1));
    assert!(matches!(mailbox.take(), Taken::Kept));
    assert_eq!(ids(&mailbox), [2]);
}

#[test]
fn messages_of_the_system_are_replaced_and_what_woke_the_process_stays() {
    let mut mailbox = filled(2);
    mailbox.keep(Term::int(7));
    mailbox.replace([]);
    assert_eq!((mailbox.len(), mailbox.only_kept().len()), (1, 1));
    assert!(matches!(mailbox.take(), Taken::Kept));
}
