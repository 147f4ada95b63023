//! `reverl debug`: the terminal debugger, typed or scripted.

mod beside;
pub mod completion;
mod pager;

use crate::fault;
use crate::interrupt;
use crate::open::CommandLine;
use crate::program_args::ProgramArgs;
use clap::Args;
use completion::Words;
use reverl_session::command::{CommandKind, Debugger, Reply, parse};
use reverl_session::fault::guarded;
use reverl_session::text;
use rustyline::Editor;
use rustyline::error::ReadlineError;
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

/// Walk a program's execution in both directions.
#[derive(Args, Clone, Debug)]
pub struct DebugArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Read commands from this file instead of the terminal
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Print one JSON object per command
    #[arg(long)]
    pub json: bool,
    /// Let editors attach to the session on this port
    #[arg(long, value_name = "N", conflicts_with_all = ["script", "json"])]
    pub dap_port: Option<u16>,
}

pub fn run(args: &DebugArgs) -> Result<i32, String> {
    if let Some(port) = args.dap_port {
        return beside::run(args, port);
    }
    let host = CommandLine { args: args.program.clone() };
    let session = host.opening_session()?;
    let mut debugger = Debugger::new(session, Box::new(host));
    let colours = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let mut face = Face { json: args.json, colours, rows: None, failed: false };
    for greeting in debugger.greetings() {
        if !args.json {
            println!("{}", text::reply(&greeting));
        }
    }
    match &args.script {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|e| format!("cannot read the script '{}': {e}", path.display()))?;
            face.script(&mut debugger, text.lines().map(str::to_string));
        }
        None if std::io::stdin().is_terminal() => face.dialogue(&mut debugger)?,
        // Each is answered before the next is read, so that another program can lead the dialogue.
        None => {
            interrupt::catch_ctrl_c();
            face.script(&mut debugger, std::iter::from_fn(read_line));
        }
    }
    Ok(i32::from(face.failed))
}

/// A line of standard input. It is not kept locked: the debugged program may read from it too.
fn read_line() -> Option<String> {
    let mut line = String::new();
    let read = std::io::stdin().read_line(&mut line).ok()?;
    (read > 0).then_some(line)
}

struct Face {
    json: bool,
    /// Only on a terminal: what a program reads stays plain.
    colours: bool,
    /// Of the terminal that a person types at.
    rows: Option<usize>,
    failed: bool,
}

impl Face {
    /// Commands as if typed, each with its answer. A command that cannot be met is answered and
    /// the session goes on; the exit code tells.
    fn script(&mut self, debugger: &mut Debugger, lines: impl Iterator<Item = String>) {
        for line in lines {
            let line = line.trim();
            if line.is_empty() || line.starts_with('%') {
                continue;
            }
            if !self.json {
                println!("(reverl) {line}");
            }
            self.answer(debugger, line);
            if debugger.finished {
                return;
            }
        }
    }

    fn dialogue(&mut self, debugger: &mut Debugger) -> Result<(), String> {
        let mut editor: Editor<Words, _> = Editor::new().map_err(|e| e.to_string())?;
        // After the editor, which sets a handler of its own.
        interrupt::catch_ctrl_c();
        let history = history_file();
        if let Some(path) = &history {
            // No history yet is no problem.
            let _ = editor.load_history(path);
        }
        println!("type 'help' for the commands; Enter repeats a move");
        let mut repetition = Repetition::default();
        while !debugger.finished {
            editor.set_helper(Some(Words { known: debugger.completions() }));
            let is_shown = std::io::stdout().is_terminal();
            self.rows = editor.dimensions().map(|(_, rows)| rows.into()).filter(|_| is_shown);
            match editor.readline("(reverl) ") {
                Ok(line) => {
                    let _ = editor.add_history_entry(line.as_str());
                    self.answer(debugger, &repetition.meant(&line));
                }
                Err(ReadlineError::Interrupted) => println!("'quit' leaves"),
                Err(ReadlineError::Eof) => break,
                Err(error) => return Err(error.to_string()),
            }
        }
        if let Some(path) = &history {
            let _ = editor.save_history(path);
        }
        self.failed = false;
        Ok(())
    }

