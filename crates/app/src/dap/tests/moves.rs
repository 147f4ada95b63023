//! Going forward and back.

use super::{Client, example};
use serde_json::json;

fn stock() -> serde_json::Value {
    json!({ "program": example("stock/stock.erl") })
}

#[test]
fn a_breakpoint_is_met_forwards_and_backwards() {
    let file = example("stock/stock.erl");
    let mut client = Client::launched(stock());
    let set = client.lines(&file, &[17]);
    assert_eq!((&set[0]["verified"], &set[0]["line"]), (&json!(true), &json!(17)));
    client.ask("configurationDone", json!({}));
    let stop = client.event("stopped");
    assert_eq!((&stop["reason"], &stop["allThreadsStopped"]), (&json!("breakpoint"), &json!(true)));
    assert_eq!(stop["hitBreakpointIds"], json!([set[0]["id"]]));
    let thread = stop["threadId"].clone();
    assert_eq!(client.top(&thread), ("stock:server/1".into(), 17));
    assert!(client.locals(&thread).contains(&"Left = 3".to_string()));
    let next = client.go("next", json!({ "threadId": thread }));
    assert_eq!(next["reason"], "step");
    assert_eq!(client.top(&thread), ("stock:server/1".into(), 18));
    client.go("stepBack", json!({ "threadId": thread }));
    assert_eq!(client.top(&thread), ("stock:server/1".into(), 17));
    // The breakpoint at which it stands is not before it.
    let back = client.go("reverseContinue", json!({ "threadId": thread }));
    assert_eq!(back["reason"], "entry", "no breakpoint comes before: {back}");
    client.go("continue", json!({ "threadId": thread }));
    client.go("stepBack", json!({ "threadId": thread }));
    assert_eq!(client.top(&thread), ("stock:server/1".into(), 16));
    let back = client.go("reverseContinue", json!({ "threadId": thread }));
    assert_eq!(back["reason"], "entry", "no breakpoint comes before: {back}");
    let forth = client.go("continue", json!({ "threadId": thread }));
    assert_eq!(forth["reason"], "breakpoint");
}

#[test]
fn at_either_end_of_time_the_session_stands_still_and_lives_on() {
    let mut client = Client::at_entry(stock());
    let end = client.go("continue", json!({ "threadId": 2 }));
    assert_eq!(end["reason"], "pause");
    assert!(end["description"].as_str().unwrap().starts_with("The end"), "{end}");
    let again = client.go("continue", json!({ "threadId": 2 }));
    assert!(again["description"].as_str().unwrap().starts_with("The end"), "{again}");
    let start = client.go("reverseContinue", json!({ "threadId": 2 }));
    assert_eq!(start["reason"], "entry");
    let start = client.go("reverseContinue", json!({ "threadId": 2 }));
    assert_eq!(start["reason"], "entry");
    assert!(client.refused("stepBack", json!({ "threadId": 2 })).contains("no other line"));
    client.go("next", json!({ "threadId": 2 }));
}

#[test]
fn what_the_program_prints_comes_once_and_before_the_stop() {
    let mut client = Client::at_entry(stock());
    client.ask("continue", json!({ "threadId": 2 }));
    let (text, _) = client.output_until_stopped();
    assert_eq!(text, "Stock: 3\n");
    client.go("reverseContinue", json!({ "threadId": 2 }));
    client.ask("continue", json!({ "threadId": 2 }));
    let (text, _) = client.output_until_stopped();
    assert_eq!(text, "");
}

#[test]
fn steps_go_into_calls_and_out_of_them_and_can_be_as_fine_as_a_reduction() {
    let mut client = Client::at_entry(stock());
    let thread = json!(2);
    client.go("stepIn", json!({ "threadId": thread }));
    let (_, line) = client.top(&thread);
    client.go("next", json!({ "threadId": thread }));
    assert!(client.top(&thread).1 > line);
    let before = client.top(&thread);
    client.go("next", json!({ "threadId": thread, "granularity": "instruction" }));
    client.go("stepBack", json!({ "threadId": thread, "granularity": "instruction" }));
    assert_eq!(client.top(&thread), before);
    let out = client.go("stepOut", json!({ "threadId": thread }));
    assert!(out["description"].as_str().unwrap().starts_with("The end"), "{out}");
}

