//! One session on a thread of its own: a session cannot leave its thread, so what is asked of it
//! comes through a channel.
//!
//! Looking is answered at once. A command that takes long is answered with a ticket; `run` and
//! `continue` go in slices, between which looks are answered, all else can be cancelled.

use super::exploration::Exploration;
use crate::program_args::ProgramArgs;
use crate::recorded::CommandLine;
use reverl_session::command::{Debugger, Host};
use reverl_session::dialogue::Dialogue;
use reverl_session::outside::read_from;
use reverl_session::view::{Position, Viewer, apply_place};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// How long a run goes on before looks are answered.
const SLICE: Duration = Duration::from_millis(25);
/// How long the answer to a command is waited for before a ticket is given.
const SOON: Duration = Duration::from_millis(120);
/// Bytes of an answer's data.
const MOST_DATA: usize = 1 << 20;
/// Answers that are kept for whoever asks later.
const KEPT: usize = 50;
/// Moves that can be taken back.
const MOVES: usize = 200;

pub struct Worker {
    program: ProgramArgs,
    requests: Mutex<Sender<Request>>,
    shared: Arc<Shared>,
    exploration: Mutex<Option<Exploration>>,
}

enum Request {
    Look(Value, oneshot::Sender<String>),
    Do { ticket: u64, action: Value },
}

/// What can be known of the session without asking its thread.
#[derive(Default)]
struct Shared {
    version: AtomicU64,
    tickets: AtomicU64,
    cancelled: AtomicBool,
    events: AtomicU64,
    busy: Mutex<Option<Busy>>,
    input: Mutex<Input>,
    done: Mutex<BTreeMap<u64, Value>>,
}

struct Busy {
    ticket: u64,
    what: String,
    begun: Instant,
}

/// What the program asks of the person, and what it was answered.
#[derive(Default)]
struct Input {
    /// What it printed before it began to wait for a line.
    question: Option<String>,
    /// A line, or the end of all lines.
    line: Option<Option<String>>,
}

impl Shared {
    fn input(&self) -> std::sync::MutexGuard<'_, Input> {
        self.input.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until somebody has typed a line; to cancel is to end the input.
    fn read_line(&self, question: &str) -> Option<String> {
        *self.input() = Input { question: Some(question.into()), line: None };
        let line = loop {
            if let Some(line) = self.input().line.take() {
                break line;
            }
            if self.cancelled.load(Ordering::SeqCst) {
                break None;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        self.input().question = None;
        line
    }

    fn finish(&self, ticket: u64, answer: Value) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.insert(ticket, answer);
        while done.len() > KEPT {
            done.pop_first();
        }
    }

    fn answer(&self, ticket: u64) -> Option<Value> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).get(&ticket).cloned()
    }

    fn set_busy(&self, busy: Option<Busy>) {
        *self.busy.lock().unwrap_or_else(PoisonError::into_inner) = busy;
    }
}

impl Worker {
    /// Comes back when the program is loaded, or with the reason why it cannot be.
    pub fn start(program: ProgramArgs) -> Result<Worker, String> {
        let (requests, inbox) = channel();
        let shared = Arc::new(Shared::default());
        let (ready, opened) = std::sync::mpsc::sync_channel(1);
        let (args, own) = (program.clone(), shared.clone());
        let builder = std::thread::Builder::new().name("session".into()).stack_size(crate::STACK);
        let thread = builder.spawn(move || {
            let asked = own.clone();
            read_from(Box::new(move |question| asked.read_line(question)));
            let host = CommandLine { args };
            match host.fresh() {
                Ok(session) => {
                    let debugger = Debugger::new(session, Box::new(host));
                    let _ = ready.send(Ok(()));
                    Bench::new(debugger, own).serve(&inbox);
                }
                Err(why) => {
                    let _ = ready.send(Err(why));
                }
            }
        });
        thread.map_err(|e| format!("cannot start a thread: {e}"))?;
        opened.recv().map_err(|_| "the session could not be opened".to_string())??;
        let requests = Mutex::new(requests);
        Ok(Worker { program, requests, shared, exploration: Mutex::new(None) })
    }

