//! What is malformed, out of order or hostile is answered with a sentence, and the adapter goes on.

use super::{Client, example};
use serde_json::{Value, json};

#[test]
fn what_is_not_a_request_is_answered_and_reading_goes_on() {
    let mut client = Client::connect();
    client.send_bytes(b"Nonsense\r\n\r\n");
    assert!(client.receive().unwrap()["message"].as_str().unwrap().contains("Content-Length"));
    for text in ["{x", "[]", "1", "{}", "{\"type\":\"event\"}", "{\"type\":\"request\",\"seq\":1}"]
    {
        client.send_raw(text);
        let answer = client.receive().unwrap();
        assert_eq!((&answer["type"], &answer["success"]), (&json!("response"), &json!(false)));
    }
    client.send_raw("{\"type\":\"response\",\"seq\":1,\"request_seq\":1}");
    assert_eq!(client.initialize()["supportsStepBack"], true);
    assert!(client.refused("initialize", json!({})).contains("before"));
}

#[test]
fn requests_out_of_order_are_refused_with_what_comes_first() {
    let mut client = Client::connect();
    assert!(client.refused("threads", json!({})).contains("'initialize' first"));
    client.initialize();
    assert!(client.refused("threads", json!({})).contains("'launch' first"));
    assert!(client.refused("attach", json!({})).contains("--dap-port"));
    assert!(client.refused("launch", json!({})).contains("say what to debug"));
    let why = client.refused("launch", json!({ "program": "/nowhere.erl" }));
    assert!(why.contains("there is no file or directory '/nowhere.erl'"), "{why}");
    let why = client.refused("launch", json!({ "program": 7 }));
    assert!(why.contains("cannot be read"), "{why}");
    client.ask("launch", json!({ "program": example("stock/stock.erl") }));
    assert!(client.refused("launch", json!({})).contains("disconnect first"));
}

/// Every request, with arguments that nobody means.
#[test]
fn no_arguments_bring_the_adapter_down() {
    let commands = [
        "setBreakpoints",
        "setFunctionBreakpoints",
        "setExceptionBreakpoints",
        "dataBreakpointInfo",
        "setDataBreakpoints",
        "breakpointLocations",
        "threads",
        "stackTrace",
        "scopes",
        "variables",
        "setVariable",
        "source",
        "loadedSources",
        "next",
        "stepIn",
        "stepOut",
        "stepBack",
        "reverseContinue",
        "continue",
        "evaluate",
        "completions",
        "exceptionInfo",
        "restartFrame",
        "gotoTargets",
        "goto",
        "cancel",
        "reverl/view",
        "reverl/do",
        "no_such_request",
    ];
    let hostile = [
        Value::Null,
        json!([]),
        json!("text"),
        json!({}),
        json!({ "threadId": -1 }),
        json!({ "threadId": 9_999_999 }),
        json!({ "frameId": -1, "variablesReference": i64::MAX }),
        json!({ "source": { "path": "\u{0}/../\u{202e}" }, "line": u32::MAX, "breakpoints": [{ "line": u32::MAX }] }),
        json!({ "expression": "1 + ", "text": "\u{1F600}", "column": 99999, "name": "[", "value": "(" }),
        json!({ "view": "term", "of": { "state": 4_000_000 }, "command": { "undo": 1 } }),
        json!({ "view": "term", "of": { "proc": 1, "level": 77, "variable": "X" }, "path": [9, 9], "command": "alone alone" }),
    ];
    let mut client = Client::at_entry(json!({ "program": example("stock/stock.erl") }));
    for command in commands {
        for arguments in &hostile {
            let seq = client.send(command, arguments.clone());
            let answer = client.answer(seq);
            assert!(answer["success"].is_boolean(), "{answer}");
            if answer["success"] == false {
                let why = answer["message"].as_str().unwrap();
                assert!(!why.contains("fault"), "{command} {arguments}: {why}");
            } else if command == "next"
                || command.starts_with("step")
                || command.ends_with("ontinue")
            {
                client.event("stopped");
            }
        }
    }
    client.ask("threads", json!({}));
}

#[test]
fn a_request_while_the_session_goes_on_is_refused_and_a_second_pause_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let text = "-export([main/0]).\nmain() -> loop(0).\nloop(N) -> loop(N + 1).\n";
    let file = super::module(dir.path(), "going", text);
    let mut client = Client::at_entry(json!({ "program": file }));
    client.ask("continue", json!({ "threadId": 2 }));
    assert!(client.refused("next", json!({ "threadId": 2 })).contains("pause it first"));
    client.ask("pause", json!({ "threadId": 2 }));
    client.event("stopped");
    client.ask("pause", json!({ "threadId": 2 }));
    client.event("stopped");
}

/// Editors ask for the scopes of a call when the session may have moved on; what a person asked for is told.
#[test]
fn only_what_a_person_asked_for_is_refused_aloud() {
    let mut client = Client::at_entry(json!({ "program": example("stock/stock.erl") }));
    let frame = client.frames(&json!(2))[0]["id"].clone();
    client.go("next", json!({ "threadId": 2 }));
    let mut is_told = |command: &str, arguments: serde_json::Value| {
        let seq = client.send(command, arguments);
        let answer = client.answer(seq);
        assert_eq!(answer["success"], false, "{answer}");
        answer["body"]["error"]["showUser"].clone()
    };
    assert_eq!(is_told("scopes", json!({ "frameId": frame })), false);
    assert_eq!(is_told("restartFrame", json!({ "frameId": frame })), true);
}
