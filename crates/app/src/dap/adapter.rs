//! One editor that is connected: what comes in, in order, and the one place that answers.
//!
//! A request that cannot be met is answered with the reason. Only `disconnect` and `terminate` end a
//! session, and the end of the connection.

use super::debugging::{Debugging, Moving, Purpose};
use super::launch::LaunchConfig;
use super::protocol::{Header, OutputCategory, event, output};
use super::requests::{self, Ending, Handled, Reaction};
use super::stopped;
use super::transport::{self, Outbox, Received};
use crate::ui::interface::Done;
use crate::ui::worker::Worker;
use reverl_session::fault::guarded;
use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A move that takes longer is answered before it is done.
const SOON: Duration = Duration::from_millis(250);

/// What the adapter's thread is told.
pub enum Incoming {
    Received(Received),
    Opened(Result<Opened, String>),
    /// Something to show.
    Said(OutputCategory, String),
    /// The command with this ticket is done.
    Moved(u64),
    /// The session may have changed.
    Changed,
}

/// A session that was asked for.
pub struct Opened {
    pub worker: Arc<Worker>,
    pub stop_on_entry: bool,
    /// Others use it too, and it does not end with this editor.
    pub is_shared: bool,
    /// Where it was recorded, if that was done for it.
    pub recorded: Option<TempDir>,
}

/// What the client has said of itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Client {
    pub has_invalidated: bool,
    pub has_progress: bool,
    pub has_variable_paging: bool,
    /// Lines and columns are counted from 0 there.
    pub from_zero: bool,
}

enum State {
    /// Nothing was said yet.
    Fresh,
    Connected(Client),
    /// A session is being opened for this request.
    Opening(Client, Header),
    Debugging(Box<Debugging>),
    Ended,
}

/// The session that can be interrupted while the adapter's thread waits for it.
type Interruptible = Arc<Mutex<Option<Arc<Worker>>>>;

struct Adapter {
    out: Outbox,
    inbox: Receiver<Incoming>,
    tell: Sender<Incoming>,
    state: State,
    offered: Option<Arc<Worker>>,
    interruptible: Interruptible,
}

/// Serves one editor until it leaves.
pub fn serve(
    input: impl BufRead + Send + 'static,
    out: Box<dyn Write + Send>,
    offered: Option<Arc<Worker>>,
) {
    let (tell, inbox) = channel();
    let interruptible = Interruptible::default();
    let (telling, own) = (tell.clone(), interruptible.clone());
    std::thread::spawn(move || read_all(input, &telling, &own));
    let out = Outbox::new(out);
    let state = State::Fresh;
    Adapter { out, inbox, tell, state, offered, interruptible }.run();
}

fn read_all(mut input: impl BufRead, tell: &Sender<Incoming>, interruptible: &Interruptible) {
    loop {
        let received = transport::read(&mut input);
        // These must not wait until the session has answered what was asked before.
        let is_urgent = match &received {
            Received::Message(message) => {
                let command = message["command"].as_str();
                matches!(command, Some("pause" | "disconnect" | "terminate"))
            }
            Received::End(_) => true,
            Received::Malformed(_) => false,
        };
        let worker = interruptible.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(worker) = worker.filter(|_| is_urgent) {
            worker.cancel();
        }
        let is_end = matches!(received, Received::End(_));
        if tell.send(Incoming::Received(received)).is_err() || is_end {
            return;
        }
    }
}

