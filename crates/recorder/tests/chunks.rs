//! What threads write is read back: all of it, in the order of the whole node.
#![allow(dead_code, reason = "each test file uses a part")]

mod written;

use std::path::Path;
use std::sync::OnceLock;
use written::{chunks, define_process, files, format, numbers, read, start, write_number};

/// One directory for all tests of this file; each has processes of its own.
fn directory() -> &'static Path {
    static DIR: OnceLock<tempfile::TempDir> = OnceLock::new();
    let dir = DIR.get_or_init(|| {
        let dir = tempfile::tempdir().expect("a directory");
        start(dir.path(), 0, 0, 0);
        dir
    });
    dir.path()
}

#[test]
fn what_several_threads_write_is_all_there_and_in_order() {
    let dir = directory();
    const EACH: i64 = 200_000;
    let threads = (1..=3).map(|proc| {
        define_process(proc, 80 + proc);
        std::thread::spawn(move || (0..EACH).for_each(|n| write_number(proc, n)))
    });
    let threads: Vec<_> = threads.collect();
    threads.into_iter().for_each(|t| t.join().expect("it ends"));
    let raw = read(dir);
    for proc in 1..=3 {
        assert_eq!(raw.processes[proc as usize].pid, 80 + u64::from(proc));
        assert!(numbers(&raw, proc).into_iter().eq(0..EACH), "process {proc}");
    }
    assert!(files(dir).len() > 4, "more than one chunk each: {}", files(dir).len());
    assert!(!raw.lacks_beginning && raw.stopped_by.is_none());
}

#[test]
fn turns_of_two_threads_are_read_in_the_order_in_which_they_were_written() {
    let dir = directory();
    define_process(11, 91);
    define_process(12, 92);
    let (to_other, from_one) = std::sync::mpsc::channel::<i64>();
    let (to_one, from_other) = std::sync::mpsc::channel::<i64>();
    let other = std::thread::spawn(move || {
        for n in from_one {
            write_number(12, n);
            to_one.send(n).expect("it listens");
        }
    });
    for n in 0..300 {
        write_number(11, n);
        to_other.send(n).expect("it listens");
        from_other.recv().expect("it answers");
    }
    drop(to_other);
    other.join().expect("it ends");
    let raw = read(dir);
    let both: Vec<u32> = raw.entries.iter().map(|e| e.proc).filter(|p| *p > 10).collect();
    let turns: Vec<u32> = both.into_iter().filter(|p| [11, 12].contains(p)).collect();
    assert_eq!(turns.len(), 600);
    assert!(turns.chunks(2).all(|pair| pair == [11, 12]));
}

#[test]
fn an_entry_larger_than_a_chunk_has_one_of_its_own() {
    let dir = directory();
    define_process(21, 93);
    let large = vec![7; 3 << 20];
    write_number(21, 1);
    chunks::write(format::RETURN, 21, large.len() + 10, |w| w.block(&large));
    write_number(21, 2);
    let raw = read(dir);
    assert_eq!(numbers(&raw, 21), [1, 2]);
    let is_it = |e: &&reverl_recorded::TraceEntry| matches!(&e.action, reverl_recorded::TraceAction::Return(bytes) if **bytes == *large);
    assert_eq!(raw.entries.iter().filter(is_it).count(), 1);
}

#[test]
fn recording_begins_once() {
    let dir = directory();
    let again = chunks::Settings {
        dir: dir.to_str().expect("a name").into(),
        most_events: 1,
        most_bytes: 1,
        keep: 1,
    };
    assert!(!chunks::start(again).expect("no error"));
    assert!(!chunks::is_stopped());
}
