//! A property that every execution should have: an Erlang expression over how it ended.

use crate::compile::{CompileError, FunctionSource};
use crate::outcome::{self, show};
use reverl_causal::{ActionKind, System};
use reverl_lang::code::FunId;
use reverl_machine::{Ending, Local, Process, Stop};
use reverl_term::{Atom, Term};
use thiserror::Error;

const MODULE: &str = "reverl_property";

/// A property that does not end by then is broken.
const MOST_STEPS: u64 = 50_000_000;

/// Why a property cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PropertyError {
    #[error("the property cannot be read:\n{0}")]
    Unreadable(CompileError),
    #[error(
        "the property '{0}' may only compute: it must not send, receive, or ask for time, tables \
         or processes"
    )]
    NotPure(String),
}

/// An Erlang function that says of each execution whether it is right.
pub struct Property {
    text: String,
    check: FunId,
}

impl Property {
    /// Compiles the expression into the system's program. It may use `Result` (the value of the
    /// main process, or `{exit, Reason}`, or `blocked`), `Output` (a string) and `Messages`
    /// (`{From, To, Message}` in the order of sending); a fun is applied to `Result`.
    pub fn new(text: &str, system: &System) -> Result<Property, PropertyError> {
        let text = text.trim().trim_end_matches('.');
        let body = format!(
            "_ = {{Result, Output, Messages}},\ncase begin\n{text}\nend of\n\
             Fun when is_function(Fun, 1) -> Fun(Result);\nValue -> Value\nend"
        );
        let source = FunctionSource {
            module: MODULE,
            function: "check",
            parameters: &["Result", "Output", "Messages"],
            body: &body,
            shown_as: "--property",
        };
        let check = system.world().change(|program| {
            let compiled = source.compile(program, None);
            compiled.map_err(|bad| PropertyError::Unreadable(bad.rendered(&program.code.sources)))
        })?;
        Ok(Property { text: text.into(), check })
    }

    /// Why an execution does not have the property, if it does not.
    pub fn broken(&self, system: &System) -> Result<Option<String>, PropertyError> {
        let args = vec![result(system), output(system), messages(system)];
        let local = Local::new(system.execution().proc(system.main).pid, Term::nil());
        let mut process = Process::start(&system.program(), self.check, args, local);
        loop {
            match system.world().run(&mut process, MOST_STEPS) {
                Stop::Load(module) => system.world().load(module),
                Stop::Ended => break,
                Stop::Limit | Stop::OutOf(_) => {
                    return Ok(Some(format!("{} does not end", self.text)));
                }
                _ => {
                    return Err(PropertyError::NotPure(self.text.clone()));
                }
            }
        }
        Ok(match process.ending() {
            Some(Ending::Value(value)) if value.as_bool() == Some(true) => None,
            Some(Ending::Value(value)) if value.as_bool() == Some(false) => {
                Some(format!("{} is false", self.text))
            }
            Some(Ending::Value(value)) => {
                Some(format!("{} gives {} instead of true", self.text, show(value)))
            }
            Some(Ending::Exception(e)) => {
                Some(format!("{} fails with {}", self.text, show(&e.reason)))
            }
            None => None,
        })
    }
}

fn result(system: &System) -> Term {
    match system.execution().proc(system.main).exit() {
        Some(exit) => match &exit.value {
            Some(value) => value.clone(),
            None => Term::tuple(vec![Term::atom(Atom::new("exit")), exit.reason.clone()]),
        },
        None => Term::atom(Atom::new("blocked")),
    }
}

fn output(system: &System) -> Term {
    let text = outcome::output(system, None);
    Term::list(text.chars().map(|c| Term::int(i64::from(u32::from(c)))))
}

fn messages(system: &System) -> Term {
    let execution = system.execution();
    let mut found = vec![];
    for event in execution.events() {
        let Some(action) = execution.action(event) else { continue };
        let signals = match action.what() {
            ActionKind::Send(k) => k..k + 1,
            ActionKind::Request(answered) => answered.effect.signals.clone(),
            _ => 0..0,
        };
        for k in signals {
            let signal = &execution.proc(event.proc).signals[k as usize];
            let to = signal.to().map_or(Term::atom(Atom::new("nobody")), |to| system.pid(to));
            found.push(Term::tuple(vec![system.pid(event.proc), to, signal.message.clone()]));
        }
    }
    Term::list(found)
}
