//! The parts of the tracer that need no node, and what they have written as a reader sees it.
#![allow(unsafe_code, reason = "files of the tracer are mapped into memory")]

#[path = "../../src/allocate.rs"]
pub mod allocate;
#[path = "../../src/chunks.rs"]
pub mod chunks;
#[path = "../../src/format.rs"]
pub mod format;

use reverl_recorded::parts::{RecordedValue, TraceAction};
use reverl_recorded::trace::{self, NodeTrace};
use std::path::Path;

/// Begins to record into a directory. It can be done once in a process, so each kind of recording
/// has a test file of its own.
pub fn start(dir: &Path, most_events: u64, most_bytes: u64, keep: u64) {
    let dir = dir.to_str().expect("a name").to_string();
    let settings = chunks::Settings { dir, most_events, most_bytes, keep };
    assert!(chunks::start(settings).expect("there is room"));
}

/// A process that others can refer to.
pub fn define_process(number: u64, pid: u64) {
    chunks::define(format::PROCESS, number, 30, |w| {
        w.number(format::BEGUN);
        w.number(0);
        w.number(pid);
    });
}

/// An entry that holds a number.
pub fn write_number(proc: u64, n: i64) {
    chunks::write(format::RESULT_INT, proc, 20, |w| {
        w.number(1);
        w.number(format::zigzag(n));
    });
}

pub fn files(dir: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(dir).expect("it is there").flatten();
    entries.map(|e| std::fs::read(e.path()).expect("it can be read")).collect()
}

pub fn read(dir: &Path) -> NodeTrace {
    trace::read(&files(dir))
}

/// The numbers that a process wrote, in the order in which they are read.
pub fn numbers(raw: &NodeTrace, proc: u32) -> Vec<i64> {
    let own = raw.entries.iter().filter(|e| e.proc == proc);
    let number = |action: &TraceAction| match action {
        TraceAction::Result { value, .. } => match **value {
            RecordedValue::Int(n) => Some(n),
            _ => None,
        },
        _ => None,
    };
    own.filter_map(|e| number(&e.action)).collect()
}
