//! The open sessions, by number.

use super::interface::{SessionList, SessionRow};
use super::session_thread::Opening;
use super::worker::Worker;
use crate::program_args::ProgramArgs;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All sessions of a server.
pub struct Sessions {
    program: ProgramArgs,
    opening: Opening,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    made: u64,
    workers: BTreeMap<u64, Arc<Worker>>,
}

impl Sessions {
    pub fn new(program: ProgramArgs, opening: Opening) -> Sessions {
        Sessions { program, opening, open: Mutex::default() }
    }

    fn opened(&self) -> MutexGuard<'_, Open> {
        // One session that failed is no reason to lose the others.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a recording, or the program of the command line once more.
    pub fn open(&self, recording: Option<&str>) -> Result<u64, String> {
        let mut program = self.program.clone();
        if let Some(path) = recording {
            program.files = vec![PathBuf::from(path)];
        }
        let worker = Worker::start(program, self.opening)?;
        Ok(self.add(Arc::new(worker)))
    }

    /// A session that was opened elsewhere is one of these.
    pub fn add(&self, worker: Arc<Worker>) -> u64 {
        let mut open = self.opened();
        open.made += 1;
        let id = open.made;
        open.workers.insert(id, worker);
        id
    }

    /// The session that was opened last.
    pub fn newest(&self) -> Option<Arc<Worker>> {
        self.opened().workers.values().next_back().cloned()
    }

    pub fn close(&self, id: u64) -> Result<(), String> {
        let worker = self.opened().workers.remove(&id);
        worker.map(|w| w.cancel()).ok_or_else(|| missing(id))
    }

    pub fn worker(&self, id: u64) -> Result<Arc<Worker>, String> {
        self.opened().workers.get(&id).cloned().ok_or_else(|| missing(id))
    }

    pub fn list(&self) -> SessionList {
        let open = self.opened();
        let row = |(id, w): (&u64, &Arc<Worker>)| SessionRow { id: *id, title: w.title() };
        SessionList { sessions: open.workers.iter().map(row).collect() }
    }
}

fn missing(id: u64) -> String {
    format!("there is no session {id}; it was closed, or the server was started anew")
}
