//! Expressions that people type, evaluated in the scope of a process without touching the
//! execution: nothing is sent, spawned or written.

use crate::compile::FunctionSource;
use crate::language;
use crate::outcome::show;
use crate::scope;
use crate::session::Session;
use crate::viewpoint::Viewpoint;
use reverl_causal::{Cut, ProcId, SignalId, System, World};
use reverl_lang::code::FunId;
use reverl_machine::{Class, Ending, Local, Process, Program, Raise, Stop};
use reverl_term::{Atom, Term};
use std::cell::RefCell;
use std::collections::HashMap;
use thiserror::Error;

/// How long an expression may run.
const STEPS: u64 = 20_000_000;

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum NoValue {
    /// It cannot be read; the text says why.
    #[error("{}", .0.trim_end())]
    Unreadable(String),
    #[error("{}: {}", .0.atom().name(), show(.1))]
    Raised(Class, Term),
    /// It would do what only the program may do.
    #[error("{0} would change the execution: print can only look")]
    Effect(String),
    #[error("stopped")]
    Stopped,
    #[error("it takes more than 20 million steps")]
    TooLong,
}

/// A typed expression, compiled for one list of variables.
#[derive(Clone, Copy)]
pub struct Compiled {
    fun: FunId,
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
    let text = &*language::erlang(text, variables);
    let parameters: Vec<&str> = variables.iter().map(|v| v.name()).collect();
    // Modules are never unloaded, so each expression is one of its own.
    let name = format!("reverl_eval_{}", program.code.funs.len());
    let source = FunctionSource {
        module: &name,
        function: "main",
        parameters: &parameters,
        body: text,
        shown_as: "print",
    };
    let fun = source.compile(program, module).map_err(|bad| match bad.problem {
        Some(problem) => NoValue::Unreadable(problem.message),
        None => NoValue::Unreadable("there is no expression".into()),
    })?;
    Ok(Compiled { fun })
}

/// A typed expression that is asked for in many places: compiled once for each scope.
pub struct Typed {
    text: String,
    compiled: RefCell<HashMap<(Atom, Vec<Atom>), Compiled>>,
}

impl Typed {
    /// The expression as it was typed.
    pub fn new(text: &str) -> Typed {
        Typed { text: text.into(), compiled: RefCell::default() }
    }

    /// Its value among the variables of a process that was brought to `step`.
    pub fn value(&self, session: &Session, process: &Process, step: u64) -> Result<Term, NoValue> {
        let system = &session.system;
        let (module, bound) = {
            let program = system.program();
            let code = &program.code;
            let module = code.fun(code.fun_at(process.pc())).module;
            (module, scope::bindings_at(code, process, step))
        };
        let (names, values): (Vec<_>, Vec<_>) = bound.into_iter().unzip();
        self.among(session, (module, names), values, process.local.clone())
    }

    /// Its value among these variables, as a function of a module.
    pub fn among(
        &self,
        session: &Session,
        key: (Atom, Vec<Atom>),
        values: Vec<Term>,
        local: Local,
    ) -> Result<Term, NoValue> {
        let system = &session.system;
        let known = self.compiled.borrow().get(&key).copied();
        let compiled = match known {
            Some(compiled) => compiled,
            None => {
                let compiled = compile(system.world(), &self.text, &key.1, Some(key.0))?;
                self.compiled.borrow_mut().insert(key, compiled);
                compiled
            }
        };
        evaluate(system, &compiled, values, local)
    }
}

impl std::fmt::Display for Typed {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}", self.text)
    }
}

/// The pattern of a message, as it stands before the arrow of a clause.
pub struct Pattern {
    compiled: Compiled,
}

/// A text that cannot be used as a pattern.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("'{text}' is not a pattern: {why}")]
pub struct NotAPattern {
    pub text: String,
    pub why: NoValue,
}

impl Pattern {
    /// Compiles a pattern, with the records of the program.
    pub fn new(system: &System, text: &str) -> Result<Pattern, NotAPattern> {
        let code = format!("case M of {text} -> true; _ -> false end");
        let compiled = compile(system.world(), &code, &[Atom::new("M")], None)
            .map_err(|why| NotAPattern { text: text.into(), why })?;
        Ok(Pattern { compiled })
    }

    /// Whether a message matches, in the eyes of a process.
    pub fn matches(&self, system: &System, proc: ProcId, id: SignalId) -> bool {
        let message = system.execution().signal(id).message.clone();
        self.matches_term(system, system.running(proc).process.local.clone(), message)
    }

    /// Whether a value matches.
    pub fn matches_term(&self, system: &System, local: Local, message: Term) -> bool {
        let matched = evaluate(system, &self.compiled, vec![message], local);
        matched.is_ok_and(|v| v.as_bool() == Some(true))
    }
}

/// Evaluates with these values of the variables.
pub fn evaluate(
    system: &System,
    compiled: &Compiled,
    values: Vec<Term>,
    local: Local,
) -> Result<Term, NoValue> {
    evaluate_with(system, compiled, values, local, &mut |_, _| Ok(None))
}

/// Evaluates as a process would at a moment, with what there is then: tables, names, processes.
pub fn evaluate_at(
    seen: &Viewpoint,
    proc: ProcId,
    compiled: &Compiled,
    values: Vec<Term>,
) -> Result<Term, NoValue> {
    let session = seen.session;
    let local = seen.state(proc).local.clone();
    // A copy of the system at this moment is made only if something is looked at.
    let mut copy: Option<System> = None;
    let mut look = |builtin: u32, args: &[Term]| {
        if copy.is_none() {
            copy = session.system.branch_while(&seen.cut, &mut |_| !session.has_to_stop());
        }
        Ok(copy.as_mut().ok_or(NoValue::Stopped)?.look_aside(proc, builtin, args))
    };
    evaluate_with(&session.system, compiled, values, local, &mut look)
}

/// Evaluates as the main process would at the end of an execution, with what there is then.
pub fn evaluate_now(
    system: &System,
    compiled: &Compiled,
    values: Vec<Term>,
) -> Result<Term, NoValue> {
    let local = Local::new(system.execution().proc(system.main).pid, Term::nil());
    let mut copy: Option<System> = None;
    let mut look = |builtin: u32, args: &[Term]| {
        let copy = copy.get_or_insert_with(|| system.branch(&Cut::end(system.execution())));
        Ok(copy.look_aside(system.main, builtin, args))
    };
    evaluate_with(system, compiled, values, local, &mut look)
}

/// Answers a question to the system, unless it is more than a look.
type Look<'l> = &'l mut dyn FnMut(u32, &[Term]) -> Result<Option<Answer>, NoValue>;

/// What a built-in answers.
type Answer = Result<Term, Raise>;

fn evaluate_with(
    system: &System,
    compiled: &Compiled,
    values: Vec<Term>,
    local: Local,
    look: Look,
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
            Stop::Request { builtin, args } => match look(builtin, &args)? {
                Some(answer) => process.answer(&system.program(), answer),
                None => {
                    let b = Program::builtin(builtin);
                    return Err(NoValue::Effect(format!("{}:{}/{}", b.module, b.name, b.arity)));
                }
            },
            Stop::Ended => break,
        }
    }
    match process.ending() {
        Some(Ending::Value(value)) => Ok(value.clone()),
        Some(Ending::Exception(e)) => Err(NoValue::Raised(e.class, e.reason.clone())),
        None => Err(NoValue::TooLong),
    }
}
