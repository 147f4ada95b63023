//! `reverl debug --dap-port N`: the session is on a thread of its own, so that an editor can use it
//! beside the terminal. What one moves, the other is told.

use super::completion::Words;
use super::{DebugArgs, read_line};
use crate::dap;
use crate::ui::interface::{Action, Done};
use crate::ui::session_thread::Opening;
use crate::ui::worker::Worker;
use reverl_session::command::{CommandInput, CommandKind, parse};
use rustyline::Editor;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::mpsc::channel;

pub fn run(args: &DebugArgs, port: u16) -> Result<i32, String> {
    let worker = Arc::new(Worker::start(args.program.clone(), Opening::AtStart)?);
    let (editors, offered) = (dap::listen(port)?, worker.clone());
    std::thread::spawn(move || dap::serve_port(editors, &|| Some(offered.clone())));
    match std::io::stdin().is_terminal() {
        true => typed(&worker),
        false => {
            std::iter::from_fn(read_line).all(|line| answer(&worker, line.trim()));
            Ok(0)
        }
    }
}

fn typed(worker: &Worker) -> Result<i32, String> {
    let mut editor: Editor<Words, _> = Editor::new().map_err(|e| e.to_string())?;
    loop {
        if let Ok(known) = worker.ask(|debugger| debugger.completions()) {
            editor.set_helper(Some(Words { known }));
        }
        let Ok(line) = editor.readline("(reverl) ") else { return Ok(0) };
        let _ = editor.add_history_entry(line.as_str());
        if !answer(worker, line.trim()) {
            return Ok(0);
        }
    }
}

/// Carries out a line and prints the answer; false if it leaves.
fn answer(worker: &Worker, line: &str) -> bool {
    if line.is_empty() || line.starts_with('%') {
        return true;
    }
    if parse(line).is_ok_and(|command| command.kind() == CommandKind::Leaves) {
        return false;
    }
    let (send, done) = channel();
    let action = Action::Command { command: CommandInput::Text(line.into()), proc: None };
    let begun = worker.begin(action, move |done| drop(send.send(done)));
    let done: Done = match begun.and_then(|_| done.recv().map_err(|e| e.to_string())) {
        Ok(done) => done,
        Err(why) => Done::failed(why),
    };
    match &done.error {
        Some(why) => println!("{why}"),
        None if done.text.is_empty() => {}
        None => println!("{}", done.text),
    }
    true
}
