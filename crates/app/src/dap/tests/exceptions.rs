//! Stops at exceptions and other failures.

use super::{Client, example, module};
use serde_json::{Value, json};

const RAISING: &str = "-export([main/0]).
main() ->
    caught(),
    spawn(fun() -> thrower() end),
    crash(list_to_atom(\"x\")).
caught() ->
    try error(first) catch error:first -> ok end.
thrower() ->
    catch throw(second).
crash(X) ->
    Y = X + 1,
    Y.
";

fn raising(filters: &[&str]) -> (tempfile::TempDir, Client) {
    let dir = tempfile::tempdir().unwrap();
    let file = module(dir.path(), "raising", RAISING);
    let mut client = Client::launched(json!({ "program": file }));
    let set = client.ask("setExceptionBreakpoints", json!({ "filters": filters }));
    for set in set["breakpoints"].as_array().unwrap() {
        assert_eq!(set["verified"], true, "{set}");
    }
    client.ask("configurationDone", json!({}));
    (dir, client)
}

/// Text and line of each stop, from the first on.
fn stops(client: &mut Client, mut stop: Value, direction: &str) -> Vec<(String, u64)> {
    let mut found = vec![];
    while stop["reason"] == "exception" {
        let text = stop["text"].as_str().unwrap_or_default().to_string();
        found.push((text, client.top(&stop["threadId"]).1));
        stop = client.go(direction, json!({ "threadId": stop["threadId"] }));
    }
    found
}

#[test]
fn exceptions_are_stopped_at_before_they_are_raised_in_both_directions() {
    let error = |text: &str, line: u64| (text.to_string(), line);
    for (filters, wanted) in [
        (vec!["error"], vec![error("error: first", 8), error("error: badarith", 12)]),
        (vec!["throw"], vec![error("throw: second", 10)]),
        (vec!["uncaught"], vec![error("error: badarith", 12)]),
        (vec!["crash"], vec![error("error: badarith", 12)]),
        (vec!["uncaught", "crash"], vec![error("error: badarith", 12)]),
        (vec!["exit"], vec![]),
    ] {
        let (_dir, mut client) = raising(&filters);
        let first = client.event("stopped");
        assert_eq!(stops(&mut client, first, "continue"), wanted, "{filters:?}");
        let last = client.go("reverseContinue", json!({ "threadId": 2 }));
        let mut back = stops(&mut client, last, "reverseContinue");
        back.reverse();
        assert_eq!(back, wanted, "{filters:?} backwards");
        let again = client.go("continue", json!({ "threadId": 2 }));
        assert_eq!(stops(&mut client, again, "continue"), wanted, "{filters:?} again");
    }
}

#[test]
fn an_exception_is_told_with_its_reason_stack_and_sentence() {
    let (_dir, mut client) = raising(&["uncaught"]);
    let stop = client.event("stopped");
    let info = client.ask("exceptionInfo", json!({ "threadId": stop["threadId"] }));
    assert_eq!(info["exceptionId"], "error: badarith");
    assert_eq!(info["breakMode"], "unhandled");
    assert!(info["details"]["stackTrace"].as_str().unwrap().contains("raising:crash/1"), "{info}");
    assert!(info["description"].as_str().unwrap().contains("crashed"), "{info}");
    let locals = client.locals(&stop["threadId"]);
    assert_eq!(locals, ["X = x"]);
    client.go("reverseContinue", json!({ "threadId": 2 }));
    assert!(client.refused("exceptionInfo", json!({ "threadId": 77 })).contains("not stopped"));
}

#[test]
fn a_condition_chooses_among_exceptions() {
    let dir = tempfile::tempdir().unwrap();
    let text =
        "-export([main/0]).\nmain() -> [f(N) || N <- [1, 2, 3]].\nf(N) ->\n    catch error(N).\n";
    let file = module(dir.path(), "several", text);
    let mut client = Client::launched(json!({ "program": file }));
    let options = json!([{ "filterId": "error", "condition": "N =:= 2" }]);
    client.ask("setExceptionBreakpoints", json!({ "filters": [], "filterOptions": options }));
    client.ask("configurationDone", json!({}));
    let stop = client.event("stopped");
    assert_eq!(stop["text"], "error: 2");
    assert_eq!(client.go("continue", json!({ "threadId": 2 }))["reason"], "pause");
}

#[test]
fn what_only_a_library_catches_is_uncaught() {
    let dir = tempfile::tempdir().unwrap();
    let text = "-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
main() ->
    {ok, P} = gen_server:start(?MODULE, [], []),
    catch gen_server:call(P, oops).
init([]) -> {ok, 0}.
handle_cast(_, S) -> {noreply, S}.
handle_call(oops, _, S) ->
    X = S + a,
    {reply, X, S}.
";
    let file = module(dir.path(), "fragile", text);
    let mut client = Client::launched(json!({ "program": file }));
    client.ask("setExceptionBreakpoints", json!({ "filters": ["uncaught", "crash"] }));
    client.ask("configurationDone", json!({}));
    let stop = client.event("stopped");
    assert_eq!((&stop["reason"], &stop["text"]), (&json!("exception"), &json!("error: badarith")));
    assert_eq!(client.top(&stop["threadId"]), ("fragile:handle_call/3".into(), 10));
    let info = client.ask("exceptionInfo", json!({ "threadId": stop["threadId"] }));
    assert_eq!(info["breakMode"], "userUnhandled");
}

#[test]
fn deadlocks_and_orphaned_messages_are_stopped_at() {
    let dir = tempfile::tempdir().unwrap();
    let text = "-export([main/0]).\nmain() ->\n    self() ! lost,\n    receive never -> ok end.\n";
    let file = module(dir.path(), "stuck", text);
    let mut client = Client::launched(json!({ "program": file }));
    client.ask("setExceptionBreakpoints", json!({ "filters": ["deadlock", "orphan"] }));
    client.ask("configurationDone", json!({}));
    let stop = client.event("stopped");
    assert_eq!((&stop["reason"], &stop["text"]), (&json!("exception"), &json!("orphan")));
    assert_eq!(client.top(&stop["threadId"]).1, 4);
    let stop = client.go("continue", json!({ "threadId": 2 }));
    assert_eq!((&stop["reason"], &stop["text"]), (&json!("exception"), &json!("forever")));
    assert_eq!(client.top(&stop["threadId"]).1, 5);
    let why = client.ask("setExceptionBreakpoints", json!({ "filters": ["no_such"] }));
    assert_eq!(why["breakpoints"][0]["verified"], false);
    let _ = example("stock/stock.erl");
}
