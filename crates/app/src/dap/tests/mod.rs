//! Dialogues with the adapter over an in-memory transport, as an editor would lead them.
//!
//! `DAP_TRANSCRIPTS=DIR` keeps every message, so that `scripts/test-editors` can hold them against
//! the protocol's published definition.

mod breakpoints;
mod exceptions;
mod looks;
mod moves;
mod refusals;
mod sessions;

use super::adapter;
use crate::ui::worker::Worker;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Much longer than anything takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The editor's end.
pub struct Client {
    out: UnixStream,
    input: BufReader<UnixStream>,
    seq: i64,
    /// Events that nobody has waited for yet.
    events: VecDeque<Value>,
    transcript: Vec<Value>,
    begun: std::time::Instant,
}

pub fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    std::fs::canonicalize(root.join(name)).expect(name).display().to_string()
}

/// A module of its own for a test.
pub fn module(dir: &Path, name: &str, text: &str) -> String {
    let path = dir.join(format!("{name}.erl"));
    std::fs::write(&path, format!("-module({name}).\n{text}")).expect("written");
    path.display().to_string()
}

impl Client {
    pub fn connect() -> Client {
        Client::offered(None)
    }

    /// To a server that has a session.
    pub fn offered(worker: Option<Arc<Worker>>) -> Client {
        let (ours, theirs) = UnixStream::pair().expect("a pair");
        ours.set_read_timeout(Some(PATIENCE)).expect("set");
        let input = BufReader::new(ours.try_clone().expect("cloned"));
        std::thread::spawn(move || {
            let (input, out) = (theirs.try_clone(), theirs.try_clone());
            let (input, out) = (input.expect("cloned"), out.expect("cloned"));
            adapter::serve(BufReader::new(input), Box::new(out), worker);
            let _ = theirs.shutdown(std::net::Shutdown::Both);
        });
        let (events, begun) = (VecDeque::new(), std::time::Instant::now());
        Client { out: ours, input, seq: 0, events, transcript: vec![], begun }
    }

    /// After `initialize`, as an editor that can do everything.
    pub fn ready() -> Client {
        let mut client = Client::connect();
        client.initialize();
        client
    }

    pub fn initialize(&mut self) -> Value {
        self.ask(
            "initialize",
            json!({
                "adapterID": "reverl", "supportsInvalidatedEvent": true,
                "supportsProgressReporting": true, "supportsVariablePaging": true,
            }),
        )
    }

    /// A program that is about to begin.
    pub fn launched(config: Value) -> Client {
        let mut client = Client::ready();
        client.ask("launch", config);
        client.event("initialized");
        client
    }

    /// A program at its very beginning.
    pub fn at_entry(mut config: Value) -> Client {
        config["stopOnEntry"] = true.into();
        let mut client = Client::launched(config);
        client.ask("configurationDone", json!({}));
        assert_eq!(client.event("stopped")["reason"], "entry");
        client
    }

    pub fn send_raw(&mut self, text: &str) {
        write!(self.out, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("sent");
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.out.write_all(bytes).expect("sent");
    }

    /// Sends a request and does not wait for its answer.
    pub fn send(&mut self, command: &str, arguments: Value) -> i64 {
        self.seq += 1;
        let message = json!({
            "seq": self.seq, "type": "request", "command": command, "arguments": arguments,
        });
        self.transcript.push(message.clone());
        self.send_raw(&message.to_string());
        self.seq
    }

    /// The next message; none when the adapter has left.
    pub fn receive(&mut self) -> Option<Value> {
        assert!(self.begun.elapsed() < PATIENCE, "this takes too long; so far:\n{}", self.told());
        match super::transport::read(&mut self.input) {
            super::transport::Received::Message(message) => {
                self.transcript.push(message.clone());
                Some(message)
            }
            super::transport::Received::End(None) => None,
            other => panic!("the adapter sent {other:?}; so far:\n{}", self.told()),
        }
    }

    fn told(&self) -> String {
        let last = self.transcript.iter().rev().take(12).rev();
        last.map(|message| message.to_string()).collect::<Vec<_>>().join("\n")
    }

    /// The answer to a request that was sent.
    pub fn answer(&mut self, seq: i64) -> Value {
        loop {
            let message = self.receive().expect("an answer");
            match message["type"] == "response" {
                true if message["request_seq"] == seq => return message,
                true => panic!("an answer to another request: {message}"),
                false => self.events.push_back(message),
            }
        }
    }

    /// The body of the answer; it must be a success.
    pub fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let seq = self.send(command, arguments);
        let answer = self.answer(seq);
        assert_eq!(answer["success"], true, "{command}: {answer}");
        answer["body"].clone()
    }

