//! A session on a thread of its own: a session cannot leave its thread.
//!
//! Commands that run on go in slices, between which looks are answered; all else can be cancelled.

use super::interface::{Action, Done, Looked, MoveCounts, MoveDirection, PlaceSpec, Seen};
use super::shared::{Busy, Shared};
use crate::fault;
use reverl_causal::ProcId;
use reverl_session::command::{Command, CommandInput, CommandKind, Debugger};
use reverl_session::describe;
use reverl_session::dialogue::{self, DialogueStep};
use reverl_session::fault::guarded;
use reverl_session::position::{Position, apply_place};
use reverl_session::query::{self, search};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// How long a run goes on before looks are answered.
const SLICE: Duration = Duration::from_millis(25);
/// How long lines are looked through for later searches before it is asked whether somebody waits.
const LEARNING: Duration = Duration::from_millis(10);
/// How long nobody has to ask anything before that begins.
const QUIET: Duration = Duration::from_millis(150);
/// How long a program runs when it is opened: one that never ends is paused then.
const OPENING: Duration = Duration::from_secs(10);
/// Moves that can be taken back.
const MOVES: usize = 200;
/// Views of one request.
const VIEWS: usize = 40;

/// What is told when an action is done.
pub type Told = Box<dyn FnOnce() + Send>;

/// A question that is answered to whoever made it. It cannot move the session.
pub type Question = Box<dyn FnOnce(&Debugger) + Send>;

/// What other threads ask of a session's thread.
pub enum Request {
    Look(Vec<Value>, oneshot::Sender<String>),
    Ask(Question),
    Do { ticket: u64, action: Action, done: Told },
}

/// Where a session of a program begins; a recording begins where it was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    AtStart,
    /// It runs to its end, or for a while.
    AtEnd,
}

/// A command that is carried out in slices.
struct Running {
    ticket: u64,
    /// As it was asked for.
    what: String,
    command: Command,
    /// Where the person was; `None` if nobody asked for it.
    before: Option<Position>,
    /// It is paused then.
    until: Option<Instant>,
    done: Told,
}

/// The session's side of the channel.
pub struct SessionThread {
    debugger: Debugger,
    shared: Arc<Shared>,
    running: Option<Running>,
    /// Where the person has been, and how far back in that they have gone.
    moves: Vec<Position>,
    undone: Vec<Position>,
    /// There may be lines of events that no search knows yet, or something else that is unknown.
    has_unknowns: bool,
}

impl SessionThread {
    pub fn new(debugger: Debugger, shared: Arc<Shared>) -> SessionThread {
        let (moves, undone) = (vec![], vec![]);
        SessionThread { debugger, shared, running: None, moves, undone, has_unknowns: true }
    }

    /// Lets a program run that has just been opened.
    pub fn opened(mut self, opening: Opening) -> SessionThread {
        let is_fresh = self.debugger.session.execution().event_count() == 0;
        if opening == Opening::AtEnd && is_fresh {
            let ticket = self.shared.tickets.fetch_add(1, Ordering::SeqCst) + 1;
            self.shared.begin(ticket);
            let what = "run".to_string();
            let begun = Instant::now();
            self.shared.set_busy(Some(Busy { ticket, what: what.clone(), begun }));
            let done: Told = Box::new(|| ());
            let until = Some(begun + OPENING);
            let command = Command::Run { choices: None };
            self.running = Some(Running { ticket, what, command, before: None, until, done });
        }
        self
    }

    pub fn serve(mut self, inbox: &Receiver<Request>) {
        loop {
            let request = if self.running.is_some() {
                match inbox.try_recv() {
                    Ok(request) => Some(request),
                    Err(TryRecvError::Empty) => None,
                    Err(TryRecvError::Disconnected) => return,
                }
            } else {
                match self.next_request(inbox) {
                    Some(request) => Some(request),
                    None => return,
                }
            };
            match request {
                Some(Request::Look(asked, answer)) => {
                    // Whoever asked may have gone away.
                    let _ = answer.send(self.look(asked));
                }
                Some(Request::Ask(question)) => {
                    // Who asked sees that no answer comes.
                    let _ = guarded("ask", || question(&self.debugger));
                }
                Some(Request::Do { ticket, action, done }) => self.act(ticket, action, done),
                None => self.slice(),
            }
        }
    }

