//! How sessions begin and end: programs, tests, recordings, sessions that others have.

use super::{Client, example, module};
use crate::program_args::ProgramArgs;
use crate::ui::session_thread::Opening;
use crate::ui::worker::Worker;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

#[test]
fn only_disconnect_ends_the_connection() {
    let mut client = Client::at_entry(json!({ "program": example("stock/stock.erl") }));
    client.ask("terminate", json!({}));
    client.event("terminated");
    client.ask("disconnect", json!({}));
    assert_eq!(client.receive(), None);
}

#[test]
fn a_session_begins_again() {
    let file = example("stock/stock.erl");
    let mut client = Client::launched(json!({ "program": file }));
    client.lines(&file, &[17]);
    client.ask("configurationDone", json!({}));
    assert_eq!(client.event("stopped")["reason"], "breakpoint");
    client.ask("restart", json!({}));
    let stop = client.event("stopped");
    assert_eq!(stop["reason"], "breakpoint", "breakpoints stay");
    assert_eq!(client.top(&stop["threadId"]).1, 17);
}

#[test]
fn a_recording_is_gone_through_from_its_beginning() {
    let dir = tempfile::tempdir().unwrap();
    let recording = dir.path().join("stock.reverl").display().to_string();
    let file = example("stock/stock.erl");
    let mut client = Client::at_entry(json!({ "program": file }));
    client.go("continue", json!({ "threadId": 2 }));
    let save = format!("save {recording}");
    client.ask("evaluate", json!({ "expression": save, "context": "repl" }));
    let mut client = Client::launched(json!({ "recording": recording }));
    client.lines(&file, &[17]);
    client.ask("configurationDone", json!({}));
    let stop = client.event("stopped");
    assert_eq!(stop["reason"], "breakpoint");
    assert!(client.locals(&stop["threadId"]).contains(&"Left = 3".to_string()));
}

#[test]
fn an_editor_attaches_to_a_session_and_sees_what_others_do() {
    let args = ProgramArgs::of_files(vec![PathBuf::from(example("stock/stock.erl"))]);
    let worker = Arc::new(Worker::start(args, Opening::AtStart).unwrap());
    let mut client = Client::offered(Some(worker.clone()));
    client.initialize();
    client.ask("attach", json!({}));
    client.event("initialized");
    client.ask("configurationDone", json!({}));
    client.event("stopped");
    let action = serde_json::from_value(json!({ "command": "step 3 line" })).unwrap();
    worker.begin(action, |_| ()).unwrap();
    assert_eq!(client.event("stopped")["reason"], "goto");
    client.ask("disconnect", json!({}));
    assert_eq!(client.receive(), None);
    assert!(worker.ask(|d| d.session.steps_of(d.session.current) > 0).unwrap(), "it lives on");
}

#[test]
fn a_test_is_debugged_by_its_name() {
    let dir = tempfile::tempdir().unwrap();
    let text = "-include_lib(\"eunit/include/eunit.hrl\").\nadds_test() ->\n    X = 1 + 1,\n    ?assertEqual(3, X).\n";
    let file = module(dir.path(), "sums", text);
    let mut client = Client::launched(json!({ "program": file, "test": "sums:adds_test" }));
    client.lines(&file, &[5]);
    client.ask("configurationDone", json!({}));
    let stop = client.event("stopped");
    assert_eq!(stop["reason"], "breakpoint");
    assert!(client.locals(&stop["threadId"]).contains(&"X = 2".to_string()));
}

#[test]
fn a_program_that_reads_gets_its_line_from_the_console() {
    let dir = tempfile::tempdir().unwrap();
    let text = "-export([main/0]).\nmain() ->\n    Line = io:get_line(\"name? \"),\n    io:put_chars([\"hello \", Line]).\n";
    let file = module(dir.path(), "reads", text);
    let mut client = Client::at_entry(json!({ "program": file }));
    client.ask("continue", json!({ "threadId": 2 }));
    while !client.event("output")["output"].as_str().unwrap().contains("waits for a line") {}
    client.ask("evaluate", json!({ "expression": "Ada", "context": "repl" }));
    let (text, _) = client.output_until_stopped();
    assert!(text.contains("hello Ada"), "{text}");
}

#[test]
fn views_and_commands_of_reverl_are_there_for_extensions() {
    let mut client = Client::at_entry(json!({ "program": example("stock/stock.erl") }));
    let tree = client.ask("reverl/view", json!({ "view": "tree" }));
    assert!(tree["rows"].is_array(), "{tree}");
    let stop = client.go("reverl/do", json!({ "command": "step 2 line" }));
    assert_eq!(stop["reason"], "goto");
    assert!(client.refused("reverl/view", json!({ "view": "nothing" })).contains("no view"));
}
