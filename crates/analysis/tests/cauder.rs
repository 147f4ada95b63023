//! Logs of CauDEr's tracer: both of its forms are read, the program follows them, and what is
//! written is read back as the same execution.

use reverl_analysis::cauder::{CauderLog, Extent, LogEntry, export, follow, import};
use reverl_causal::schedule::{Preference, Random};
use reverl_causal::{ActionKind, Cut, SignalId, System};
use reverl_programs::{Length, Program};

fn files(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(n, t)| (n.to_string(), t.to_string())).collect()
}

// papers: 000 | 5 | logs of both forms open | run PROGRAM LOGDIR
#[test]
fn both_forms_of_a_log_say_the_same() {
    let new = files(&[
        (
            "trace_result.log",
            "{call,{proxy,main,[]}}.\n{comp,\"x\"}.\n{node,n@h}.\n{pid,71}.\n{return,{value,42}}.\n{tracing,success}.\n",
        ),
        (
            "trace_71.log",
            "{trace_spawn,n@h,73,true}.\n{trace_spawn,n@h,74,true}.\n{trace_send,1}.\n{trace_send,2}.\n{trace_receive,4}.\n",
        ),
        ("trace_73.log", "{trace_receive,3}.\n{trace_receive,2}.\n{trace_send,4}.\n"),
        ("trace_74.log", "{trace_receive,1}.\n{trace_send,3}.\n"),
    ]);
    let old = files(&[
        ("trace_result.log", "call \"proxy:main()\"\nmain_pid 71\nresult 42\n"),
        (
            "trace_71.log",
            "{71,spawn,73}\n{71,spawn,74}\n{71,send,1}\n{71,send,2}\n{71,'receive',4}\n",
        ),
        ("trace_73.log", "{73,'receive',3}\n{73,'receive',2}\n{73,send,4}\n"),
        ("trace_74.log", "{74,'receive',1}\n{74,send,3}\n"),
    ]);
    let (new, old) = (import(&new).expect("read"), import(&old).expect("read"));
    assert_eq!(new.call, "proxy:main()");
    assert_eq!((&new.call, &new.entries), (&old.call, &old.entries));
    assert_eq!((new.result.as_deref(), old.result.as_deref()), (Some("42"), Some("42")));
    assert_eq!(new.entries.values().map(Vec::len).sum::<usize>(), 10);
}

#[test]
fn a_log_that_is_none_says_why() {
    assert!(import(&files(&[])).is_err_and(|e| e.contains("trace_result.log")));
    let unsent = files(&[
        ("trace_result.log", "call \"m:f()\"\nmain_pid 1\n"),
        ("trace_1.log", "{1,'receive',9}\n"),
    ]);
    assert!(import(&unsent).is_err_and(|e| e.contains("never sent")));
}

/// What a log says of values is text: pids, references and funs cannot be read.
#[test]
fn values_that_cannot_be_read_stay_text() {
    for (value, text) in [
        ("<0.86.0>", "<0.86.0>"),
        ("#Ref<0.1.2.3>", "#Ref<0.1.2.3>"),
        ("{ok,#Fun<m.0.1>}", "{ok,#Fun<m.0.1>}"),
        ("[a,\n b]", "[a,b]"),
    ] {
        let result = format!("{{call,{{m,f,[]}}}}.\n{{pid,1}}.\n{{return,{{value,{value}}}}}.\n");
        let log = import(&files(&[("trace_result.log", &result), ("trace_1.log", "")]));
        assert_eq!(log.expect("read").result.as_deref(), Some(text));
    }
}

