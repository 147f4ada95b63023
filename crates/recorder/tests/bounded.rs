//! A recording of so many events, and no more.
#![allow(dead_code, reason = "each test file uses a part")]

mod written;

use written::{chunks, define_process, numbers, read, start, write_number};

#[test]
fn recording_stops_after_so_many_events() {
    let dir = tempfile::tempdir().expect("a directory");
    start(dir.path(), 100, 0, 0);
    define_process(1, 83);
    (0..1000).for_each(|n| write_number(1, n));
    assert!(chunks::is_stopped());
    assert_eq!(chunks::events(), 100);
    let raw = read(dir.path());
    assert!(numbers(&raw, 1).into_iter().eq(0..100));
    assert_eq!(raw.stopped_by, None, "it was asked to");
}
