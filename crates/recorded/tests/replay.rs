//! Recordings that are written by hand: what the replay makes of them, and where it departs.

use reverl_causal::NoOutside;
use reverl_machine::Program;
use reverl_programs::Texts;
use reverl_recorded::parts::{
    FunctionRole, NodeRecording, Origin, RecordedProcess, RecordedValue, TermBytes, TraceAction,
    TraceEntry, TracedFunction,
};
use reverl_recorded::replay::{ReplayOutcome, replay};
use reverl_term::{Term, etf};

fn bytes(term: &Term) -> TermBytes {
    etf::encode(term, &etf::EncodeOptions::default()).into()
}

fn atom(name: &str) -> Term {
    Term::atom_named(name)
}

const MAIN: u32 = 1;
const CLOCK: u32 = 2;

fn function(module: &str, name: &str, role: FunctionRole) -> TracedFunction {
    TracedFunction { module: module.into(), name: name.into(), arity: 0, role }
}

/// A recording of `m:main()`. RecordedProcess 1 makes the call, the others are its children.
fn recorded(children: u32, deeds: Vec<(u32, TraceAction)>) -> NodeRecording {
    let nobody = RecordedProcess { pid: 0, origin: Origin::Outside };
    let main = RecordedProcess { pid: 83, origin: Origin::Begun };
    let child = |n: u32| RecordedProcess { pid: 83 + u64::from(n), origin: Origin::Spawned(1) };
    let begin = TraceAction::Begin { function: MAIN, args: bytes(&Term::nil()) };
    let entries = [(1, begin)].into_iter().chain(deeds);
    NodeRecording {
        level: "exact".into(),
        functions: vec![
            function("", "", FunctionRole::Loading),
            function("m", "main", FunctionRole::Trigger),
            function("erlang", "monotonic_time", FunctionRole::Input),
        ],
        processes: [nobody, main].into_iter().chain((1..=children).map(child)).collect(),
        entries: entries.map(|(proc, action)| TraceEntry { proc, action }).collect(),
        ..NodeRecording::default()
    }
}

fn replayed(text: &str, recorded: &NodeRecording) -> ReplayOutcome {
    let loader = Box::new(Texts::default().with(text));
    replay(recorded, loader, Box::new(NoOutside), Program::new()).expect("it can be replayed")
}

fn module(body: &str) -> String {
    format!("-module(m).\n-export([main/0]).\nmain() ->\n{body}.\n")
}

fn tuple(parts: [Term; 2]) -> Term {
    Term::tuple(parts.to_vec())
}

fn time(n: i64) -> TraceAction {
    TraceAction::Result { function: CLOCK, value: Box::new(RecordedValue::Int(n)) }
}

#[test]
fn inputs_are_what_they_were() {
    let text = module("{erlang:monotonic_time(), erlang:monotonic_time()}");
    let result = tuple([Term::int(42), Term::int(-7)]);
    let deeds = vec![(1, time(42)), (1, time(-7)), (1, TraceAction::Return(bytes(&result)))];
    let replayed = replayed(&text, &recorded(0, deeds));
    assert_eq!(replayed.divergence, None);
    assert_eq!(replayed.entries, 4);
}

const RACE: &str = "Me = self(),\n    A = spawn(fun() -> Me ! {a, self()} end),\n    \
    B = spawn(fun() -> Me ! {b, self()} end),\n    \
    First = receive {X, _} -> X end,\n    Second = receive {Y, _} -> Y end,\n    \
    {A, B},\n    {First, Second}";

/// The child with this number came first.
fn race(first: u32, second: u32, result: Term) -> NodeRecording {
    let exit = || TraceAction::Exit(bytes(&atom("normal")));
    let deeds = vec![
        (1, TraceAction::Spawn(2)),
        (1, TraceAction::Spawn(3)),
        (1, TraceAction::Deliver { from: first, hash: None }),
        (1, TraceAction::Deliver { from: second, hash: None }),
        (2, exit()),
        (3, exit()),
        (1, TraceAction::Consume { from: first }),
        (1, TraceAction::Consume { from: second }),
        (1, TraceAction::Return(bytes(&result))),
    ];
    recorded(2, deeds)
}

#[test]
fn messages_come_in_the_order_in_which_they_came() {
    for (first, second, result) in [(2, 3, ["a", "b"]), (3, 2, ["b", "a"])] {
        let result = tuple(result.map(atom));
        let replayed = replayed(&module(RACE), &race(first, second, result));
        assert_eq!(replayed.divergence, None, "{first} before {second}");
    }
}

#[test]
fn a_value_that_is_not_the_recorded_one_is_a_departure() {
    let wrong = race(2, 3, tuple(["b", "a"].map(atom)));
    let departed = replayed(&module(RACE), &wrong).divergence.expect("it departs");
    assert_eq!((departed.event, departed.pid.as_str()), (10, "<0.83.0>"));
    assert!(departed.recorded.contains("{b,a}"), "{departed}");
    assert!(departed.computed.contains("{a,b}"), "{departed}");
}

#[test]
fn another_program_than_the_recorded_one_is_a_departure() {
    let recorded = race(2, 3, tuple(["a", "b"].map(atom)));
    let departed = replayed(&module("ok"), &recorded).divergence.expect("it departs");
    assert_eq!(departed.event, 2, "{departed}");
}

#[test]
fn a_time_out_is_recorded_and_so_is_a_message_that_came_in_time() {
    let text = module("receive after 10 -> late end");
    let deeds = vec![(1, TraceAction::Timeout), (1, TraceAction::Return(bytes(&atom("late"))))];
    assert_eq!(replayed(&text, &recorded(0, deeds)).divergence, None);
    let text = module("receive hello -> came after 10 -> late end");
    let hello = TraceAction::DeliverTerm { from: None, message: bytes(&atom("hello")) };
    let deeds = vec![(1, hello), (1, TraceAction::Return(bytes(&atom("came"))))];
    assert_eq!(replayed(&text, &recorded(0, deeds)).divergence, None);
}

#[test]
fn a_recording_that_breaks_off_is_replayed_up_to_there() {
    let whole = race(2, 3, tuple(["a", "b"].map(atom)));
    for length in 1..whole.entries.len() {
        let cut = NodeRecording { entries: whole.entries[..length].to_vec(), ..whole.clone() };
        let replayed = replayed(&module(RACE), &cut);
        assert_eq!(replayed.divergence, None, "{length} entries");
        assert_eq!(replayed.entries, length);
    }
}

#[test]
fn the_newest_events_alone_are_not_replayed() {
    let recorded = NodeRecording { lacks_beginning: true, ..recorded(0, vec![]) };
    let loader = Box::new(Texts::default());
    let refused = replay(&recorded, loader, Box::new(NoOutside), Program::new());
    assert!(refused.is_err_and(|why| why.contains("--list")));
}

#[test]
fn what_a_spawned_process_computes_is_checked_too() {
    let text = module("spawn(fun() -> exit({my, reason}) end), ok");
    let deeds = |reason: Term| {
        let exit = TraceAction::Exit(bytes(&reason));
        let returned = TraceAction::Return(bytes(&atom("ok")));
        vec![(1, TraceAction::Spawn(2)), (1, returned), (2, exit)]
    };
    let right = tuple([atom("my"), atom("reason")]);
    assert_eq!(replayed(&text, &recorded(1, deeds(right))).divergence, None);
    let departed = replayed(&text, &recorded(1, deeds(atom("other")))).divergence;
    assert_eq!(departed.map(|d| d.pid), Some("<0.84.0>".into()));
}
