//! Threads, calls, scopes, values, sources, expressions.

use super::{Client, example, module};
use serde_json::{Value, json};

/// A server with a record for its state, a dictionary, links and a table.
const SERVER: &str = "-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
-record(state, {count = 0, names = []}).
main() ->
    {ok, P} = gen_server:start_link({local, shelf}, ?MODULE, [], []),
    Big = lists:seq(1, 1000),
    gen_server:cast(P, {add, cheese}),
    gen_server:cast(P, {add, ham}),
    gen_server:call(P, count),
    gen_server:call(P, count),
    length(Big).
init([]) ->
    put(colour, red),
    ets:new(things, [named_table]),
    {ok, #state{}}.
handle_call(count, _From, State) ->
    {reply, State#state.count, State}.
handle_cast({add, Name}, State = #state{count = N, names = Names}) ->
    New = State#state{count = N + 1, names = [Name | Names]},
    {noreply, New}.
";

fn at_the_server() -> (tempfile::TempDir, Client, Value) {
    let dir = tempfile::tempdir().unwrap();
    let file = module(dir.path(), "shelf", SERVER);
    let mut client = Client::launched(json!({ "program": file }));
    assert_eq!(client.lines(&file, &[18])[0]["verified"], true);
    client.ask("configurationDone", json!({}));
    let thread = client.event("stopped")["threadId"].clone();
    (dir, client, thread)
}

#[test]
fn threads_are_the_processes_that_there_are_the_current_one_first() {
    let (_dir, mut client, thread) = at_the_server();
    let threads = client.ask("threads", json!({}))["threads"].clone();
    let threads = threads.as_array().unwrap();
    assert_eq!(threads[0]["id"], thread);
    let name = threads[0]["name"].as_str().unwrap();
    assert!(name.starts_with("shelf <0.") && name.contains("handle_call/3, running"), "{name}");
    assert!(threads.iter().any(|t| t["name"].as_str().unwrap().contains("waiting")));
}

#[test]
fn calls_are_paged_and_those_of_libraries_are_subdued() {
    let (_dir, mut client, thread) = at_the_server();
    let all = client.ask("stackTrace", json!({ "threadId": thread }));
    let frames = all["stackFrames"].as_array().unwrap();
    assert_eq!(all["totalFrames"].as_u64(), Some(frames.len() as u64));
    assert_eq!(frames[0]["name"], "shelf:handle_call/3");
    assert_eq!(frames[0]["source"]["name"], "shelf.erl");
    let library = frames.iter().find(|f| f["name"].as_str().unwrap().starts_with("gen_server"));
    assert_eq!(library.unwrap()["presentationHint"], "subtle");
    let page =
        client.ask("stackTrace", json!({ "threadId": thread, "startFrame": 1, "levels": 1 }));
    assert_eq!(page["stackFrames"].as_array().unwrap().len(), 1);
    assert_eq!(page["stackFrames"][0]["name"], frames[1]["name"]);
}

#[test]
fn scopes_are_variables_state_mailbox_dictionary_ties_and_tables() {
    let (_dir, mut client, thread) = at_the_server();
    let locals = client.locals(&thread);
    assert!(locals.iter().any(|v| v.starts_with("State = #state{count=2,")), "{locals:?}");
    let state = client.scope(&thread, "State");
    assert!(state.iter().any(|v| v.starts_with("count = 2")), "{state:?}");
    assert!(state.iter().any(|v| v.starts_with("names = [ham,cheese]")), "{state:?}");
    assert_eq!(client.scope(&thread, "Mailbox"), Vec::<String>::new());
    let dictionary = client.scope(&thread, "Dictionary");
    assert!(dictionary.iter().any(|v| v.contains("{colour,red}")), "{dictionary:?}");
    let ties = client.scope(&thread, "Links");
    assert!(ties[0].starts_with("links = [<0."), "{ties:?}");
    assert!(ties[2].starts_with("monitored by = [<0."), "{ties:?}");
    let tables = client.scope(&thread, "Tables");
    assert!(tables.iter().any(|v| v.contains("things")), "{tables:?}");
}

#[test]
fn messages_that_wait_are_in_the_mailbox() {
    let file = example("stock/stock.erl");
    let mut client = Client::launched(json!({ "program": file }));
    client.lines(&file, &[14]);
    client.ask("configurationDone", json!({}));
    let thread = client.event("stopped")["threadId"].clone();
    let reference = client.scope_reference(&thread, "Mailbox");
    let asked =
        json!({ "variablesReference": reference, "filter": "indexed", "start": 0, "count": 1 });
    let page = client.ask("variables", asked);
    let page = page["variables"].as_array().unwrap();
    assert_eq!(page.len(), 1, "{page:?}");
    assert!(page[0]["name"].as_str().unwrap().starts_with('#'), "{page:?}");
}

#[test]
fn big_terms_are_paged() {
    let (dir, mut client, _) = at_the_server();
    let file = dir.path().join("shelf.erl").display().to_string();
    client.lines(&file, &[11]);
    let stop = client.go("continue", json!({ "threadId": 2 }));
    let main = stop["threadId"].clone();
    let frame = client.frames(&main)[0]["id"].clone();
    let big = client
        .ask("evaluate", json!({ "expression": "Big", "frameId": frame, "context": "watch" }));
    assert_eq!(big["indexedVariables"], 1000, "{big}");
    let reference = &big["variablesReference"];
    let page =
        json!({ "variablesReference": reference, "filter": "indexed", "start": 500, "count": 3 });
    let page = client.ask("variables", page);
    let values: Vec<&str> = page["variables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v["value"].as_str().unwrap())
        .collect();
    assert_eq!(values, ["501", "502", "503"]);
}

#[test]
fn who_does_not_ask_for_pages_can_open_the_rest() {
    let dir = tempfile::tempdir().unwrap();
    let file = module(
        dir.path(),
        "big",
        "-export([main/0]).\nmain() ->\n    Big = lists:seq(1, 500),\n    length(Big).\n",
    );
    let mut client = Client::connect();
    client.ask("initialize", json!({ "adapterID": "reverl" }));
    client.ask("launch", json!({ "program": file }));
    client.event("initialized");
    client.lines(&file, &[4]);
    client.ask("configurationDone", json!({}));
    let thread = client.event("stopped")["threadId"].clone();
    let frame = client.frames(&thread)[0]["id"].clone();
    let big = client
        .ask("evaluate", json!({ "expression": "Big", "frameId": frame, "context": "hover" }));
    let mut reference = big["variablesReference"].clone();
    let mut seen = 0;
    for _ in 0..3 {
        let page = client.ask("variables", json!({ "variablesReference": reference }));
        let page = page["variables"].as_array().unwrap().clone();
        let last = page.last().unwrap();
        seen += page.iter().filter(|v| v["name"] != "…").count();
        reference = last["variablesReference"].clone();
    }
    assert_eq!(seen, 500);
}

#[test]
fn the_console_takes_every_command_and_expressions() {
    let (_dir, mut client, thread) = at_the_server();
    let frame = client.frames(&thread)[0]["id"].clone();
    let typed = |client: &mut Client, text: &str| {
        let asked = json!({ "expression": text, "frameId": frame, "context": "repl" });
        client.ask("evaluate", asked)["result"].as_str().unwrap().to_string()
    };
    assert!(typed(&mut client, "help").contains("reverse-continue"));
    assert!(typed(&mut client, "ps").contains("shelf"));
    assert_eq!(typed(&mut client, "State#state.count + 1"), "3");
    let why = client.refused("evaluate", json!({ "expression": "no such", "context": "repl" }));
    assert!(why.contains("there is no command 'no'"), "{why}");
    let why = client.refused("evaluate", json!({ "expression": "quit", "context": "repl" }));
    assert!(why.contains("the editor ends the session"), "{why}");
    let seq =
        client.send("evaluate", json!({ "expression": "reverse-step line", "context": "repl" }));
    assert_eq!(client.answer(seq)["success"], true);
    assert_eq!(client.event("stopped")["reason"], "goto");
}

#[test]
fn words_of_the_console_are_completed() {
    let (_dir, mut client, _) = at_the_server();
    let completed = |client: &mut Client, text: &str| -> Vec<String> {
        let asked = json!({ "text": text, "column": text.len() + 1 });
        let targets = client.ask("completions", asked)["targets"].clone();
        let targets = targets.as_array().unwrap().clone();
        targets.iter().map(|t| t["label"].as_str().unwrap().to_string()).collect()
    };
    assert!(completed(&mut client, "reverse-").contains(&"reverse-continue".to_string()));
    assert!(completed(&mut client, "print Sta").contains(&"State".to_string()));
}

#[test]
fn sources_that_only_the_session_has_are_read_from_it() {
    let (dir, mut client, thread) = at_the_server();
    let path = dir.path().join("shelf.erl");
    let sources = client.ask("loadedSources", json!({}))["sources"].clone();
    let has =
        |s: &Value| s["name"] == "shelf.erl" && s["path"] == json!(path.display().to_string());
    assert!(sources.as_array().unwrap().iter().any(has));
    // What is on disk now is not what runs.
    std::fs::write(&path, "-module(shelf).\n").unwrap();
    let source = client.frames(&thread)[0]["source"].clone();
    let asked = json!({ "source": source, "sourceReference": source["sourceReference"] });
    let text = client.ask("source", asked)["content"].clone();
    assert!(text.as_str().unwrap().contains("handle_cast({add, Name}"));
    assert!(client.refused("source", json!({ "sourceReference": 99999 })).contains("no source"));
}

#[test]
fn lines_with_code_are_known() {
    let (dir, mut client, _) = at_the_server();
    let path = dir.path().join("shelf.erl").display().to_string();
    let asked = json!({ "source": { "path": path }, "line": 1, "endLine": 9 });
    let lines = client.ask("breakpointLocations", asked)["breakpoints"].clone();
    let lines: Vec<u64> =
        lines.as_array().unwrap().iter().map(|b| b["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [6, 7, 8, 9]);
}

#[test]
fn another_value_opens_a_branch() {
    let (_dir, mut client, thread) = at_the_server();
    let reference = client.scope_reference(&thread, "Variables");
    let set =
        json!({ "variablesReference": reference, "name": "State", "value": "{state, 7, []}" });
    let set = client.ask("setVariable", set);
    assert_eq!(set["value"], "{state, 7, []}");
    let stop = client.event("stopped");
    assert!(stop["description"].as_str().unwrap().contains("branch"), "{stop}");
    let locals = client.locals(&thread);
    assert!(locals.iter().any(|v| v.starts_with("State = #state{count=7")), "{locals:?}");
    let why = json!({ "variablesReference": reference, "name": "State", "value": "1" });
    assert!(client.refused("setVariable", why).contains("ask for it again"));
}

#[test]
fn of_thousands_of_processes_the_first_are_shown_and_a_note_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let text = "-export([main/0]).
main() ->
    [spawn(fun() -> receive stop -> ok end end) || _ <- lists:seq(1, 700)],
    receive never -> ok end.
";
    let file = module(dir.path(), "crowd", text);
    let mut client = Client::launched(json!({ "program": file }));
    client.ask("configurationDone", json!({}));
    let stop = client.event("stopped");
    let threads = client.ask("threads", json!({}))["threads"].clone();
    let threads = threads.as_array().unwrap();
    assert_eq!(threads.len(), 500);
    assert_eq!(threads[0]["id"], stop["threadId"]);
    assert!(
        threads[499]["name"].as_str().unwrap().contains("500 of 701 processes"),
        "{}",
        threads[499]
    );
    assert!(client.event("output")["output"].as_str().unwrap().contains("'ps'"));
}

#[test]
fn a_part_of_a_servers_state_is_watched() {
    let dir = tempfile::tempdir().unwrap();
    let file = module(dir.path(), "shelf", SERVER);
    let mut client = Client::launched(json!({ "program": file }));
    client.lines(&file, &[20]);
    client.ask("configurationDone", json!({}));
    let thread = client.event("stopped")["threadId"].clone();
    let reference = client.scope_reference(&thread, "State");
    let asked = json!({ "variablesReference": reference, "name": "count" });
    let info = client.ask("dataBreakpointInfo", asked);
    assert!(info["description"].as_str().unwrap().contains("the state"), "{info}");
    let wanted = json!({ "breakpoints": [{ "dataId": info["dataId"] }] });
    let set = client.ask("setDataBreakpoints", wanted)["breakpoints"].clone();
    assert_eq!(set[0]["verified"], true, "{set}");
    client.lines(&file, &[]);
    let mut seen = vec![];
    loop {
        let stop = client.go("continue", json!({ "threadId": thread }));
        if stop["reason"] != "data breakpoint" {
            break;
        }
        let state = client.scope(&stop["threadId"], "State");
        seen.extend(state.into_iter().filter(|v| v.starts_with("count")));
    }
    assert_eq!(seen.len(), 2, "{seen:?}");
    assert!(seen[0].starts_with("count = 1") && seen[1].starts_with("count = 2"), "{seen:?}");
}
