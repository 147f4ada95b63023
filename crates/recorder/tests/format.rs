//! Numbers as they are written, and as they are read.
#![allow(dead_code, reason = "each test file uses a part")]

mod written;

use proptest::prelude::*;
use reverl_recorded::trace;
use written::format::*;

fn number(n: u64) -> Vec<u8> {
    let mut bytes = vec![];
    put_number(n, |b| bytes.push(b));
    bytes
}

/// A chunk with one process and one number that it was given.
fn chunk(n: i64) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for part in [u64::from(PROCESS), 1, 1, BEGUN, 0, 83, u64::from(RESULT_INT), 1, 1, 1, zigzag(n)]
    {
        bytes.extend(number(part));
    }
    bytes.push(0);
    bytes
}

proptest! {
    #[test]
    fn a_number_is_read_as_it_was_written(n in any::<i64>()) {
        prop_assert_eq!(unzigzag(zigzag(n)), n);
        let raw = trace::read(&[chunk(n)]);
        prop_assert_eq!(written::numbers(&raw, 1), [n]);
    }

    #[test]
    fn whatever_is_in_a_chunk_reading_it_ends(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut chunk = MAGIC.to_vec();
        chunk.extend(bytes);
        trace::read(&[chunk]);
    }
}

#[test]
fn numbers_are_as_short_as_they_can_be() {
    let lengths = [(0, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3), (u64::MAX, 10)];
    for (n, length) in lengths {
        assert_eq!(number(n).len(), length, "{n}");
    }
    for n in [0, -1, 1, i64::MIN, i64::MAX] {
        assert_eq!(unzigzag(zigzag(n)), n);
    }
    assert!(zigzag(-1) < 4 && zigzag(1) < 4, "small ones are small");
}

#[test]
fn an_entry_without_its_tag_is_not_there() {
    let mut cut = chunk(5);
    let tag = cut.iter().position(|b| *b == RESULT_INT).expect("it is there");
    cut[tag] = 0;
    assert_eq!(trace::read(&[cut]).entries.len(), 0);
    for length in 0..chunk(5).len() {
        trace::read(&[chunk(5)[..length].to_vec()]);
    }
}

/// A chunk of two processes, of which the first is sent three messages by the second and then times out.
fn chunk_with_time_out(tag: &[u64]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for process in [1, 2] {
        for part in [u64::from(PROCESS), 1, process, BEGUN, 0, 83] {
            bytes.extend(number(part));
        }
    }
    for part in [u64::from(DELIVER), 1, 1, 2].repeat(3).iter().chain(tag) {
        bytes.extend(number(*part));
    }
    bytes.push(0);
    bytes
}

#[test]
fn messages_that_a_receive_has_not_looked_at_come_after_its_time_out() {
    use reverl_recorded::parts::TraceAction;
    let places = |tag: &[u64]| -> Vec<usize> {
        let read = trace::read(&[chunk_with_time_out(tag)]);
        assert_eq!(read.entries.len(), 4);
        let is_timeout = |i: &usize| read.entries[*i].action == TraceAction::Timeout;
        (0..4).filter(is_timeout).collect()
    };
    assert_eq!(places(&[u64::from(TIMEOUT), 1, 1]), [3]);
    assert_eq!(places(&[u64::from(TIMEOUT_LATE), 1, 1, 1]), [2]);
    assert_eq!(places(&[u64::from(TIMEOUT_LATE), 1, 1, 3]), [0]);
    // Of those that are not there any more nothing is said.
    assert_eq!(places(&[u64::from(TIMEOUT_LATE), 1, 1, 9]), [3]);
}

/// The node's half of the tracer is Erlang, and has the same numbers.
#[test]
fn kinds_of_functions_have_the_same_numbers_in_erlang() {
    let text = include_str!("../erl/reverl_tracer.erl");
    let kinds = [
        ("input", kind::INPUT),
        ("opaque", kind::OPAQUE),
        ("last", kind::LAST),
        ("loading", kind::LOADING),
        ("exported", kind::EXPORTED),
        ("hidden", kind::HIDDEN),
        ("loading_fun", kind::LOADING_FUN),
        ("code", kind::CODE),
        ("compiling", kind::COMPILING),
        ("naming", kind::NAMING),
        ("unnaming", kind::UNNAMING),
    ];
    for (name, number) in kinds {
        assert!(text.contains(&format!("number({name}) -> {number}")), "{name}");
    }
    assert_eq!(text.matches("\nnumber(").count(), kinds.len());
    assert!(text.contains(&format!("function(M, F, A, {})", kind::TRIGGER)));
}
