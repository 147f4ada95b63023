//! Recordings that are not of everything: stopped early, interrupted, or of the newest events.

use super::*;
use std::process::Child;
use std::time::{Duration, Instant};

/// A recorder that runs until it is told otherwise.
fn start_recording(file: &str, options: &[&str], eval: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reverl"));
    command.current_dir(program()).args(["record", "-o", file]).args(options).arg("--");
    command.args(ERL).arg(eval).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().expect("reverl runs")
}

fn signal(process: u32, name: &str) {
    let done = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(done.expect("kill runs").success(), "{name} {process}");
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The program ran to its end; the replay prints what it printed, up to where recording stopped.
fn check_stopped(bound: &str, value: &str, squares: usize) {
    let file = format!("stopped{bound}.reverl");
    let eval = format!("story:squares({squares}), halt().");
    let recorded = record(&file, &[bound, value], &eval);
    let said = text(&recorded.stderr);
    assert!(recorded.status.success() && said.contains("replayed exactly"), "{bound}: {said}");
    let printed = text(&recorded.stdout);
    assert_eq!(printed.lines().count(), squares + 1, "{bound}: it was disturbed");
    let replayed = text(&reverl(&["replay", &file]).stdout);
    let again = replayed.lines().take_while(|l| l.parse::<u64>().is_ok());
    let same = again.zip(printed.lines()).take_while(|(a, b)| a == b).count();
    assert!(same > 0 && same < squares, "{bound}: {same} of {squares}\n{said}\n{replayed}");
    assert!(!replayed.contains("=> "), "{bound}: it has not ended there: {replayed}");
}

#[test]
fn recording_stops_after_so_many_events() {
    check_stopped("--max-events", "500", 200);
}

#[test]
fn a_recording_is_replayed_as_far_as_it_has_room() {
    let recorded = record("full.reverl", &[], "story:squares(1500), halt().");
    assert!(text(&recorded.stderr).contains("replayed exactly"), "{}", text(&recorded.stderr));
    let replayed = reverl(&["replay", "--max-memory", "1", "full.reverl"]);
    let told = text(&replayed.stderr);
    assert!(told.contains("only the first 4095 of "), "{told}");
    assert!(told.contains("--max-memory MEGABYTES allows more"), "{told}");
    assert!(!text(&replayed.stdout).contains("=> "), "it has not ended there");
}

#[test]
fn recording_stops_after_so_many_bytes() {
    check_stopped("--max-size", "32K", 1000);
}

#[test]
fn recording_stops_after_so_many_seconds() {
    check_stopped("--max-seconds", "1", 1500);
}

#[test]
fn what_an_interrupted_recorder_left_is_recovered() {
    let mut recorder = start_recording("lost.reverl", &[], "story:slow().");
    let parts = program().join(format!("lost.parts-{}", recorder.id()));
    let node = || {
        let dirs = std::fs::read_dir(&parts).into_iter().flatten().flatten();
        let names: Vec<String> = dirs.filter_map(|e| e.file_name().into_string().ok()).collect();
        names.iter().find_map(|n| n.strip_prefix("node-")?.parse::<u32>().ok())
    };
    wait_until("the node has begun", || node().is_some());
    std::thread::sleep(Duration::from_millis(500));
    signal(recorder.id(), "-KILL");
    let _ = recorder.wait();
    // Nobody told the node.
    signal(node().expect("it was there"), "-KILL");
    let parts = parts.to_str().expect("a name");
    let recovered = reverl(&["record", "-o", "recovered.reverl", "--recover", parts]);
    let said = text(&recovered.stderr);
    assert!(recovered.status.success() && said.contains("replayed exactly"), "{said}");
    let replayed = text(&reverl(&["replay", "recovered.reverl"]).stdout);
    let printed = replayed.lines().map_while(|l| l.parse::<u64>().ok());
    let as_it_should = printed.zip(1..).take_while(|(square, n)| *square == n * n).count();
    assert!(as_it_should > 10, "{said}\n{replayed}");
}

const KEEP: &[&str] = &["--keep", "64K"];

/// It can be listed, and everything else says so.
fn check_lacks_beginning(file: &str) -> String {
    for command in ["replay", "debug", "races"] {
        let refused = reverl(&[command, file]);
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{command}: {said}");
        assert!(said.contains("only the newest events were kept (--keep)"), "{command}: {said}");
        assert!(said.contains("reverl replay --list"), "{command}: {said}");
    }
    let list = text(&reverl(&["replay", "--list", file]).stdout);
    assert!(!list.contains("begins with story:slow"), "the beginning is there");
    assert!(list.lines().count() > 100, "{list}");
    list
}

#[test]
fn the_newest_events_of_a_command_that_fails_are_kept() {
    let eval = "[story:job(5) || _ <- lists:seq(1, 2000)], story:halts().";
    let recorded = record("failed.reverl", KEEP, eval);
    let said = text(&recorded.stderr);
    assert_eq!(recorded.status.code(), Some(3), "{said}");
    assert!(said.contains("the newest ones"), "{said}");
    let list = check_lacks_beginning("failed.reverl");
    assert!(list.contains("erlang:halt/1 [3]"), "its end is missing");
    let begun = list.lines().find(|l| l.contains("begins with story:job")).expect("the last jobs");
    let pid = begun.split_whitespace().nth(1).expect("a pid");
    let own = text(&reverl(&["replay", "--list", "--process", pid, "failed.reverl"]).stdout);
    assert!(own.lines().all(|l| l.split_whitespace().nth(1) == Some(pid)), "{own}");
    assert!(own.contains("spawn ") && own.contains("deliver from "), "{own}");
}

#[test]
fn nothing_is_written_of_a_command_that_succeeds() {
    let recorded = record("succeeded.reverl", KEEP, "story:race(), halt().");
    assert!(recorded.status.success());
    assert!(text(&recorded.stderr).contains("the command succeeded"));
    assert!(!program().join("succeeded.reverl").exists());
}

#[test]
fn what_was_kept_whole_can_be_replayed() {
    let recorded = record("short.reverl", &["--keep", "64M"], "story:halts().");
    assert!(text(&recorded.stderr).contains("replayed exactly"), "{}", text(&recorded.stderr));
}

/// How many chunks of events the busiest thread of the node has begun.
fn most_chunks(parts: &Path) -> u32 {
    let inside = |dir: &Path| std::fs::read_dir(dir).into_iter().flatten().flatten();
    let nodes = inside(parts).map(|e| e.path()).filter(|p| p.is_dir());
    let files = nodes.flat_map(|node| inside(&node).collect::<Vec<_>>());
    let names = files.filter_map(|e| e.file_name().into_string().ok());
    let counts = names.filter_map(|n| n.strip_prefix('e')?.split_once('-')?.1.parse().ok());
    counts.max().unwrap_or(0)
}

#[test]
fn signals_ask_for_the_newest_events() {
    let recorder = start_recording("asked.reverl", KEEP, "story:slow().");
    let id = recorder.id();
    let parts = program().join(format!("asked.parts-{id}"));
    wait_until("old events are forgotten", || most_chunks(&parts) > 30);
    signal(id, "-USR1");
    wait_until("the first is written", || program().join("asked.reverl").exists());
    std::thread::sleep(Duration::from_millis(500));
    // As Ctrl-C: it asks once more, and the node is told as well.
    signal(id, "-INT");
    let said = text(&recorder.wait_with_output().expect("it ends").stderr);
    assert!(said.contains("'asked.reverl'") && said.contains("'asked-2.reverl'"), "{said}");
    let (first, second) = (check_lacks_beginning("asked.reverl"), "asked-2.reverl");
    assert_ne!(first, check_lacks_beginning(second), "it went on in between");
}