    pub fn title(&self) -> String {
        let files: Vec<String> =
            self.program.files.iter().map(|f| f.display().to_string()).collect();
        match &self.program.entry {
            Some(entry) => format!("{} -e '{entry}'", files.join(" ")),
            None => files.join(" "),
        }
    }

    fn send(&self, request: Request) -> Result<(), String> {
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests
            .send(request)
            .map_err(|_| "this session has ended by a fault of its own; open a new one".to_string())
    }

    /// Answers `{"look": [...]}` with the views, and `{"do": ...}` with what came of it, or with a
    /// ticket if that takes longer.
    pub async fn ask(&self, asked: Value) -> Result<String, String> {
        if let Some(action) = asked.get("do") {
            let ticket = self.shared.tickets.fetch_add(1, Ordering::SeqCst) + 1;
            self.send(Request::Do { ticket, action: action.clone() })?;
            let begun = Instant::now();
            while begun.elapsed() < SOON {
                if self.shared.answer(ticket).is_some() {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            return Ok(self.progress(Some(ticket)).to_string());
        }
        let (answer, answered) = oneshot::channel();
        self.send(Request::Look(asked["look"].clone(), answer))?;
        answered.await.map_err(|_| "this session has ended by a fault of its own".into())
    }

    pub fn progress(&self, ticket: Option<u64>) -> Value {
        let busy = self.shared.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let busy = busy.as_ref().map(|b| {
            json!({
                "ticket": b.ticket,
                "what": b.what,
                "seconds": b.begun.elapsed().as_secs_f64(),
                "events": self.shared.events.load(Ordering::Relaxed),
            })
        });
        let exploration = self.exploration.lock().unwrap_or_else(PoisonError::into_inner);
        json!({
            "version": self.shared.version.load(Ordering::SeqCst),
            "ticket": ticket,
            "done": ticket.and_then(|t| self.shared.answer(t)),
            "busy": busy,
            "exploration": exploration.as_ref().map(Exploration::json),
            "input": self.shared.input().question,
        })
    }

    /// A line for the program that waits for one; none ends its input.
    pub fn type_line(&self, line: Option<&str>) -> Result<(), String> {
        let mut input = self.shared.input();
        if input.question.is_none() || input.line.is_some() {
            return Err("the program does not wait for a line".into());
        }
        input.line = Some(line.map(|line| format!("{line}\n")));
        Ok(())
    }

    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::SeqCst);
    }

    /// Starts exploring the program of this session, or stops it.
    pub fn explore(&self, asked: &Value) -> Result<Value, String> {
        let mut exploration = self.exploration.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = exploration.as_ref() {
            running.stop();
        }
        if asked["stop"].as_bool() != Some(true) {
            let program = crate::recorded::program_of(&self.program)?;
            *exploration = Some(Exploration::start(program, asked)?);
        }
        Ok(json!({ "exploration": exploration.as_ref().map(Exploration::json) }))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.cancel();
        let exploration = self.exploration.lock().unwrap_or_else(PoisonError::into_inner);
        exploration.iter().for_each(Exploration::stop);
    }
}

/// A command that is carried out in slices.
struct Running {
    ticket: u64,
    command: String,
    before: Position,
}

/// The session's side of the channel.
struct Bench {
    debugger: Debugger,
    viewer: Viewer,
    shared: Arc<Shared>,
    running: Option<Running>,
    /// Where the person has been, and how far back in that they have gone.
    moves: Vec<Position>,
    undone: Vec<Position>,
}

impl Bench {
    fn new(debugger: Debugger, shared: Arc<Shared>) -> Bench {
        let (moves, undone) = (vec![], vec![]);
        Bench { debugger, viewer: Viewer::default(), shared, running: None, moves, undone }
    }