impl Adapter {
    fn run(mut self) {
        let mut waited = Instant::now();
        while !matches!(self.state, State::Ended) {
            if waited.elapsed() > SOON {
                self.waited();
                waited = Instant::now();
            }
            match self.inbox.recv_timeout(SOON) {
                Ok(Incoming::Received(received)) => self.received(received),
                Ok(Incoming::Opened(opened)) => self.opened(opened),
                Ok(Incoming::Said(category, text)) => self.out.send(output(category, &text)),
                Ok(Incoming::Moved(ticket)) => self.moved(ticket),
                Ok(Incoming::Changed) => self.changed(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn received(&mut self, received: Received) {
        let message = match received {
            Received::Message(message) => message,
            Received::Malformed(why) => return self.complain(&Value::Null, &why),
            Received::End(why) => {
                why.iter().for_each(|why| self.complain(&Value::Null, why));
                return self.end();
            }
        };
        match (&message["type"], message["seq"].as_i64(), message["command"].as_str()) {
            // We ask for nothing, so nothing waits for an answer.
            (Value::String(kind), ..) if kind == "response" => {}
            (Value::String(kind), Some(seq), Some(command)) if kind == "request" => {
                let header = Header { seq, command: command.to_string() };
                self.request(header, message["arguments"].clone());
            }
            _ => self.complain(&message, "this is not a request: it has a type, seq and command"),
        }
    }

    /// Something was no request, but somebody may wait for an answer.
    fn complain(&mut self, message: &Value, why: &str) {
        let seq = message["seq"].as_i64().unwrap_or(0);
        let command = message["command"].as_str().unwrap_or_default().to_string();
        self.out.send(Header { seq, command }.failure(why));
    }

    fn request(&mut self, header: Header, arguments: Value) {
        let arguments = if arguments.is_null() { json!({}) } else { arguments };
        let handled = guarded(&header.command, || self.handle(&header, arguments));
        let handled = handled.unwrap_or_else(|fault| Err(fault.to_string()));
        match handled {
            Ok(reaction) => self.react(header, reaction),
            Err(why) => self.out.send(header.failure(&why)),
        }
    }

    fn handle(&mut self, header: &Header, arguments: Value) -> Handled {
        match (header.command.as_str(), &mut self.state) {
            ("initialize", State::Fresh) => {
                let (client, capabilities) = requests::initialize::handle(&arguments);
                self.state = State::Connected(client);
                Ok(Reaction::Answer(capabilities))
            }
            ("initialize", _) => Err("this connection was initialized before".into()),
            ("disconnect" | "terminate", _) => requests::leave::handle(&header.command, &arguments),
            (_, State::Fresh) => Err("say 'initialize' first".into()),
            ("launch", State::Connected(client)) => {
                let config: LaunchConfig = requests::arguments("launch", arguments)?;
                let client = *client;
                config.open(self.tell.clone());
                self.state = State::Opening(client, header.clone());
                Ok(Reaction::Later)
            }
            ("attach", State::Connected(client)) => {
                let worker =
                    self.offered.clone().ok_or_else(|| requests::NO_SESSION.to_string())?;
                let client = *client;
                self.state = State::Opening(client, header.clone());
                let stop_on_entry = true;
                let recorded = None;
                let opened = Opened { worker, stop_on_entry, is_shared: true, recorded };
                let _ = self.tell.send(Incoming::Opened(Ok(opened)));
                Ok(Reaction::Later)
            }
            ("launch" | "attach", _) => Err("a session is open already: disconnect first".into()),
            (_, State::Connected(_)) => Err("there is no session yet: say 'launch' first".into()),
            (_, State::Opening(..)) => Err("the session is still being opened; wait".into()),
            (command, State::Debugging(debugging)) => {
                requests::handle(debugging, command, arguments)
            }
            (_, State::Ended) => Err("this session has ended".into()),
        }
    }

    fn react(&mut self, header: Header, reaction: Reaction) {
        match reaction {
            Reaction::Answer(body) => self.out.send(header.success(body)),
            Reaction::Events(body, events) => {
                self.out.send(header.success(body));
                events.into_iter().for_each(|event| self.out.send(event));
            }
            Reaction::Later => {}
            Reaction::Move(moving) => self.begin(header, moving),
            Reaction::Stop(body, reason) => {
                self.out.send(header.success(body));
                self.stop(&Done::well(), &reason);
            }
            // Who is answered may end us at once: what has to be tidied up is.
            Reaction::End(Ending::Disconnect) => {
                self.end();
                self.out.send(header.success(Value::Null));
            }
            Reaction::End(Ending::Terminate) => {
                self.out.send(header.success(Value::Null));
                self.out.send(event("terminated", Value::Null));
            }
        }
    }

    fn end(&mut self) {
        if let State::Debugging(debugging) = &self.state {
            debugging.leave();
        }
        self.state = State::Ended;
    }

    /// A session is there, or it is not and the request that asked for it is answered so.
    fn opened(&mut self, opened: Result<Opened, String>) {
        let State::Opening(client, header) = &self.state else { return };
        let (client, header) = (*client, header.clone());
        let opened = match opened {
            Ok(opened) => opened,
            Err(why) => {
                self.out.send(header.failure(why.trim_end()));
                self.state = State::Connected(client);
                return;
            }
        };
        *self.interruptible.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(opened.worker.clone());
        let tell = self.tell.clone();
        opened.worker.listen(move || tell.send(Incoming::Changed).is_ok());
        let debugging = Debugging::new(client, opened, self.tell.clone());
        self.state = State::Debugging(Box::new(debugging));
        self.out.send(header.success(Value::Null));
        self.out.send(event("initialized", Value::Null));
    }

    fn begin(&mut self, header: Header, moving: Moving) {
        let State::Debugging(debugging) = &mut self.state else { return };
        let (at_once, is_run) = (moving.is_answered_at_once, moving.is_run);
        let title = format!("reverl: {}", header.command);
        let all = json!({ "allThreadsContinued": true });
        let body = if header.command == "continue" { all } else { Value::Null };
        match debugging.begin(moving, header.clone()) {
            Err(why) => self.out.send(header.failure(&why)),
            Ok(ticket) => {
                if at_once {
                    debugging.answered();
                    self.out.send(header.success(body));
                }
                if is_run && debugging.client.has_progress {
                    let start = json!({
                        "progressId": ticket.to_string(), "title": title, "cancellable": true,
                    });
                    self.out.send(event("progressStart", start));
                    debugging.progress = Some(ticket);
                }
            }
        }
    }

    /// A command is done.
    fn moved(&mut self, ticket: u64) {
        let State::Debugging(debugging) = &mut self.state else { return };
        let Some((purpose, done)) = debugging.ended(ticket) else { return };
        if debugging.progress.take_if(|shown| *shown == ticket).is_some() {
            let end = json!({ "progressId": ticket.to_string() });
            self.out.send(event("progressEnd", end));
        }
        match purpose {
            Purpose::Move { answer, reason } => {
                match (answer, &done.error) {
                    (Some(header), Some(why)) => return self.out.send(header.failure(why)),
                    (None, Some(why)) => {
                        self.out.send(output(OutputCategory::Important, &format!("{why}\n")));
                    }
                    (Some(header), None) => self.out.send(header.success(Value::Null)),
                    (None, None) => {}
                }
                self.stop(&done, &reason);
            }
            Purpose::Evaluate { header } => self.evaluated(&header, &done),
            Purpose::SetVariable { header, value } => match &done.error {
                Some(why) => self.out.send(header.failure(why)),
                None => {
                    let body = json!({ "value": value, "variablesReference": 0 });
                    self.out.send(header.success(body));
                    self.stop(&done, "goto");
                }
            },
        }
    }

    /// A line of the console was carried out; it may have moved the session.
    fn evaluated(&mut self, header: &Header, done: &Done) {
        match &done.error {
            Some(why) => self.out.send(header.failure(why)),
            None => {
                let text = done.text.trim_end();
                let body = json!({ "result": text, "variablesReference": 0 });
                self.out.send(header.success(body));
            }
        }
        if done.error.is_none() && stopped::has_moved(done) {
            self.stop(done, "goto");
        }
    }

    /// Tells that the session stands still, and where.
    fn stop(&mut self, done: &Done, reason: &str) {
        let State::Debugging(debugging) = &mut self.state else { return };
        let events = stopped::events(debugging, done, reason);
        events.into_iter().for_each(|event| self.out.send(event));
    }

    /// Something has changed: if we did not do it, somebody else has, who uses the session too.
    fn changed(&mut self) {
        let State::Debugging(debugging) = &mut self.state else { return };
        if debugging.is_running() {
            let printed = debugging.new_output();
            printed.into_iter().for_each(|event| self.out.send(event));
        } else if debugging.was_moved_by_others() {
            self.stop(&Done::well(), "goto");
        }
    }

    /// Some time has passed.
    fn waited(&mut self) {
        let State::Debugging(debugging) = &mut self.state else { return };
        if let Some(header) = debugging.unanswered() {
            self.out.send(header.success(Value::Null));
        }
        if let Some(question) = debugging.new_question() {
            let text = format!("{question}\n(the program waits for a line: type it here)\n");
            self.out.send(output(OutputCategory::Important, &text));
        }
        if let Some(update) = debugging.progress_update() {
            self.out.send(update);
        }
    }
}
