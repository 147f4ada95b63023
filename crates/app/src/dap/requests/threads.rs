//! `threads`: the processes that there are at the cut. Thousands of threads freeze an editor, so
//! there are at most `MOST`, the current one first, and a note says how many are left out. Who
//! types to filter finds name, function, mailbox and state in the thread's name.

use super::super::debugging::Debugging;
use super::super::protocol::{OutputCategory, Thread, output};
use super::{Handled, Reaction, Request, thread_id};
use reverl_session::query::living::LivingQuery;
use reverl_session::query::process::ProcessRow;
use reverl_session::text::number;
use serde::Deserialize;
use serde_json::json;

/// Threads that an editor is told of.
const MOST: usize = 500;

/// The request `threads`.
pub struct Threads;

/// What it is asked with.
#[derive(Deserialize)]
pub struct Arguments {}

impl Request for Threads {
    const COMMAND: &'static str = "threads";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, _: Arguments) -> Handled {
        let living = debugging.query(LivingQuery { count: Some(MOST) })?;
        let shown = living.processes.len();
        let thread =
            |row: &ProcessRow| Thread { id: thread_id(row.here.process.proc), name: name(row) };
        let mut threads: Vec<Thread> = living.processes.iter().map(thread).collect();
        let mut notes = vec![];
        if living.count > shown {
            let (shown, all) = (number(shown), number(living.count));
            let note = format!("{shown} of {all} processes are shown");
            if let Some(last) = threads.last_mut() {
                last.name = format!("{} ({note})", last.name);
            }
            if !debugging.has_told_of_many {
                let text = format!("{note}; 'ps' and 'process PID' in the console have all\n");
                notes.push(output(OutputCategory::Console, &text));
                debugging.has_told_of_many = true;
            }
        }
        Ok(Reaction::Events(json!({ "threads": threads }), notes))
    }
}

fn name(row: &ProcessRow) -> String {
    let here = &row.here;
    let function = here.function.as_ref().unwrap_or(&here.entry);
    let mailbox = match row.mailbox {
        0 => String::new(),
        1 => ", 1 message".into(),
        n => format!(", {} messages", number(n)),
    };
    let (pid, called) = (&here.process.pid, &here.process.called);
    format!("{called} {pid} {function}, {}{mailbox}", here.state.name())
}