    fn serve(mut self, inbox: &Receiver<Request>) {
        loop {
            let request = match self.running.is_some() {
                true => match inbox.try_recv() {
                    Ok(request) => Some(request),
                    Err(TryRecvError::Empty) => None,
                    Err(TryRecvError::Disconnected) => return,
                },
                false => match inbox.recv() {
                    Ok(request) => Some(request),
                    Err(_) => return,
                },
            };
            match request {
                Some(Request::Look(asked, answer)) => {
                    // Whoever asked may have gone away.
                    let _ = answer.send(self.look(&asked));
                }
                Some(Request::Do { ticket, action }) => self.act(ticket, &action),
                None => self.slice(),
            }
        }
    }

    fn look(&mut self, asked: &Value) -> String {
        let one = |this: &mut Bench, asked: &Value| {
            let name = asked["view"].as_str().unwrap_or_default();
            let begun = Instant::now();
            let (viewer, debugger) = (&mut this.viewer, &mut this.debugger);
            let seen = guarded(name, || viewer.look(debugger, name, asked));
            let ms = begun.elapsed().as_secs_f64() * 1e3;
            match seen {
                Ok(data) => json!({ "view": name, "data": data, "ms": ms }),
                Err(why) => json!({ "view": name, "error": why }),
            }
        };
        let list = asked.as_array().into_iter().flatten().take(40);
        let answers: Vec<Value> = list.map(|asked| one(self, asked)).collect();
        let version = self.shared.version.load(Ordering::SeqCst);
        json!({ "version": version, "answers": answers, "moves": self.move_counts() }).to_string()
    }

    fn move_counts(&self) -> Value {
        json!({ "back": self.moves.len(), "forward": self.undone.len() })
    }

    fn act(&mut self, ticket: u64, action: &Value) {
        if let Some(running) = &self.running {
            let why = format!("'{}' is still going on; cancel it first", running.command);
            return self.shared.finish(ticket, json!({ "ok": false, "error": why }));
        }
        self.shared.cancelled.store(false, Ordering::SeqCst);
        if let Some(direction) = action["move"].as_str() {
            let answer = self.take_back(direction);
            self.changed();
            return self.shared.finish(ticket, answer);
        }
        let before = Position::of(&self.debugger.session);
        if let Some(place) = action.get("place") {
            let branch = place["branch"].as_str().unwrap_or_default();
            let cut = place["cut"].as_str().unwrap_or_default();
            let done = apply_place(&mut self.debugger.session, branch, cut);
            self.moved(before);
            let answer = match done {
                Ok(()) => json!({ "ok": true, "text": "" }),
                Err(why) => json!({ "ok": false, "error": why }),
            };
            return self.shared.finish(ticket, answer);
        }
        if let Some(said) = action.get("ask") {
            let answer = self.ask(said);
            self.changed();
            return self.shared.finish(ticket, answer);
        }
        let command = action["command"].as_str().unwrap_or_default().to_string();
        self.choose_process(&action["proc"]);
        let busy = Busy { ticket, what: command.clone(), begun: Instant::now() };
        self.shared.set_busy(Some(busy));
        let running = Running { ticket, command, before };
        match is_resumable(&running.command) {
            true => self.running = Some(running),
            false => {
                self.watch(None);
                let answer = self.command(&running.command);
                self.done(running, answer);
            }
        }
    }

    /// The declarative dialogue: begins, answers, or ends it.
    fn ask(&mut self, said: &Value) -> Value {
        let Debugger { session, dialogue, .. } = &mut self.debugger;
        let done = match (said.get("begin"), said.get("end"), dialogue.as_mut()) {
            (Some(start), ..) => Dialogue::begin(session, start).map(|d| *dialogue = Some(d)),
            (_, Some(_), _) => {
                *dialogue = None;
                Ok(())
            }
            (.., Some(dialogue)) => dialogue.answer(session, said),
            _ => Err("no question was asked".into()),
        };
        match done {
            Ok(()) => json!({ "ok": true, "text": "" }),
            Err(why) => json!({ "ok": false, "error": why }),
        }
    }

