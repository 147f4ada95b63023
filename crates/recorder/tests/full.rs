//! A recording whose directory takes no more files.
#![allow(dead_code, reason = "each test file uses a part")]

mod written;

use written::{chunks, define_process, files, format, numbers, start, write_number};

/// `ENOENT`: what a directory says that is gone.
const GONE: i32 = 2;

#[test]
fn recording_stops_where_no_chunk_can_be_made_and_says_why() {
    let dir = tempfile::tempdir().expect("a directory");
    let inner = dir.path().join("node");
    std::fs::create_dir(&inner).expect("made");
    start(&inner, 0, 0, 0);
    define_process(1, 83);
    (0..10).for_each(|n| write_number(1, n));
    let moved = dir.path().join("moved");
    std::fs::rename(&inner, &moved).expect("moved");
    // The next chunk cannot be made; what comes then is lost, and is not waited for.
    let large = vec![7; 2 << 20];
    chunks::write(format::RETURN, 1, large.len() + 10, |w| w.block(&large));
    assert!(chunks::is_stopped());
    (10..20).for_each(|n| write_number(1, n));
    let raw = reverl_recorded::trace::read(&files(&moved));
    assert!(numbers(&raw, 1).into_iter().eq(0..10));
    assert_eq!(raw.stopped_by, Some(GONE));
    assert!(!inner.exists(), "it is not made again");
}