    fn answer(&mut self, debugger: &mut Debugger, line: &str) {
        debugger.session.set_interrupt(Some(interrupt::of_command()));
        fault::note(line);
        let reply = match guarded(line, || debugger.command(line)) {
            Ok(reply) => reply.map_err(|why| why.to_string()),
            Err(fault) => {
                debugger.recover();
                Err(fault.to_string())
            }
        };
        interrupt::clear();
        if debugger.session.was_interrupted() && !self.json {
            println!("stopped");
        }
        let output = debugger.new_output();
        // Whoever reads may have had enough.
        let _ = match self.json {
            true => print_json(line, &reply, &output),
            false => self.print_text(&reply, &output),
        };
        self.failed |= reply.is_err();
    }

    fn print_text(&self, reply: &Result<Reply, String>, output: &str) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        if !output.is_empty() {
            write!(out, "{output}")?;
            if !output.ends_with('\n') {
                writeln!(out)?;
            }
        }
        match reply.as_ref().map(text::reply) {
            Ok(text) if text.is_empty() => Ok(()),
            Ok(text) => {
                let text = self.painted(&text);
                match self.rows.is_some_and(|rows| pager::show(&text, rows)) {
                    true => Ok(()),
                    false => writeln!(out, "{text}"),
                }
            }
            Err(why) if self.colours => writeln!(out, "\x1b[31m{why}\x1b[0m"),
            Err(why) => writeln!(out, "{why}"),
        }
    }
}

fn print_json(line: &str, reply: &Result<Reply, String>, output: &str) -> std::io::Result<()> {
    let object = match reply {
        Ok(reply) => {
            let text = text::reply(reply);
            json!({ "command": line, "ok": true, "text": text, "data": reply, "output": output })
        }
        Err(why) => json!({ "command": line, "ok": false, "error": why, "output": output }),
    };
    writeln!(std::io::stdout().lock(), "{object}")
}

impl Face {
    /// Pids stand out, the current line of a listing too; nothing is told by colour alone.
    fn painted(&self, text: &str) -> String {
        if !self.colours {
            return text.to_string();
        }
        let paint = |line: &str| match line.starts_with("> ") {
            true => format!("\x1b[1m{line}\x1b[0m"),
            false => painted_pids(line),
        };
        text.lines().map(paint).collect::<Vec<_>>().join("\n")
    }
}

fn painted_pids(line: &str) -> String {
    let mut painted = String::new();
    let mut rest = line;
    while let Some(start) = rest.find("<0.") {
        let Some(end) = rest[start..].find('>') else { break };
        let (before, pid) = (&rest[..start], &rest[start..=start + end]);
        painted.push_str(&format!("{before}\x1b[36m{pid}\x1b[0m"));
        rest = &rest[start + end + 1..];
    }
    painted + rest
}

fn history_file() -> Option<PathBuf> {
    let home = std::env::var_os("HOME")?;
    Some(PathBuf::from(home).join(".reverl_history"))
}

/// What an empty line means: the last command again, if it moved.
#[derive(Default)]
struct Repetition {
    last: Option<String>,
}

impl Repetition {
    /// The line that is meant.
    fn meant(&mut self, line: &str) -> String {
        if line.trim().is_empty() {
            return self.last.clone().unwrap_or_default();
        }
        let moves = |kind| matches!(kind, CommandKind::Moves | CommandKind::RunsOn);
        let is_move = parse(line).is_ok_and(|command| moves(command.kind()));
        self.last = is_move.then(|| line.to_string());
        line.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_line_repeats_a_move_and_nothing_else() {
        let mut said = Repetition::default();
        assert_eq!(said.meant(""), "");
        assert_eq!(said.meant("step 3"), "step 3");
        assert_eq!(said.meant(""), "step 3");
        assert_eq!(said.meant(" "), "step 3");
        assert_eq!(said.meant("where"), "where");
        assert_eq!(said.meant(""), "");
        assert_eq!(said.meant("c"), "c");
        assert_eq!(said.meant(""), "c");
        assert_eq!(said.meant("restart"), "restart");
        assert_eq!(said.meant(""), "");
    }
}