#[test]
fn a_process_that_cannot_go_back_alone_is_refused_with_what_stands_in_the_way() {
    let file = example("stock/stock.erl");
    let mut client = Client::launched(stock());
    client.lines(&file, &[27]);
    client.ask("configurationDone", json!({}));
    // The buyer has its answer, which the server has sent.
    let stop = client.event("stopped");
    let buyer = stop["threadId"].clone();
    assert_eq!(client.top(&buyer).1, 27);
    let alone = json!({ "threadId": 2, "singleThread": true });
    let stayed = client.go("reverseContinue", alone.clone());
    let said = stayed["description"].as_str().unwrap_or_default();
    assert!(said.starts_with("No breakpoint of this process"), "{stayed}");
    // Without breakpoints it would go to its beginning.
    client.lines(&file, &[]);
    let why = client.refused("reverseContinue", alone);
    assert!(why.contains("not alone") && why.contains("stands in the way"), "{why}");
    client.lines(&file, &[27]);
    assert_eq!(client.top(&buyer).1, 27, "nothing has moved");
    client.go("stepBack", json!({ "threadId": buyer, "singleThread": true }));
    assert!(client.top(&buyer).1 < 27);
    // With its consequences it goes, and the client is told who has moved.
    client.go("continue", json!({ "threadId": buyer }));
    client.ask("evaluate", json!({ "expression": "process P", "context": "repl" }));
    client.event("stopped");
    client.ask("evaluate", json!({ "expression": "undo receive #84.2", "context": "repl" }));
    client.event("stopped");
    client.event("invalidated");
}

#[test]
fn a_frame_is_restarted_by_going_back_to_its_call() {
    let file = example("stock/stock.erl");
    let mut client = Client::launched(stock());
    client.lines(&file, &[27]);
    client.ask("configurationDone", json!({}));
    let thread = client.event("stopped")["threadId"].clone();
    let frames = client.frames(&thread);
    assert_eq!(frames[0]["name"], "stock:buyer/1");
    let stop = client.go("restartFrame", json!({ "frameId": frames[0]["id"] }));
    assert_eq!(stop["threadId"], thread);
    assert!(client.top(&thread).1 < 25, "{:?}", client.top(&thread));
}

#[test]
fn a_line_can_be_gone_to_each_time_it_was_executed() {
    let file = example("stock/stock.erl");
    let mut client = Client::at_entry(stock());
    client.go("continue", json!({ "threadId": 2 }));
    let source = json!({ "path": file });
    let targets = client.ask("gotoTargets", json!({ "source": source, "line": 14 }));
    let targets = targets["targets"].as_array().unwrap().clone();
    assert!(targets.len() > 1, "{targets:?}");
    let stop = client.go("goto", json!({ "threadId": 1, "targetId": targets[0]["id"] }));
    assert_eq!(stop["reason"], "goto");
    assert_eq!(client.top(&stop["threadId"]), ("stock:server/1".into(), 14));
    let why = client.refused("goto", json!({ "threadId": 1, "targetId": targets[1]["id"] }));
    assert!(why.contains("ask for it again"), "{why}");
}

#[test]
fn a_run_without_end_is_paused_and_cancelled() {
    let dir = tempfile::tempdir().unwrap();
    let text = "-export([main/0]).\nmain() -> loop(0).\nloop(N) -> loop(N + 1).\n";
    let file = super::module(dir.path(), "forever", text);
    let mut client = Client::at_entry(json!({ "program": file }));
    client.ask("continue", json!({ "threadId": 2 }));
    // Breakpoints can be set while it runs.
    assert_eq!(client.lines(&file, &[3])[0]["verified"], true);
    client.ask("pause", json!({ "threadId": 2 }));
    assert_eq!(client.event("stopped")["reason"], "pause");
    assert_eq!(client.top(&json!(2)).0, "forever:loop/1");
    client.ask("continue", json!({ "threadId": 2 }));
    let progress = client.event("progressStart")["progressId"].clone();
    client.ask("cancel", json!({ "progressId": progress }));
    assert_eq!(client.event("stopped")["reason"], "pause");
    client.ask("threads", json!({}));
}

#[test]
fn steps_stay_in_the_programs_own_code_unless_all_is_wanted() {
    if reverl_lang::project::otp_lib().is_none() {
        return eprintln!("left out: it needs an OTP");
    }
    let file = example("bank/bank.erl");
    let text = std::fs::read_to_string(&file).expect("the example");
    let line = text.lines().position(|line| line.contains("gen_server:call")).expect("a call") + 1;
    for (just_my_code, file_of_step) in [(true, "bank:"), (false, "gen_server:")] {
        let mut config = json!({ "program": file.clone() });
        config["justMyCode"] = just_my_code.into();
        let mut client = Client::launched(config);
        client.lines(&file, &[line as u32]);
        client.ask("configurationDone", json!({}));
        let thread = client.event("stopped")["threadId"].clone();
        client.lines(&file, &[]);
        client.go("stepIn", json!({ "threadId": thread }));
        let (function, _) = client.top(&thread);
        assert!(function.starts_with(file_of_step), "{just_my_code}: {function}");
    }
}