    /// The sentence with which a request is refused.
    pub fn refused(&mut self, command: &str, arguments: Value) -> String {
        let seq = self.send(command, arguments);
        let answer = self.answer(seq);
        assert_eq!(answer["success"], false, "{command}: {answer}");
        answer["message"].as_str().expect("a sentence").to_string()
    }

    /// The body of the next event of a kind; others before it are forgotten.
    pub fn event(&mut self, name: &str) -> Value {
        loop {
            let message = match self.events.pop_front() {
                Some(message) => message,
                None => self.receive().unwrap_or_else(|| panic!("no '{name}':\n{}", self.told())),
            };
            if message["event"] == name {
                return message["body"].clone();
            }
        }
    }

    /// What the console was told before the next stop, and the stop.
    pub fn output_until_stopped(&mut self) -> (String, Value) {
        let mut text = String::new();
        loop {
            let message = match self.events.pop_front() {
                Some(message) => message,
                None => self.receive().expect("an event"),
            };
            if message["event"] == "output" {
                text += message["body"]["output"].as_str().expect("text");
            }
            if message["event"] == "stopped" {
                return (text, message["body"].clone());
            }
        }
    }

    /// Does something, and says why and where the session stands then.
    pub fn go(&mut self, command: &str, arguments: Value) -> Value {
        self.ask(command, arguments);
        self.event("stopped")
    }

    /// Function and line of the innermost call of a thread.
    pub fn top(&mut self, thread: &Value) -> (String, u64) {
        let frame = &self.frames(thread)[0];
        (frame["name"].as_str().expect("a name").into(), frame["line"].as_u64().expect("a line"))
    }

    pub fn frames(&mut self, thread: &Value) -> Vec<Value> {
        let stack = self.ask("stackTrace", json!({ "threadId": thread }));
        stack["stackFrames"].as_array().expect("frames").clone()
    }

    /// The variables of the innermost call, as `Name = Value`.
    pub fn locals(&mut self, thread: &Value) -> Vec<String> {
        self.scope(thread, "Variables")
    }

    pub fn scope(&mut self, thread: &Value, name: &str) -> Vec<String> {
        let reference = self.scope_reference(thread, name);
        let shown = self.ask("variables", json!({ "variablesReference": reference }));
        let shown = shown["variables"].as_array().expect("variables").clone();
        let text = |v: &Value| {
            format!("{} = {}", v["name"].as_str().unwrap(), v["value"].as_str().unwrap())
        };
        shown.iter().map(text).collect()
    }

    pub fn scope_reference(&mut self, thread: &Value, name: &str) -> Value {
        let frame = self.frames(thread)[0]["id"].clone();
        let scopes = self.ask("scopes", json!({ "frameId": frame }));
        let scopes = scopes["scopes"].as_array().expect("scopes").clone();
        let is_it = |s: &&Value| s["name"].as_str().unwrap().starts_with(name);
        let found = scopes.iter().find(is_it).unwrap_or_else(|| panic!("no {name} in {scopes:?}"));
        found["variablesReference"].clone()
    }

    /// Breakpoints on lines of a file; how each was set.
    pub fn lines(&mut self, path: &str, lines: &[u32]) -> Vec<Value> {
        let all: Vec<Value> = lines.iter().map(|line| json!({ "line": line })).collect();
        self.breakpoints(path, json!(all))
    }

    pub fn breakpoints(&mut self, path: &str, breakpoints: Value) -> Vec<Value> {
        let asked = json!({ "source": { "path": path }, "breakpoints": breakpoints });
        let set = self.ask("setBreakpoints", asked);
        set["breakpoints"].as_array().expect("breakpoints").clone()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let Some(dir) = std::env::var_os("DAP_TRANSCRIPTS") else { return };
        let name = std::thread::current().name().unwrap_or("main").replace("::", ".");
        let number = self.transcript.as_ptr() as usize;
        let path = PathBuf::from(dir).join(format!("{name}-{number:x}.json"));
        let _ = std::fs::write(path, json!(self.transcript).to_string());
    }
}