    /// The process that the command is about, if the face has chosen one.
    fn choose_process(&mut self, number: &Value) {
        let session = &mut self.debugger.session;
        let is_it = |p: &reverl_causal::ProcId| number.as_u64() == Some(u64::from(p.0));
        let chosen = session.execution().ids().find(is_it);
        session.current = chosen.unwrap_or(session.current);
    }

    /// Long work asks whether to go on, and tells how far it is.
    fn watch(&mut self, patience: Option<Duration>) {
        let shared = self.shared.clone();
        let begun = Instant::now();
        self.debugger.session.interrupted = false;
        self.debugger.session.interrupt = Some(Box::new(move |system| {
            let events = system.execution.event_count() as u64;
            shared.events.store(events, Ordering::Relaxed);
            shared.cancelled.load(Ordering::Relaxed)
                || patience.is_some_and(|most| begun.elapsed() > most)
        }));
    }

    fn slice(&mut self) {
        let Some(running) = self.running.take() else { return };
        self.watch(Some(SLICE));
        let answer = self.command(&running.command);
        let cancelled = self.shared.cancelled.load(Ordering::SeqCst);
        if self.debugger.session.interrupted && !cancelled {
            self.shared.version.fetch_add(1, Ordering::SeqCst);
            self.running = Some(running);
        } else {
            self.done(running, answer);
        }
    }

    fn command(&mut self, text: &str) -> Value {
        match guarded(text, || self.debugger.command(text)) {
            Ok(reply) => {
                // A page does not want megabytes of one message; a program asks a view for parts.
                let large = reply.data.to_string().len() > MOST_DATA;
                let data = if large { Value::Null } else { reply.data };
                json!({ "ok": true, "text": reply.text, "data": data })
            }
            Err(why) => json!({ "ok": false, "error": why }),
        }
    }

    fn done(&mut self, running: Running, answer: Value) {
        self.debugger.session.interrupt = None;
        match begins_anew(&running.command) {
            true => self.forget(),
            false => self.moved(running.before),
        }
        self.shared.set_busy(None);
        self.shared.finish(running.ticket, answer);
    }

    /// Another execution has taken the place of the one that all this was about.
    fn forget(&mut self) {
        self.viewer = Viewer::default();
        self.debugger.dialogue = None;
        self.moves.clear();
        self.undone.clear();
        self.changed();
    }

    /// A move that can be taken back, if there was one.
    fn moved(&mut self, before: Position) {
        let now = Position::of(&self.debugger.session);
        if now.branch != before.branch || now.cut != before.cut {
            self.moves.push(before);
            self.undone.clear();
            let many = self.moves.len().saturating_sub(MOVES);
            self.moves.drain(..many);
        }
        self.changed();
    }

    fn take_back(&mut self, direction: &str) -> Value {
        let now = Position::of(&self.debugger.session);
        let (from, to) = match direction {
            "back" => (&mut self.moves, &mut self.undone),
            _ => (&mut self.undone, &mut self.moves),
        };
        let Some(position) = from.pop() else {
            return json!({ "ok": false, "error": "there is no such move" });
        };
        to.push(now);
        position.restore(&mut self.debugger.session);
        json!({ "ok": true, "text": "" })
    }

    fn changed(&mut self) {
        let events = self.debugger.session.execution().event_count() as u64;
        self.shared.events.store(events, Ordering::Relaxed);
        self.shared.version.fetch_add(1, Ordering::SeqCst);
    }
}

/// Commands that go on where they stopped when they are given again.
fn is_resumable(command: &str) -> bool {
    matches!(command.trim(), "run" | "r" | "continue" | "c")
}

/// Commands after which the session is another.
fn begins_anew(command: &str) -> bool {
    let name = command.split_whitespace().next().unwrap_or_default();
    reverl_session::command::find(name).is_some_and(|c| matches!(c.name, "load" | "restart"))
}

/// A fault of ours ends what was asked, not the session.
fn guarded<T>(what: &str, act: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(act));
    done.unwrap_or_else(|_| Err(format!("'{what}' failed by a fault of Reverl's own")))
}
