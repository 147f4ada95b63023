//! A session as one editor uses it: what it has set, what it has named, and what goes on.

use super::adapter::{Client, Incoming, Opened};
use super::log_points::LogPoint;
use super::protocol::{Breakpoint, Header, OutputCategory, event, output};
use super::references::References;
use crate::ui::interface::{Action, Done};
use crate::ui::worker::Worker;
use reverl_session::command::{BreakSpec, Command, CommandInput, Debugger, EndOfRun, Note, Reply};
use reverl_session::outcome;
use reverl_session::query::Query;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use tempfile::TempDir;

/// A command that a request asks for.
pub struct Moving {
    pub command: CommandInput,
    /// The process that it is about.
    pub proc: Option<u32>,
    pub purpose: MovingPurpose,
    /// The client is told that it goes on before it is done.
    pub is_answered_at_once: bool,
    /// It can go on for long.
    pub is_run: bool,
}

/// What a command was asked for.
pub enum MovingPurpose {
    /// To go somewhere; the reason is the one that a stop is told with if there is no other.
    Move(&'static str),
    Evaluate,
    SetVariable(String),
}

impl Moving {
    /// A move of a process that is answered when it is done, unless that takes long.
    pub fn of(command: Command, proc: Option<u32>, reason: &'static str) -> Moving {
        Moving {
            command: CommandInput::Data(command),
            proc,
            purpose: MovingPurpose::Move(reason),
            is_answered_at_once: false,
            is_run: false,
        }
    }

    /// One that goes on until something stops it.
    pub fn run(command: Command, proc: Option<u32>, reason: &'static str) -> Moving {
        Moving { is_answered_at_once: true, is_run: true, ..Moving::of(command, proc, reason) }
    }
}

/// What is to be told when a command is done.
pub enum Purpose {
    Move { answer: Option<Header>, reason: String },
    Evaluate { header: Header },
    SetVariable { header: Header, value: String },
}

/// Branch, current process, steps and events.
type Place = (String, u32, u64, usize);

struct Running {
    ticket: u64,
    result: Receiver<Done>,
    action: Action,
    purpose: Purpose,
}

/// What a breakpoint of the session is to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreakpointKind {
    Line,
    Function,
    Data,
    Exception,
}

/// A session as one editor uses it.
pub struct Debugging {
    pub client: Client,
    worker: Arc<Worker>,
    is_shared: bool,
    pub stop_on_entry: bool,
    tell: Sender<Incoming>,
    pub references: References,
    running: Option<Running>,
    /// The breakpoints that this editor has set, by what it set them for.
    pub set: HashMap<String, Vec<usize>>,
    pub kinds: HashMap<usize, BreakpointKind>,
    pub log_points: HashMap<String, Vec<LogPoint>>,
    /// The reply to the last move, for whoever asks why it has stopped.
    pub last_stop: Option<Arc<Reply>>,
    /// How many events of which branch have been looked at for what the program printed.
    printed: (String, usize),
    /// Where the session was when the client was last told.
    told_place: Option<Place>,
    asked_for_line: Option<String>,
    /// The run whose progress is shown.
    pub progress: Option<u64>,
    /// The address of the page that shows the same session.
    pub page: Option<String>,
    /// That not all processes are shown was said.
    pub has_told_of_many: bool,
    /// What was recorded for this session goes with it.
    _recorded: Option<TempDir>,
}

impl Debugging {
    pub fn new(client: Client, opened: Opened, tell: Sender<Incoming>) -> Debugging {
        let Opened { worker, stop_on_entry, is_shared, recorded } = opened;
        Debugging {
            client,
            worker,
            is_shared,
            stop_on_entry,
            tell,
            references: References::default(),
            running: None,
            set: HashMap::new(),
            kinds: HashMap::new(),
            log_points: HashMap::new(),
            last_stop: None,
            printed: (String::new(), 0),
            told_place: None,
            asked_for_line: None,
            progress: None,
            page: None,
            has_told_of_many: false,
            _recorded: recorded,
        }
    }

    pub fn worker(&self) -> &Arc<Worker> {
        &self.worker
    }

    pub fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// What goes on ends; what others use stays.
    pub fn leave(&self) {
        if self.running.is_some() || !self.is_shared {
            self.worker.cancel();
        }
    }

    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    // -- Looking

