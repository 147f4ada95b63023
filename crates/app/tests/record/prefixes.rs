//! A node follows the order of an execution that never was on one.

use super::{compile_once, reverl, text};
use std::path::Path;
use std::process::{Command, Output};

/// Saves what the program does in Reverl with this schedule and seed; its value.
fn saved(function: &str, schedule: &str, seed: u64, file: &str) -> String {
    let source = reverl_programs::directory().join("recorded/forced.erl");
    let (call, seed) = (format!("forced:{function}()"), seed.to_string());
    let script = super::program().join(format!("{file}.script"));
    std::fs::write(&script, format!("run\nsave {file}\n")).expect("a file");
    let source = source.to_str().expect("a name");
    let script = script.to_str().expect("a name");
    let chosen = ["--schedule", schedule, "--seed", &seed];
    let args = [&["debug", source, "-e", &call, "--script", script][..], &chosen[..]].concat();
    assert!(reverl(&args).status.success());
    let told = reverl(&["run", file, "--json"]);
    let told: serde_json::Value = serde_json::from_slice(&told.stdout).expect("JSON");
    told["main"]["result"].as_str().expect("it finishes").to_string()
}

fn followed(function: &str, order: &str, file: &str) -> Output {
    let eval = format!("io:format(\"~0p~n\", [forced:{function}()]), halt().");
    let mut command = Command::new(env!("CARGO_BIN_EXE_reverl"));
    command.current_dir(super::program()).env("LATER", "5");
    command
        .args(["record", "--prefix", order, "-o", file, "--", "erl", "-noshell", "-eval", &eval]);
    command.output().expect("reverl runs")
}

/// Whatever the execution was, the node has the same; how many different ones there were. Where
/// messages can be late, one that is overtaken is refused.
fn check_followed(function: &str, schedule: &str, seeds: std::ops::Range<u64>) -> usize {
    compile_once("forced");
    let mut values = std::collections::BTreeSet::new();
    for seed in seeds {
        let named = format!("{function}-{schedule}-{seed}.reverl");
        let (order, file) = (format!("order-{named}"), format!("run-{named}"));
        let wanted = saved(function, schedule, seed, &order);
        let run = followed(function, &order, &file);
        let said = text(&run.stderr);
        std::fs::remove_file(super::program().join(&order)).expect("it is there");
        if schedule == "random-delivery" && said.contains("is overtaken by another one") {
            continue;
        }
        std::fs::remove_file(super::program().join(&file)).expect("it is there");
        assert_eq!(text(&run.stdout).trim(), wanted, "{function} {seed}: {said}");
        assert!(said.contains("replayed exactly; messages came as in"), "{function}: {said}");
        assert!(!said.contains("departed"), "{function} {seed}: {said}");
        values.insert(wanted);
    }
    values.len()
}

// papers: 004 | 5 | a race variant forced on a real node (prefix-based tracing) | record --prefix
#[test]
fn a_node_follows_the_order_of_an_execution_that_was_saved() {
    assert!(check_followed("senders", "random", 0..6) > 2);
    assert!(check_followed("relayed", "random", 0..6) > 2);
    assert!(check_followed("named", "random", 0..4) > 1);
    assert!(check_followed("relayed", "random-delivery", 0..6) > 1);
}

#[test]
fn calls_of_servers_come_in_the_order_that_is_followed() {
    assert!(check_followed("calls", "random", 0..5) > 2);
}

#[test]
fn a_message_is_held_until_the_time_out_that_comes_before_it() {
    assert!(check_followed("timed", "random-delivery", 0..8) > 1);
}

#[test]
fn where_the_run_cannot_follow_it_goes_on_and_that_is_said() {
    compile_once("forced");
    saved("senders", "random", 3, "order-other.reverl");
    // Another function of the program: its messages are others.
    let eval = "io:format(\"~0p~n\", [forced:named()]), halt().";
    let run = reverl(&[
        "record",
        "--prefix",
        "order-other.reverl",
        "--trigger",
        "forced:named",
        "-o",
        "run-other.reverl",
        "--",
        "erl",
        "-noshell",
        "-eval",
        eval,
    ]);
    let said = text(&run.stderr);
    assert!(run.status.success(), "{said}");
    assert_eq!(text(&run.stdout).split(',').count(), 3, "it has come to its end");
    assert!(said.contains("departed"), "{said}");
}

#[test]
fn a_recording_without_messages_is_no_order() {
    compile_once("forced");
    let dir = super::program();
    let script = dir.join("order-none.script");
    std::fs::write(&script, "save order-none.reverl\n").expect("a file");
    let source = reverl_programs::directory().join("recorded/forced.erl");
    let args = ["debug", path(&source), "-e", "forced:named()", "--script", path(&script)];
    assert!(reverl(&args).status.success());
    let run = followed("named", "order-none.reverl", "run-none.reverl");
    let said = text(&run.stderr);
    assert_eq!(run.status.code(), Some(2), "{said}");
    assert!(said.contains("there is no order to follow"), "{said}");
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a name")
}
