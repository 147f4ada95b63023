//! A property that every execution should have: an Erlang expression over how it ended.

use reverl_causal::{System, What};
use reverl_lang::code::FunId;
use reverl_lang::diagnostic::Diagnostic;
use reverl_lang::lint::lint;
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use reverl_machine::{Ending, Local, Process, Program, Stop};
use reverl_session::outcome::{self, show};
use reverl_term::{Atom, Term};
use std::path::Path;

const MODULE: &str = "reverl_property";

/// A property that does not end by then is broken.
const MOST_STEPS: u64 = 50_000_000;

pub struct Property {
    text: String,
    check: FunId,
}

impl Property {
    /// Compiles the expression into the system's program. It may use `Result` (the value of the
    /// main process, or `{exit, Reason}`, or `blocked`), `Output` (a string) and `Messages`
    /// (`{From, To, Message}` in the order of sending); a fun is applied to `Result`.
    pub fn new(text: &str, system: &System) -> Result<Property, String> {
        let body = text.trim().trim_end_matches('.');
        let source = format!(
            "-module({MODULE}).\n-export([check/3]).\ncheck(Result, Output, Messages) ->\n\
             _ = {{Result, Output, Messages}},\ncase begin\n{body}\nend of\n\
             Fun when is_function(Fun, 1) -> Fun(Result);\nValue -> Value\nend.\n"
        );
        let check = system.world().change(|program| Property::compile(program, source))?;
        Ok(Property { text: body.into(), check })
    }

    fn compile(program: &mut Program, source: String) -> Result<FunId, String> {
        let sources = &mut program.code.sources;
        let path = Path::new("--property");
        let (module, mut problems) =
            load_bytes(path, source.into_bytes(), &Options::default(), sources);
        problems.extend(module.iter().flat_map(lint));
        match (module, problems.into_iter().find(Diagnostic::is_error)) {
            (Some(module), None) => program.load(&module),
            (_, problem) => {
                let shown = problem.map(|d| d.render(&program.code.sources));
                return Err(format!("the property cannot be read:\n{}", shown.unwrap_or_default()));
            }
        }
        let check = program.function(Atom::new(MODULE), Atom::new("check"), 3);
        check.ok_or_else(|| "the property was not loaded".into())
    }

    /// Why an execution does not have the property, if it does not.
    pub fn broken(&self, system: &System) -> Result<Option<String>, String> {
        let args = vec![result(system), output(system), messages(system)];
        let local = Local::new(system.execution.proc(system.main).pid, Term::nil());
        let mut process = Process::start(&system.program(), self.check, args, local);
        loop {
            match system.world().run(&mut process, MOST_STEPS) {
                Stop::Load(module) => system.world().load(module),
                Stop::Ended => break,
                Stop::Limit | Stop::OutOf(_) => {
                    return Ok(Some(format!("{} does not end", self.text)));
                }
                _ => {
                    return Err(format!(
                        "the property '{}' may only compute: it must not send, receive, or ask \
                         for time, tables or processes",
                        self.text
                    ));
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
    match system.execution.proc(system.main).exit() {
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
    let execution = &system.execution;
    let mut found = vec![];
    for event in execution.events() {
        let Some(action) = execution.action(event) else { continue };
        let signals = match action.what() {
            What::Send(k) => k..k + 1,
            What::Request(answered) => answered.effect.signals.clone(),
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
