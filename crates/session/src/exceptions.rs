//! The exceptions that a process has raised: where, of which class, and who caught them.
//!
//! An exception that was caught is seen where its handler begins; the step before is the one that
//! raises it. One that nobody caught is seen in the exit of its process. Exceptions that a library
//! raises and catches by itself are not the program's business.

use crate::crash;
use crate::outcome;
use crate::scope;
use crate::session::Session;
use crate::stops::{Search, Stops};
use reverl_causal::ProcId;
use reverl_lang::code::{Code, Pc, Reg};
use reverl_machine::Process;
use reverl_term::{Atom, Term};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::fmt;
use ts_rs::TS;

/// At which exceptions a run stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum ExceptionStop {
    /// Of class `error`, caught or not.
    Error,
    Exit,
    Throw,
    /// Of any class, if the program's own code does not catch it.
    Uncaught,
    /// What ends its process.
    Crash,
}

impl ExceptionStop {
    pub const ALL: [ExceptionStop; 5] = [
        ExceptionStop::Error,
        ExceptionStop::Exit,
        ExceptionStop::Throw,
        ExceptionStop::Uncaught,
        ExceptionStop::Crash,
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            ExceptionStop::Error => "error",
            ExceptionStop::Exit => "exit",
            ExceptionStop::Throw => "throw",
            ExceptionStop::Uncaught => "uncaught",
            ExceptionStop::Crash => "crash",
        }
    }

    pub fn named(name: &str) -> Option<ExceptionStop> {
        ExceptionStop::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Who catches an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Catcher {
    /// The program's own code.
    Program,
    /// A library that looks after the process.
    Library,
    /// Nobody: it ends the process.
    Nobody,
}

/// An exception that was raised.
#[derive(Clone, Debug)]
pub struct RaisedException {
    /// The process is about to raise it.
    pub step: u64,
    pub class: Atom,
    pub reason: Term,
    pub catcher: Catcher,
    /// It ends its process, now or when the library that caught it says so.
    pub is_crash: bool,
}

impl RaisedException {
    /// Whether a run that stops at these stops at this one.
    pub fn is_of(&self, kind: ExceptionStop) -> bool {
        match kind {
            ExceptionStop::Error | ExceptionStop::Exit | ExceptionStop::Throw => {
                self.class.name() == kind.name()
            }
            ExceptionStop::Uncaught => self.catcher != Catcher::Program,
            ExceptionStop::Crash => self.is_crash,
        }
    }
}

impl fmt::Display for RaisedException {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.class.name(), outcome::show(&self.reason))
    }
}

/// The exceptions of an execution, found once for its length.
#[derive(Default)]
pub struct KnownExceptions {
    branch: String,
    procs: HashMap<ProcId, Known>,
}

#[derive(Default)]
struct Known {
    /// Up to this step, handlers were looked for.
    seen: Option<u64>,
    has_exit: bool,
    raised: Vec<RaisedException>,
}

/// Where handlers begin, and where each has class and reason.
fn handlers(code: &Code) -> HashMap<Pc, Reg> {
    let all = code.funs.iter().flat_map(|info| &info.handlers);
    all.map(|handler| (handler.target, handler.reg)).collect()
}

/// The positions at which handlers begin.
pub fn handler_stops(code: &Code) -> Stops {
    let mut stops = Stops::default();
    handlers(code).into_keys().for_each(|pc| stops.insert((pc, 0), 0));
    stops
}

/// The exception with which a process has come to the beginning of a handler at a step.
pub fn caught(
    session: &Session,
    proc: ProcId,
    process: &Process,
    step: u64,
) -> Option<RaisedException> {
    let program = session.system.program();
    let code = &program.code;
    let handlers = handlers(code);
    let reg = *handlers.get(&process.pc())? as usize;
    let (class, reason) =
        (process.registers().get(reg)?.as_atom()?, process.registers().get(reg + 1)?);
    let before = session.system.state_at(proc, step.checked_sub(1)?);
    // Coming from a handler that did not want it, it is the same exception.
    if handlers.contains_key(&before.pc()) {
        return None;
    }
    let own = session.own();
    let levels = scope::levels(code, &before, step - 1);
    let passed = before.depth().saturating_sub(process.depth()) + 1;
    let concerns = levels.iter().take(passed).any(|level| own.contains(&level.module));
    let catching = code.fun(code.fun_at(process.pc())).module;
    let catcher = if own.contains(&catching) { Catcher::Program } else { Catcher::Library };
    let reason = reason.clone();
    concerns.then_some(RaisedException { step: step - 1, class, reason, catcher, is_crash: false })
}

/// The exception that ended a process, at the place of the program's own code that raised it.
fn of_exit(session: &Session, own: &HashSet<Atom>, proc: ProcId) -> Option<RaisedException> {
    let exit = session.execution().proc(proc).exit()?;
    if outcome::is_normal(&exit.reason) || exit.killed_by.is_some() {
        return None;
    }
    let last = session.execution().proc(proc).steps.saturating_sub(1);
    let step = crash::of_exit(session, own, proc).map_or(last, |raise| raise.step);
    let class = exit.exception.as_ref().map_or("exit", |exception| exception.class.atom().name());
    let reason = outcome::short_reason(&exit.reason);
    let (class, catcher) = (Atom::new(class), Catcher::Nobody);
    Some(RaisedException { step, class, reason, catcher, is_crash: true })
}

impl Session {
    /// The exceptions that a process has raised in this execution, in order.
    pub fn exceptions(&self, proc: ProcId) -> Vec<RaisedException> {
        let mut all = self.cache.exceptions.borrow_mut();
        if all.branch != self.branch_name() {
            *all = KnownExceptions { branch: self.branch_name().into(), procs: HashMap::new() };
        }
        let known = all.procs.entry(proc).or_default();
        self.learn_exceptions(proc, known);
        known.raised.clone()
    }

    fn learn_exceptions(&self, proc: ProcId, known: &mut Known) {
        let last = self.execution().proc(proc).steps;
        let from = known.seen.map_or(0, |seen| seen + 1);
        if from <= last {
            let stops = handler_stops(&self.system.program().code);
            let mut search = Search::new(self, proc, &stops, from, last);
            while let Some((step, _)) = search.advance() {
                known.raised.extend(caught(self, proc, search.process(), step));
            }
            // What was cut short is looked through again.
            known.seen = if self.was_interrupted() { known.seen } else { Some(last) };
        }
        if !known.has_exit && self.execution().proc(proc).exit().is_some() {
            known.has_exit = true;
            if let Some(ended) = of_exit(self, &self.own(), proc) {
                match known.raised.iter_mut().rev().find(|raised| is_same(raised, &ended)) {
                    Some(same) => same.is_crash = true,
                    None => known.raised.push(ended),
                }
            }
        }
        known.raised.sort_by_key(|raised| raised.step);
    }
}

/// A library that catches an exception often ends the process with it later.
fn is_same(raised: &RaisedException, ended: &RaisedException) -> bool {
    raised.catcher == Catcher::Library
        && (raised.step == ended.step
            || crate::origin::contains(&ended.reason, &outcome::short_reason(&raised.reason)))
}
