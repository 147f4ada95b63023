//! A recording of a node on disk, and the tracer's chunks it is made of.

use reverl_causal::recording::{self, Writer};
use reverl_recorded::parts::{
    FunctionRole, KeptModule, NodeRecording, Origin, RecordedProcess, RecordedValue, TraceAction,
    TraceEntry, TracedFunction,
};
use reverl_recorded::{list, trace};

fn sample() -> NodeRecording {
    let spawn = TraceEntry { proc: 1, action: TraceAction::Spawn(2) };
    let value = Box::new(RecordedValue::Ref([1, 2, 3]));
    let result = TraceEntry { proc: 2, action: TraceAction::Result { function: 0, value } };
    NodeRecording {
        node: vec![131, 106],
        command: vec!["erl".into(), "-noshell".into()],
        level: "exact".into(),
        functions: vec![TracedFunction {
            module: "erlang".into(),
            name: "make_ref".into(),
            arity: 0,
            role: FunctionRole::Input,
        }],
        processes: vec![
            RecordedProcess { pid: 0, origin: Origin::Outside },
            RecordedProcess { pid: 83, origin: Origin::Begun },
            RecordedProcess { pid: (1 << 32) | 84, origin: Origin::Spawned(1) },
        ],
        modules: vec![KeptModule {
            name: "m".into(),
            path: "m.beam".into(),
            chunk: *b"Dbgi",
            debug_info: vec![1, 2, 3],
            source: Some(("m.erl".into(), "-module(m).".into())),
        }],
        missing: vec!["n.beam: no debug info".into()],
        entries: [spawn, result].into_iter().cycle().take(10_000).collect(),
        stopped_by: Some("No space left on device".into()),
        ..NodeRecording::default()
    }
}

fn parts(recorded: &NodeRecording) -> Vec<Vec<u8>> {
    let mut writer = Writer::new(b"{}");
    recorded.write(&mut writer);
    recording::read(&writer.finish()).expect("whole").node
}

#[test]
fn a_recording_is_read_as_it_was_written() {
    let written = sample();
    let read = NodeRecording::read(&parts(&written));
    assert_eq!(format!("{read:?}"), format!("{written:?}"));
    assert!(!read.is_torn);
}

#[test]
fn a_recording_whose_end_is_missing_says_so_and_has_the_rest() {
    let parts = parts(&sample());
    for length in 0..parts.len() {
        let read = NodeRecording::read(&parts[..length]);
        assert!(read.is_torn, "{length} of {} parts", parts.len());
    }
    let read = NodeRecording::read(&parts[..parts.len() - 2]);
    assert!(!read.entries.is_empty() && read.entries.len() < 10_000);
    assert_eq!(read.modules.len(), 1);
}

#[test]
fn a_damaged_part_ends_a_recording() {
    let mut parts = parts(&sample());
    let middle = parts.len() - 3;
    parts[middle] = vec![0xff; 30];
    let read = NodeRecording::read(&parts);
    assert!(read.is_torn);
    assert_eq!(read.stopped_by.as_deref(), Some("No space left on device"));
}

#[test]
fn events_are_listed_a_line_each() {
    let recorded = sample();
    assert_eq!(list::line(&recorded, 0), "<0.83.0> spawn <0.84.1>");
    let value = list::line(&recorded, 1);
    assert!(value.starts_with("<0.84.1> erlang:make_ref/0 -> #Ref<"), "{value}");
}

/// A chunk of the tracer's, by hand: a magic word and entries that end with a zero.
fn chunk(entries: &[&[u8]]) -> Vec<u8> {
    [b"RVLCHNK\x01", &entries.concat()[..], &[0]].concat()
}

const PROCESS: u8 = 1;
const DELIVER: u8 = 2;
const TIMEOUT: u8 = 5;
const FUNCTION: u8 = 17;
const FORGOTTEN: u8 = 21;
const STOPPED: u8 = 22;

#[test]
fn entries_of_all_chunks_are_read_in_the_order_of_their_numbers() {
    // Tag, number as difference, process, and what the tag says.
    let first = chunk(&[&[TIMEOUT, 5, 1], &[TIMEOUT, 4, 1]]);
    let second = chunk(&[&[DELIVER, 7, 1, 1]]);
    let definitions =
        chunk(&[&[PROCESS, 1, 1, 1, 0, 83], &[FUNCTION, 1, 3, 9], b"m\0main\x002\x000"]);
    let raw = trace::read(&[first, second, definitions]);
    let deeds: Vec<&TraceAction> = raw.entries.iter().map(|e| &e.action).collect();
    let deliver = TraceAction::Deliver { from: 1, hash: None };
    assert_eq!(deeds, [&TraceAction::Timeout, &deliver, &TraceAction::Timeout]);
    assert_eq!(raw.processes[1], RecordedProcess { pid: 83, origin: Origin::Begun });
    let function = &raw.functions[3];
    assert_eq!((function.module.as_str(), function.arity), ("m", 2));
}

#[test]
fn entries_that_may_have_gaps_are_left_out() {
    let process = [PROCESS, 1, 1, 1, 0, 83];
    let events = chunk(&[&[TIMEOUT, 5, 1], &[TIMEOUT, 5, 1], &[TIMEOUT, 5, 1]]);
    let forgotten = chunk(&[&process, &[FORGOTTEN, 2, 0, 7]]);
    let raw = trace::read(&[events.clone(), forgotten]);
    assert_eq!((raw.entries.len(), raw.lacks_beginning), (2, true));
    let stopped = chunk(&[&process, &[STOPPED, 20, 0, 12, 28]]);
    let raw = trace::read(&[events, stopped]);
    assert_eq!((raw.entries.len(), raw.stopped_by), (2, Some(28)));
}

#[test]
fn what_is_not_a_chunk_is_left_out_and_one_that_breaks_off_is_read_up_to_there() {
    let process = chunk(&[&[PROCESS, 1, 1, 1, 0, 83]]);
    let whole = chunk(&[&[TIMEOUT, 5, 1], &[DELIVER, 1, 1, 1]]);
    for length in 0..whole.len() {
        let raw = trace::read(&[process.clone(), whole[..length].to_vec(), b"something".to_vec()]);
        let expected = [11, 15].iter().filter(|end| length >= **end).count();
        assert_eq!(raw.entries.len(), expected, "{length} bytes");
    }
    // An entry of a process that nobody defined.
    assert_eq!(trace::read(&[chunk(&[&[TIMEOUT, 1, 9]])]).entries.len(), 0);
}
