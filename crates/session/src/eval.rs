//! Expressions that people type, evaluated in the scope of a process without touching the
//! execution: nothing is sent, spawned or written.

use reverl_causal::{System, World};
use reverl_lang::diagnostic::Diagnostic;
use reverl_lang::lint::lint;
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use reverl_machine::{Class, Ending, Local, Process, Program, Stop};
use reverl_term::{Atom, Term};
use std::path::Path;

/// How long an expression may run.
const STEPS: u64 = 20_000_000;

/// Why there is no value.
pub enum NoValue {
    /// It cannot be read; the text says why.
    Unreadable(String),
    Raised(Class, Term),
    /// It would do what only the program may do.
    Effect(String),
    TooLong,
}

impl NoValue {
    pub fn text(&self) -> String {
        match self {
            NoValue::Unreadable(why) => why.trim_end().to_string(),
            NoValue::Raised(class, reason) => {
                format!("{}: {}", class.atom().name(), crate::outcome::show(reason))
            }
            NoValue::Effect(what) => {
                format!("{what} would change the execution: print can only look")
            }
            NoValue::TooLong => "it takes more than 20 million steps".into(),
        }
    }
}

/// A typed expression, compiled for one list of variables.
pub struct Compiled {
    fun: reverl_lang::code::FunId,
}

/// Compiles `text` with the variables as parameters; local functions and records are those of
/// `module`.
pub fn compile(
    world: &World,
    text: &str,
    variables: &[Atom],
    module: Option<Atom>,
) -> Result<Compiled, NoValue> {
    world.change(|program| compile_into(program, text, variables, module))
}

fn compile_into(
    program: &mut Program,
    text: &str,
    variables: &[Atom],
    module: Option<Atom>,
) -> Result<Compiled, NoValue> {
    // Modules are never unloaded, so each expression is one of its own.
    let name = format!("reverl_eval_{}", program.code.funs.len());
    let parameters: Vec<&str> = variables.iter().map(|v| v.name()).collect();
    let body = text.trim().trim_end_matches('.');
    let head = format!("main({}) ->\n", parameters.join(", "));
    let source = format!("-module({name}).\n-export([main/{}]).\n{head}{body}.\n", variables.len());
    let mut sources = std::mem::take(&mut program.code.sources);
    let (parsed, mut problems) =
        load_bytes(Path::new("print"), source.into_bytes(), &Options::default(), &mut sources);
    program.code.sources = sources;
    let mut parsed = parsed;
    let context = module.and_then(|m| program.code.modules.get(&m));
    if let (Some(parsed), Some(context)) = (&mut parsed, context) {
        parsed.records = context.records.clone();
    }
    // Functions of the module are unknown to lint, but not to us.
    let known =
        |d: &Diagnostic| d.message.starts_with("function ") && d.message.ends_with(" undefined");
    problems.extend(parsed.iter().flat_map(lint).filter(|d| !known(d)));
    match (parsed, problems.into_iter().find(Diagnostic::is_error)) {
        (Some(parsed), None) => {
            program.load_into(&parsed, module.unwrap_or(parsed.name));
            let fun = program.code.exported(parsed.name, Atom::new("main"), variables.len() as u32);
            Ok(Compiled { fun: fun.expect("just loaded") })
        }
        (_, Some(problem)) => Err(NoValue::Unreadable(problem.message)),
        (None, None) => Err(NoValue::Unreadable("there is no expression".into())),
    }
}

/// Evaluates with these values of the variables.
pub fn evaluate(
    system: &System,
    compiled: &Compiled,
    values: Vec<Term>,
    local: Local,
) -> Result<Term, NoValue> {
    let mut process = Process::start(&system.program(), compiled.fun, values, local);
    loop {
        match system.world().run(&mut process, STEPS) {
            Stop::Limit | Stop::OutOf(_) => return Err(NoValue::TooLong),
            Stop::Load(module) => system.world().load(module),
            Stop::Send { .. } => return Err(NoValue::Effect("sending".into())),
            Stop::Wait { .. } | Stop::Received(_) | Stop::Watched => {
                return Err(NoValue::Effect("receiving".into()));
            }
            Stop::Request { builtin, .. } => {
                let b = Program::builtin(builtin);
                return Err(NoValue::Effect(format!("{}:{}/{}", b.module, b.name, b.arity)));
            }
            Stop::Ended => break,
        }
    }
    match process.ending() {
        Some(Ending::Value(value)) => Ok(value.clone()),
        Some(Ending::Exception(e)) => Err(NoValue::Raised(e.class, e.reason.clone())),
        None => Err(NoValue::TooLong),
    }
}
