//! What can be known of a session without asking its thread, and how its thread waits for a person.

use super::interface::Done;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Answers that are kept for whoever asks later.
const KEPT: usize = 50;

/// What a session's thread and the server's threads both see.
#[derive(Default)]
pub struct Shared {
    /// It grows whenever something may have changed.
    pub version: AtomicU64,
    pub tickets: AtomicU64,
    /// What goes on, by its ticket.
    current: AtomicU64,
    /// Everything up to this ticket is not wanted any more, also what has not begun yet.
    cancelled: AtomicU64,
    pub events: AtomicU64,
    busy: Mutex<Option<Busy>>,
    input: Mutex<Input>,
    /// A line was typed, or what is going on was cancelled.
    typed: Condvar,
    done: Mutex<BTreeMap<u64, Done>>,
    listeners: Mutex<Vec<Listener>>,
}

/// Somebody who wants to know when something may have changed; false: no longer.
pub type Listener = Box<dyn Fn() -> bool + Send>;

/// What is going on, and since when.
#[derive(Clone)]
pub struct Busy {
    pub ticket: u64,
    pub what: String,
    pub begun: Instant,
}

/// What the program asks of the person, and what it was answered.
#[derive(Default)]
struct Input {
    /// What it printed before it began to wait for a line.
    question: Option<String>,
    /// A line, or the end of all lines.
    line: Option<Option<String>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// What the program asks while it waits for a line.
    pub fn question(&self) -> Option<String> {
        locked(&self.input).question.clone()
    }

    /// Waits until somebody has typed a line; to cancel is to end the input.
    pub fn read_line(&self, question: &str) -> Option<String> {
        let mut input = locked(&self.input);
        *input = Input { question: Some(question.into()), line: None };
        let waits = |input: &mut Input| input.line.is_none() && !self.is_cancelled();
        let mut input = self.typed.wait_while(input, waits).unwrap_or_else(PoisonError::into_inner);
        input.question = None;
        input.line.take().flatten()
    }

    /// A line for the program that waits for one; none ends its input. False if none waits.
    pub fn type_line(&self, line: Option<&str>) -> bool {
        let mut input = locked(&self.input);
        if input.question.is_none() || input.line.is_some() {
            return false;
        }
        input.line = Some(line.map(|line| format!("{line}\n")));
        self.typed.notify_all();
        true
    }

    pub fn is_cancelled(&self) -> bool {
        let cancelled = self.cancelled.load(Ordering::SeqCst);
        cancelled > 0 && cancelled >= self.current.load(Ordering::SeqCst)
    }

    /// The action with this ticket begins.
    pub fn begin(&self, ticket: u64) {
        self.current.store(ticket, Ordering::SeqCst);
    }

    /// Nothing that was asked for until now is wanted any more.
    pub fn cancel(&self) {
        // With the lock, so that who is about to wait does not miss it.
        let _input = locked(&self.input);
        self.cancelled.store(self.tickets.load(Ordering::SeqCst), Ordering::SeqCst);
        self.typed.notify_all();
    }

    pub fn finish(&self, ticket: u64, answer: Done) {
        let mut done = locked(&self.done);
        done.insert(ticket, answer);
        while done.len() > KEPT {
            done.pop_first();
        }
    }

    pub fn answer(&self, ticket: u64) -> Option<Done> {
        locked(&self.done).get(&ticket).cloned()
    }

    pub fn add_listener(&self, listener: Listener) {
        locked(&self.listeners).push(listener);
    }

    pub fn tell_listeners(&self) {
        locked(&self.listeners).retain(|listener| listener());
    }

    pub fn set_busy(&self, busy: Option<Busy>) {
        *locked(&self.busy) = busy;
    }

    pub fn busy(&self) -> Option<Busy> {
        locked(&self.busy).clone()
    }
}
