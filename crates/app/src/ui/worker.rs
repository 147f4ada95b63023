//! A session as the server holds it: what is asked of it goes through a channel to its thread.
//!
//! Looking is answered at once. A command that takes long is answered with a ticket.

use super::exploration::{Exploration, ExplorationView, ExploreRequest};
use super::interface::{Action, BusyView, Done, Progress};
use super::session_thread::{Opening, Request, SessionThread, Told};
use super::shared::Shared;
use crate::open::{CommandLine, program_of};
use crate::program_args::ProgramArgs;
use reverl_session::command::Debugger;
use reverl_session::outside::read_from;
use serde_json::Value;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// How long the answer to a command is waited for before a ticket is given.
const SOON: Duration = Duration::from_millis(120);

const FAULT: &str = "this failed by a fault of Reverl's own; the session goes on";
const ENDED: &str = "this session has ended by a fault of its own; open a new one";

/// A session with the thread that runs it.
pub struct Worker {
    program: ProgramArgs,
    requests: Mutex<Sender<Request>>,
    shared: Arc<Shared>,
    exploration: Mutex<Option<Exploration>>,
}

impl Worker {
    /// Comes back when the program is loaded, or with the reason why it cannot be.
    pub fn start(program: ProgramArgs, opening: Opening) -> Result<Worker, String> {
        let (requests, inbox) = channel();
        let shared = Arc::new(Shared::default());
        let (ready, opened) = std::sync::mpsc::sync_channel(1);
        let (args, own) = (program.clone(), shared.clone());
        let builder = std::thread::Builder::new().name("session".into()).stack_size(crate::STACK);
        let thread = builder.spawn(move || {
            let asked = own.clone();
            read_from(Box::new(move |question| asked.read_line(question)));
            let host = CommandLine { args };
            match host.opening_session() {
                Ok(session) => {
                    let debugger = Debugger::new(session, Box::new(host));
                    let _ = ready.send(Ok(()));
                    SessionThread::new(debugger, own).opened(opening).serve(&inbox);
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

    pub fn program(&self) -> &ProgramArgs {
        &self.program
    }

    /// What the program asks of the person, while it waits for a line.
    pub fn question(&self) -> Option<String> {
        self.shared.question()
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
        requests.send(request).map_err(|_| ENDED.to_string())
    }

    /// The answers of the views, as the text of a JSON object.
    pub async fn look(&self, asked: Vec<Value>) -> Result<String, String> {
        let (answer, answered) = oneshot::channel();
        self.send(Request::Look(asked, answer))?;
        answered.await.map_err(|_| ENDED.into())
    }

    /// Answers a question on the session's thread, and waits for the answer.
    pub fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Debugger) -> T + Send + 'static,
    ) -> Result<T, String> {
        let (answer, answered) = channel();
        self.send(Request::Ask(Box::new(move |debugger| {
            // Whoever asked may have gone away.
            let _ = answer.send(question(debugger));
        })))?;
        answered.recv().map_err(|_| FAULT.to_string())
    }

    /// Begins with an action; when it is done, `told` is given what came of it.
    pub fn begin(
        &self,
        action: Action,
        told: impl FnOnce(Done) + Send + 'static,
    ) -> Result<u64, String> {
        let ticket = self.shared.tickets.fetch_add(1, Ordering::SeqCst) + 1;
        let shared = self.shared.clone();
        let done: Told = Box::new(move || told(shared.answer(ticket).unwrap_or_default()));
        self.send(Request::Do { ticket, action, done })?;
        Ok(ticket)
    }

    /// Calls this whenever something may have changed, until it says that nobody listens.
    pub fn listen(&self, listener: impl Fn() -> bool + Send + 'static) {
        self.shared.add_listener(Box::new(listener));
    }

    /// What came of an action, or a ticket if that takes longer than a moment.
    pub async fn act(&self, action: Action) -> Result<Progress, String> {
        let ticket = self.shared.tickets.fetch_add(1, Ordering::SeqCst) + 1;
        let (done, is_done) = oneshot::channel();
        // Whoever asked may have a ticket by now.
        let done: Told = Box::new(move || {
            let _ = done.send(());
        });
        self.send(Request::Do { ticket, action, done })?;
        // Late or lost, the ticket tells.
        let _ = tokio::time::timeout(SOON, is_done).await;
        Ok(self.progress(Some(ticket)))
    }

    pub fn progress(&self, ticket: Option<u64>) -> Progress {
        let busy = self.shared.busy().map(|b| BusyView {
            ticket: b.ticket,
            what: b.what,
            seconds: b.begun.elapsed().as_secs_f64(),
            events: self.shared.events.load(Ordering::Relaxed),
        });
        let exploration = self.exploration.lock().unwrap_or_else(PoisonError::into_inner);
        Progress {
            version: self.shared.version.load(Ordering::SeqCst),
            ticket,
            done: ticket.and_then(|t| self.shared.answer(t)),
            busy,
            exploration: exploration.as_ref().map(Exploration::view),
            input: self.shared.question(),
        }
    }

    /// A line for the program that waits for one; none ends its input.
    pub fn type_line(&self, line: Option<&str>) -> Result<(), String> {
        match self.shared.type_line(line) {
            true => Ok(()),
            false => Err("the program does not wait for a line".into()),
        }
    }

    pub fn cancel(&self) {
        self.shared.cancel();
    }

    /// Starts exploring the program of this session, or stops it.
    pub fn explore(&self, asked: &ExploreRequest) -> Result<Option<ExplorationView>, String> {
        let mut exploration = self.exploration.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = exploration.as_ref() {
            running.stop();
        }
        if !asked.stop {
            *exploration = Some(Exploration::start(program_of(&self.program)?, asked)?);
        }
        Ok(exploration.as_ref().map(Exploration::view))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.cancel();
        let exploration = self.exploration.lock().unwrap_or_else(PoisonError::into_inner);
        exploration.iter().for_each(Exploration::stop);
    }
}