    /// The next request; while there is none, lines are looked through for later searches, and what
    /// else takes a while is found out.
    fn next_request(&mut self, inbox: &Receiver<Request>) -> Option<Request> {
        let mut patience = QUIET;
        while self.has_unknowns {
            match inbox.recv_timeout(patience) {
                Ok(request) => return Some(request),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let session = &self.debugger.session;
            let learnt = guarded("search", || search::learn_lines(session, LEARNING));
            let has_more = learnt.unwrap_or(false)
                || guarded("prepare", || session.prepare()).unwrap_or(false);
            self.has_unknowns = has_more;
            patience = Duration::ZERO;
        }
        inbox.recv().ok()
    }

    fn look(&self, asked: Vec<Value>) -> String {
        let looked = Looked {
            version: self.shared.version.load(Ordering::SeqCst),
            moves: MoveCounts { back: self.moves.len(), forward: self.undone.len() },
            answers: asked.into_iter().take(VIEWS).map(|asked| self.see(asked)).collect(),
        };
        serde_json::to_string(&looked).expect("an answer is plain data")
    }

    fn see(&self, asked: Value) -> Seen {
        let view = asked["view"].as_str().unwrap_or_default().to_string();
        let begun = Instant::now();
        let seen = guarded(&view, || query::ask(&self.debugger, &view, asked));
        let ms = begun.elapsed().as_secs_f64() * 1e3;
        let (data, error) = match seen {
            Ok(Ok(data)) => (Some(data), None),
            Ok(Err(why)) => (None, Some(why.to_string())),
            Err(fault) => (None, Some(fault.to_string())),
        };
        Seen { view, data, error, ms }
    }

    fn act(&mut self, ticket: u64, action: Action, done: Told) {
        if let Some(running) = &self.running {
            let why = format!("'{}' is still going on; cancel it first", running.what);
            return self.finish(ticket, Done::failed(why), done);
        }
        self.shared.begin(ticket);
        let answer = match action {
            Action::Command { command, proc } => {
                return self.begin(ticket, &command, proc, done);
            }
            Action::Move { direction } => self.take_back(direction),
            Action::Place { place } => self.go_to(&place),
            Action::Ask { ask } => self.ask(&ask),
        };
        self.changed();
        self.finish(ticket, answer, done);
    }

    fn finish(&self, ticket: u64, answer: Done, done: Told) {
        self.shared.finish(ticket, answer);
        done();
    }

    /// Begins with a command; one that runs on is carried out in slices.
    fn begin(&mut self, ticket: u64, input: &CommandInput, proc: Option<u32>, done: Told) {
        let command = match input.parse() {
            Ok(command) => command,
            Err(why) => return self.finish(ticket, Done::failed(why), done),
        };
        let before = Position::of(&self.debugger.session);
        self.choose_process(proc);
        let session = &self.debugger.session;
        let what = command.words(&|number| {
            let known = session.execution().ids().find(|p| p.0 == number);
            known.map_or(number.to_string(), |p| describe::pid(&session.system, p))
        });
        let busy = Busy { ticket, what: what.clone(), begun: Instant::now() };
        self.shared.set_busy(Some(busy));
        fault::note(&what);
        let running = Running { ticket, what, command, before: Some(before), until: None, done };
        match running.command.kind() {
            CommandKind::RunsOn => self.running = Some(running),
            _ => {
                self.watch(None);
                let answer = self.command(&running);
                self.ended(running, answer);
            }
        }
    }

    fn go_to(&mut self, place: &PlaceSpec) -> Done {
        let before = Position::of(&self.debugger.session);
        let done = apply_place(&mut self.debugger.session, &place.branch, &place.cut);
        self.moved(before);
        done.map_or_else(Done::failed, |()| Done::well())
    }

    /// The declarative dialogue: begins, answers, or ends it.
    fn ask(&mut self, said: &DialogueStep) -> Done {
        let Debugger { session, dialogue, .. } = &mut self.debugger;
        let done = guarded("ask", || dialogue::step(dialogue, session, said));
        match done {
            Ok(done) => done.map_or_else(Done::failed, |()| Done::well()),
            Err(fault) => Done::failed(fault),
        }
    }

    /// The process that the command is about, if the face has chosen one.
    fn choose_process(&mut self, number: Option<u32>) {
        let session = &mut self.debugger.session;
        let chosen = session.execution().ids().find(|p: &ProcId| number == Some(p.0));
        session.current = chosen.unwrap_or(session.current);
    }

    /// Long work asks whether to go on, and tells how far it is.
    fn watch(&mut self, patience: Option<Duration>) {
        let shared = self.shared.clone();
        let begun = Instant::now();
        self.debugger.session.set_interrupt(Some(Box::new(move |system| {
            let events = system.execution().event_count() as u64;
            shared.events.store(events, Ordering::Relaxed);
            shared.is_cancelled() || patience.is_some_and(|most| begun.elapsed() > most)
        })));
    }

    fn slice(&mut self) {
        let Some(running) = self.running.take() else { return };
        self.watch(Some(SLICE));
        let answer = self.command(&running);
        let is_over = running.until.is_some_and(|end| Instant::now() > end);
        let is_stopped = self.shared.is_cancelled() || is_over;
        if self.debugger.session.was_interrupted() && !is_stopped {
            self.shared.version.fetch_add(1, Ordering::SeqCst);
            self.shared.tell_listeners();
            self.running = Some(running);
        } else {
            self.ended(running, answer);
        }
    }

    fn command(&mut self, running: &Running) -> Done {
        let command = &running.command;
        match guarded(&running.what, || self.debugger.carry_out(command)) {
            Ok(Ok(reply)) => Done::replied(&running.what, command.kind(), reply),
            Ok(Err(why)) => Done::refused(&running.what, command.kind(), why),
            Err(fault) => {
                self.debugger.recover();
                Done::refused(&running.what, command.kind(), fault)
            }
        }
    }

    fn ended(&mut self, running: Running, answer: Done) {
        self.debugger.session.set_interrupt(None);
        match running.command.kind() {
            CommandKind::Replaces => {
                // Another execution has taken the place of the one that all this was about.
                self.moves.clear();
                self.undone.clear();
            }
            _ => running.before.into_iter().for_each(|before| self.moved(before)),
        }
        self.changed();
        self.shared.set_busy(None);
        self.finish(running.ticket, answer, running.done);
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
    }

    fn take_back(&mut self, direction: MoveDirection) -> Done {
        let now = Position::of(&self.debugger.session);
        let (from, to) = match direction {
            MoveDirection::Back => (&mut self.moves, &mut self.undone),
            MoveDirection::Forward => (&mut self.undone, &mut self.moves),
        };
        let Some(position) = from.pop() else {
            return Done::failed("there is no such move");
        };
        to.push(now);
        position.restore(&mut self.debugger.session);
        Done::well()
    }

    fn changed(&mut self) {
        self.has_unknowns = true;
        let events = self.debugger.session.execution().event_count() as u64;
        self.shared.events.store(events, Ordering::Relaxed);
        self.shared.version.fetch_add(1, Ordering::SeqCst);
        self.shared.tell_listeners();
    }
}
