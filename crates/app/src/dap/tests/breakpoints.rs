//! Breakpoints of every kind, in both directions.

use super::{Client, example, module};
use serde_json::{Value, json};

const COUNTER: &str = "-export([main/0]).
main() -> count(1, 0).
count(10, Sum) -> Sum;
count(N, Sum) ->
    Next = Sum + N,
    count(N + 1, Next).
";

fn counter() -> (tempfile::TempDir, Client, String) {
    let dir = tempfile::tempdir().unwrap();
    let file = module(dir.path(), "counter", COUNTER);
    let client = Client::launched(json!({ "program": file }));
    (dir, client, file)
}

/// The value of `N` at each stop until the end.
fn stops(client: &mut Client, direction: &str) -> Vec<String> {
    let mut found = vec![];
    loop {
        let stop = client.go(direction, json!({ "threadId": 2 }));
        if stop["reason"] == "entry" || stop["reason"] == "pause" {
            return found;
        }
        let locals = client.locals(&stop["threadId"]);
        found.extend(locals.into_iter().filter(|v| v.starts_with("N = ")));
    }
}

fn begin(client: &mut Client, path: &str, breakpoint: Value) -> Vec<String> {
    let set = client.breakpoints(path, json!([breakpoint]));
    assert_eq!(set[0]["verified"], true, "{set:?}");
    client.ask("configurationDone", json!({}));
    let stop = client.event("stopped");
    let locals = client.locals(&stop["threadId"]);
    locals.into_iter().filter(|v| v.starts_with("N = ")).collect()
}

#[test]
fn conditions_and_hit_counts_are_the_same_in_both_directions() {
    for (breakpoint, wanted) in [
        (json!({ "line": 6, "condition": "N > 7" }), vec!["N = 8", "N = 9"]),
        (json!({ "line": 6, "hitCondition": "3" }), vec!["N = 3"]),
        (json!({ "line": 6, "hitCondition": ">= 8" }), vec!["N = 8", "N = 9"]),
        (json!({ "line": 6, "hitCondition": "% 4" }), vec!["N = 4", "N = 8"]),
    ] {
        let (_dir, mut client, file) = counter();
        let mut forth = begin(&mut client, &file, breakpoint.clone());
        forth.extend(stops(&mut client, "continue"));
        assert_eq!(forth, wanted, "{breakpoint}");
        let back: Vec<String> = stops(&mut client, "reverseContinue").into_iter().rev().collect();
        assert_eq!(back, wanted, "{breakpoint} backwards");
        // Now along what is known.
        assert_eq!(stops(&mut client, "continue"), wanted, "{breakpoint} again");
    }
}

#[test]
fn a_log_point_tells_all_that_has_happened_at_once_and_what_comes_when_it_comes() {
    let (_dir, mut client, file) = counter();
    client.breakpoints(&file, json!([{ "line": 6, "logMessage": "N is {N}, {{N, Sum}}" }]));
    client.ask("configurationDone", json!({}));
    let (text, _) = client.output_until_stopped();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 9, "{text}");
    assert!(lines[2].ends_with("N is 3, {3,3}"), "{text}");
    // Set after the fact, it tells the past.
    client.breakpoints(&file, json!([{ "line": 6, "logMessage": "later {Next}" }]));
    for _ in 0..9 {
        assert!(client.event("output")["output"].as_str().unwrap().contains("later "));
    }
}

#[test]
fn a_breakpoint_that_cannot_be_hit_says_why() {
    let (_dir, mut client, file) = counter();
    let set = client.breakpoints(
        &file,
        json!([
            { "line": 1 }, { "line": 5, "condition": "N >" }, { "line": 5, "hitCondition": "often" },
        ]),
    );
    for (set, why) in set.iter().zip(["there is no code", "cannot be a condition", "count hits"]) {
        assert_eq!(set["verified"], false, "{set}");
        assert!(set["message"].as_str().unwrap().contains(why), "{set}");
    }
    let set = client.lines("/nowhere/else.erl", &[1]);
    assert!(set[0]["message"].as_str().unwrap().contains("not a source of this program"));
}

#[test]
fn functions_and_messages_that_match_are_stopped_at() {
    let (_dir, mut client, _) = counter();
    let wanted = json!({ "breakpoints": [{ "name": "counter:count/2", "condition": "true" }, { "name": "no_such" }] });
    let set = client.ask("setFunctionBreakpoints", wanted)["breakpoints"].clone();
    assert_eq!(set[0]["verified"], true, "{set}");
    assert_eq!(set[1]["verified"], false, "{set}");
    client.ask("configurationDone", json!({}));
    assert_eq!(client.event("stopped")["reason"], "function breakpoint");
    let mut client = Client::launched(json!({ "program": example("stock/stock.erl") }));
    let wanted = json!({ "breakpoints": [{ "name": "receive {del, _, _}" }] });
    client.ask("setFunctionBreakpoints", wanted);
    client.ask("configurationDone", json!({}));
    let stop = client.event("stopped");
    assert_eq!(stop["text"], "receive '{del, _, _}'");
    client.ask("setFunctionBreakpoints", json!({ "breakpoints": [] }));
    let end = client.go("continue", json!({ "threadId": 2 }));
    assert_eq!(end["reason"], "pause");
}

#[test]
fn a_variable_is_watched_in_both_directions() {
    let (_dir, mut client, file) = counter();
    begin(&mut client, &file, json!({ "line": 5 }));
    let reference = client.scope_reference(&json!(2), "Variables");
    let asked = json!({ "variablesReference": reference, "name": "Sum" });
    let info = client.ask("dataBreakpointInfo", asked);
    let wanted = json!({ "breakpoints": [{ "dataId": info["dataId"] }, { "dataId": "nonsense" }] });
    let set = client.ask("setDataBreakpoints", wanted)["breakpoints"].clone();
    assert_eq!((&set[0]["verified"], &set[1]["verified"]), (&json!(true), &json!(false)), "{set}");
    client.lines(&file, &[]);
    let stop = client.go("continue", json!({ "threadId": 2 }));
    assert_eq!(stop["reason"], "data breakpoint", "{stop}");
    assert!(client.locals(&json!(2)).contains(&"Sum = 1".to_string()));
    client.go("continue", json!({ "threadId": 2 }));
    assert!(client.locals(&json!(2)).contains(&"Sum = 3".to_string()));
    client.go("reverseContinue", json!({ "threadId": 2 }));
    assert!(client.locals(&json!(2)).contains(&"Sum = 1".to_string()));
}