    /// Looks at the session on its thread.
    pub fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Debugger) -> T + Send + 'static,
    ) -> Result<T, String> {
        if self.worker.question().is_some() {
            return Err("the program waits for a line: type it in the debug console".into());
        }
        self.worker.ask(look)
    }

    /// The same, if it can be refused: the reason is told as a sentence.
    pub fn find<T: Send + 'static, E: ToString>(
        &self,
        look: impl FnOnce(&Debugger) -> Result<T, E> + Send + 'static,
    ) -> Result<T, String> {
        self.look(move |debugger| look(debugger).map_err(|why| why.to_string()))?
    }

    /// The answer of a query.
    pub fn query<Q: Query + Send>(&self, query: Q) -> Result<Q::Answer, String>
    where
        Q::Answer: Send,
    {
        self.find(move |debugger| query.answer(debugger))
    }

    // -- Doing

    /// Begins with a command that may take long.
    pub fn begin(&mut self, moving: Moving, header: Header) -> Result<u64, String> {
        if self.running.is_some() {
            return Err("the session is still going on; pause it first".into());
        }
        let purpose = match moving.purpose {
            MovingPurpose::Move(reason) => {
                Purpose::Move { answer: Some(header), reason: reason.to_string() }
            }
            MovingPurpose::Evaluate => Purpose::Evaluate { header },
            MovingPurpose::SetVariable(value) => Purpose::SetVariable { header, value },
        };
        let action = Action::Command { command: moving.command, proc: moving.proc };
        self.start(action, purpose)
    }

    fn start(&mut self, action: Action, purpose: Purpose) -> Result<u64, String> {
        let (send, result) = channel();
        let tell = self.tell.clone();
        let (ticket_of, its_ticket) = channel::<u64>();
        let ticket = self.worker.begin(action.clone(), move |done| {
            let _ = send.send(done);
            if let Ok(ticket) = its_ticket.recv() {
                let _ = tell.send(Incoming::Moved(ticket));
            }
        })?;
        let _ = ticket_of.send(ticket);
        self.running = Some(Running { ticket, result, action, purpose });
        Ok(ticket)
    }

    /// What came of the command with this ticket, if it is the one that goes on.
    pub fn ended(&mut self, ticket: u64) -> Option<(Purpose, Done)> {
        let running = self.running.take_if(|running| running.ticket == ticket)?;
        let done = running.result.recv().unwrap_or_default();
        Some((running.purpose, done))
    }

    /// Does something short, and waits for it. What goes on is held up for that.
    pub fn act(&mut self, command: Command) -> Result<Arc<Reply>, String> {
        let held = self.hold();
        let (send, result) = channel();
        let action = Action::Command { command: CommandInput::Data(command), proc: None };
        let begun = self.worker.begin(action, move |done| drop(send.send(done)));
        let done = begun.and_then(|_| result.recv().map_err(|e| e.to_string()));
        if let Some((action, purpose)) = held {
            self.start(action, purpose)?;
        }
        let done = done?;
        match (done.error, done.reply) {
            (Some(why), _) => Err(why),
            (None, reply) => reply.ok_or_else(|| "there is no reply".to_string()),
        }
    }

    /// Sets a breakpoint for what the client calls `key`; one that cannot be hit says why.
    pub fn set_breakpoint(
        &mut self,
        key: &str,
        kind: BreakpointKind,
        spec: BreakSpec,
    ) -> Breakpoint {
        match self.act(Command::Break(spec)).as_deref() {
            Ok(Reply::Breakpoint(row)) => {
                self.set.entry(key.to_string()).or_default().push(row.id);
                self.kinds.insert(row.id, kind);
                Breakpoint::set(row.id)
            }
            Ok(_) => Breakpoint::refused("this is not a breakpoint".into()),
            Err(why) => Breakpoint::refused(why.clone()),
        }
    }

    /// Deletes the breakpoints that were set for what the client calls `key`.
    pub fn clear(&mut self, key: &str) -> Result<(), String> {
        for id in self.set.remove(key).unwrap_or_default() {
            self.kinds.remove(&id);
            // Somebody may have deleted it in the console.
            let _ = self.act(Command::Delete { id: Some(id) });
        }
        Ok(())
    }

    /// Stops what goes on, so that it can be begun again. What has come to its end in the meantime
    /// is told as if it had not been held up.
    fn hold(&mut self) -> Option<(Action, Purpose)> {
        let running = self.running.take()?;
        self.worker.cancel();
        let done = running.result.recv().unwrap_or_default();
        if is_unfinished(&done) {
            return Some((running.action, running.purpose));
        }
        let (send, result) = channel();
        let _ = send.send(done);
        let _ = self.tell.send(Incoming::Moved(running.ticket));
        self.running = Some(Running { result, ..running });
        None
    }

    /// Stops what goes on; it tells where it is then.
    pub fn interrupt(&self) {
        self.worker.cancel();
    }

    pub fn is_ticket(&self, ticket: u64) -> bool {
        self.running.as_ref().is_some_and(|running| running.ticket == ticket)
    }

    /// Whether this request is the one that goes on.
    pub fn is_for(&self, seq: i64) -> bool {
        let of = |running: &Running| match &running.purpose {
            Purpose::Move { answer, .. } => answer.as_ref().map(|header| header.seq),
            Purpose::Evaluate { header } | Purpose::SetVariable { header, .. } => Some(header.seq),
        };
        self.running.as_ref().and_then(of) == Some(seq)
    }

    // -- Telling

    /// The request of the move that goes on was answered.
    pub fn answered(&mut self) {
        drop(self.unanswered());
    }

    /// The request of the move that goes on, if it was not answered yet.
    pub fn unanswered(&mut self) -> Option<Header> {
        match &mut self.running.as_mut()?.purpose {
            Purpose::Move { answer, .. } => answer.take(),
            Purpose::Evaluate { .. } | Purpose::SetVariable { .. } => None,
        }
    }

    pub fn progress_update(&self) -> Option<Value> {
        let ticket = self.progress?;
        let events = self.worker.progress(None).busy?.events;
        let message = format!("{events} events");
        let update = json!({ "progressId": ticket.to_string(), "message": message });
        Some(event("progressUpdate", update))
    }

    /// What the program asks for, if that was not told yet.
    pub fn new_question(&mut self) -> Option<String> {
        let question = self.worker.question();
        let is_new = question != self.asked_for_line;
        self.asked_for_line.clone_from(&question);
        question.filter(|_| is_new)
    }

    /// What the program has printed since it was last looked at.
    pub fn new_output(&mut self) -> Vec<Value> {
        let (branch, from) = self.printed.clone();
        let looked = self.look(move |debugger| {
            let session = &debugger.session;
            let (now, count) = (session.branch_name(), session.execution().event_count());
            // What came before a branch was printed already.
            let from = if branch == now || branch.is_empty() { from } else { count };
            let (mut text, mut next) = (String::new(), count);
            for i in from..count {
                let Some(event) = session.execution().event(i) else { break };
                let Some(printed) = outcome::output_of(&session.system, event) else { continue };
                // What a recording prints later is told when it is come to.
                if !session.cut.contains(session.execution(), event) {
                    next = i;
                    break;
                }
                text.push_str(printed);
            }
            (text, (now.to_string(), next))
        });
        let Ok((text, printed)) = looked else { return vec![] };
        self.printed = printed;
        if text.is_empty() { vec![] } else { vec![output(OutputCategory::Stdout, &text)] }
    }

    /// Another execution has begun, which has printed nothing yet.
    pub fn forget_output(&mut self) {
        self.printed = (String::new(), 0);
    }

    /// What tells one place of a session from another.
    fn place(&self) -> Option<Place> {
        let place = |debugger: &Debugger| {
            let session = &debugger.session;
            let (branch, current) = (session.branch_name().to_string(), session.current.0);
            (branch, current, session.cut.total_steps(), session.events_here())
        };
        self.look(place).ok()
    }

    /// The client is told now where the session is.
    pub fn told(&mut self) {
        self.told_place = self.place();
        self.references.forget();
    }

    /// Whether the session is elsewhere than the client was told.
    pub fn was_moved_by_others(&mut self) -> bool {
        self.is_shared_now() && self.told_place.is_some() && self.told_place != self.place()
    }

    fn is_shared_now(&self) -> bool {
        self.is_shared || self.page.is_some()
    }
}

/// Whether a run was stopped before it came to anything.
fn is_unfinished(done: &Done) -> bool {
    let Some(Reply::Move(moved)) = done.reply.as_deref() else { return false };
    moved.notes.iter().any(|note| matches!(note, Note::Ended(EndOfRun::Stopped)))
}
