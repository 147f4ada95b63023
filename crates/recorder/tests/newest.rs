//! A recording of the newest events only.
#![allow(dead_code, reason = "each test file uses a part")]

mod written;

use written::{define_process, files, numbers, read, start, write_number};

#[test]
fn the_newest_events_are_kept_without_a_gap() {
    let dir = tempfile::tempdir().expect("a directory");
    let keep = 64 << 10;
    start(dir.path(), 0, 0, keep);
    define_process(1, 83);
    const ALL: i64 = 100_000;
    (0..ALL).for_each(|n| write_number(1, n));
    let raw = read(dir.path());
    assert!(raw.lacks_beginning);
    assert_eq!(raw.processes[1].pid, 83, "definitions are never forgotten");
    let kept = numbers(&raw, 1);
    let first = *kept.first().expect("some are kept");
    assert!(first > 0 && kept.iter().copied().eq(first..ALL), "from {first}");
    let bytes: usize = files(dir.path()).iter().map(Vec::len).sum();
    // A chunk of definitions, and one of events that is still open.
    assert!(bytes < (1 << 20) + 2 * keep as usize, "{bytes} bytes");
}