// papers: 004 | 3.2 | a log is a prefix of an execution | run PROGRAM LOGDIR
#[test]
fn a_line_that_breaks_off_is_the_end_of_a_prefix() {
    let log = import(&files(&[
        ("trace_result.log", "{call,{m,f,[]}}.\n{pid,1}.\n{return,none}.\n{tracing,timeout}.\n"),
        ("trace_1.log", "{trace_spawn,n@h,2,true}.\n{trace_send,0}.\n{trace_rece"),
        ("trace_2.log", "{trace_receive,0}.\n{trace_receive,7}.\n{trace_send,1}.\n"),
    ]));
    let log = log.expect("read");
    assert_eq!(log.extent, Extent::Prefix);
    assert_eq!(log.entries[&1], [LogEntry::Spawn(2), LogEntry::Send(0)]);
    assert_eq!(log.entries[&2], [LogEntry::Receive(0)], "message 7 was not sent in this prefix");
}

const LENGTH: Length = Length { events: 120, steps: 20_000 };

/// Written, read and followed, an execution is the same up to what a log does not have.
fn comes_back(program: &Program, system: &System, cut: &Cut) -> Option<()> {
    let log = export(system, cut, "m:f(1, a)", Some("ok".into()));
    let read = import(&log.files()).unwrap_or_else(|why| panic!("{program}: {why}"));
    assert_eq!((&read.entries, &*read.call), (&log.entries, "m:f(1, a)"), "{program}");
    let followed = follow(&system.beginning(), &read, 1_000_000, &|_| true)?;
    let again = export(&followed, &Cut::end(followed.execution()), "m:f(1, a)", None);
    let shape = |log: &CauderLog| {
        let kinds =
            log.entries.values().map(|entries| entries.iter().map(kind).collect::<String>());
        kinds.collect::<Vec<_>>()
    };
    let (mut was, mut is) = (shape(&log), shape(&again));
    was.sort();
    is.sort();
    assert_eq!(was, is, "{program}");
    Some(())
}

fn kind(entry: &LogEntry) -> char {
    match entry {
        LogEntry::Spawn(_) => 'p',
        LogEntry::Send(_) => 's',
        LogEntry::Receive(_) => 'r',
    }
}

/// Whether a log says all that can make a difference: processes spawn, send and receive, and time
/// out, but share nothing else.
fn can_be_said(system: &System) -> bool {
    let execution = system.execution();
    execution.ids().filter(|p| !execution.proc(*p).is_system).all(|proc| {
        let p = execution.proc(proc);
        let plain = |id: SignalId| execution.kind(id).is_message();
        let spawns = |i: usize| {
            let parent = Some((proc, i as u32));
            execution.ids().any(|child| execution.proc(child).parent == parent)
        };
        p.actions.iter().enumerate().all(|(i, action)| match action.what() {
            ActionKind::Receive(id) => plain(id) && !execution.proc(id.from).is_system,
            ActionKind::Request(_) => spawns(i),
            _ => true,
        }) && (0..p.signals.len() as u32).all(|k| plain(SignalId { from: proc, k }))
    })
}

// papers: 004 | Def. 3 | logs as sequences of spawn, send and receive, written and followed | export --what cauder-log
#[test]
fn an_execution_that_is_written_is_read_back_and_followed() {
    let (mut whole, mut prefixes) = (vec![], 0);
    for program in reverl_programs::all() {
        for seed in 0..2 {
            let mut system = program.system();
            reverl_programs::go_on(
                &mut system,
                &mut Random::new(seed, Preference::None, true),
                LENGTH,
            );
            if !can_be_said(&system) || system.execution().event_count() < 4 {
                continue;
            }
            let end = Cut::end(system.execution());
            comes_back(program, &system, &end).unwrap_or_else(|| panic!("{program}: whole"));
            whole.push(program.name());
            let middle = system.execution().event(system.execution().event_count() / 2);
            let middle = Cut::before(system.execution(), middle.expect("there are more"));
            comes_back(program, &system, &middle).unwrap_or_else(|| panic!("{program}: prefix"));
            prefixes += 1;
        }
    }
    eprintln!("{} whole logs, {prefixes} prefixes", whole.len());
    assert!(whole.len() > 30 && prefixes > 30, "{whole:?}");
}
