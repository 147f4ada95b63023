//! One process at the cut: where it is, its calls with their variables, its mailbox.

use super::messages::{self, Messages, mailbox};
use super::term::{ShownTerm, line};
use super::{Detail, ProcRef, Query, process_numbered};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::language;
use crate::outcome;
use crate::scope::{self, Level};
use crate::session::Session;
use crate::{describe, walk};
use reverl_causal::{ActionKind, ProcId};
use reverl_machine::Process;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Calls beyond this are only counted.
pub const MOST_CALLS: usize = 200;
/// So much of an expression is shown.
const MOST_EXPRESSION: usize = 1_000;

/// What a process is about at the cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum ProcessState {
    Unspawned,
    Running,
    Waiting,
    Exited,
    /// It has exited, and not normally.
    Crashed,
}

impl ProcessState {
    pub fn name(self) -> &'static str {
        match self {
            ProcessState::Unspawned => "unspawned",
            ProcessState::Running => "running",
            ProcessState::Waiting => "waiting",
            ProcessState::Exited => "exited",
            ProcessState::Crashed => "crashed",
        }
    }

    fn of(session: &Session, proc: ProcId, process: &Process) -> ProcessState {
        let (execution, cut) = (session.system.execution(), &session.cut);
        if !cut.is_spawned(execution, proc) {
            return ProcessState::Unspawned;
        }
        if cut.has_exited(execution, proc) {
            let exit = execution.proc(proc).exit();
            return match exit.is_some_and(|e| !outcome::is_normal(&e.reason)) {
                true => ProcessState::Crashed,
                false => ProcessState::Exited,
            };
        }
        if process.is_waiting() { ProcessState::Waiting } else { ProcessState::Running }
    }
}

/// Where a process is: what every move is answered with.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Here {
    #[serde(flatten)]
    pub process: ProcRef,
    /// Who spawned it: `P.1.2` is the second child of the first child of the main process.
    pub path: String,
    /// What it was started to do.
    pub entry: String,
    pub state: ProcessState,
    pub step: u64,
    /// None where no function of a program runs: before the first step and after the last.
    pub function: Option<String>,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// The text of the line.
    pub source: Option<String>,
    /// The reduction that comes next.
    pub rule: Option<String>,
    /// The expression that is reduced next.
    pub expression: Option<String>,
}

pub fn here(session: &Session, proc: ProcId) -> Here {
    let system = &session.system;
    let mut here = Here {
        process: ProcRef::of(system, proc),
        path: system.execution().proc(proc).path.to_string(),
        entry: describe::initial_call(system, proc),
        state: ProcessState::Unspawned,
        step: session.steps_of(proc),
        function: None,
        file: None,
        line: None,
        column: None,
        source: None,
        rule: None,
        expression: None,
    };
    if session.cut.is_spawned(system.execution(), proc) {
        let process = session.state(proc);
        here.state = ProcessState::of(session, proc, &process);
        look_up(session, &process, &mut here);
    }
    here
}

/// What the code says about where a process is.
fn look_up(session: &Session, process: &Process, here: &mut Here) {
    let program = session.system.program();
    let code = &program.code;
    let place = walk::place_of(code, process, here.step);
    let at = scope::here(code, process, here.step);
    let info = code.fun(code.fun_at(place.pc));
    if info.module.name() == "reverl_boot" {
        return;
    }
    here.function = Some(describe::mfa((info.module, info.name, u32::from(info.arity))));
    let (file, line) = place.line.unzip();
    (here.file, here.line) = (file.map(|f| f.to_string()), line);
    let position = code.sources.line_col(at.span);
    here.column = Some(position.column);
    here.rule = at.next.map(|(rule, _)| format!("{rule:?}").to_lowercase());
    let file = code.sources.get(at.span.file);
    here.source = file.and_then(|f| f.line_text(position.line)).map(str::to_string);
    let text = file.and_then(|f| f.text.as_ref());
    let text = text.and_then(|t| t.get(at.span.start as usize..at.span.end as usize));
    here.expression = text.map(|t| t.chars().take(MOST_EXPRESSION).collect());
}

/// What a list shows of a process.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ProcessRow {
    #[serde(flatten)]
    pub here: Here,
    /// How many messages wait.
    pub mailbox: usize,
}

pub fn row(session: &Session, proc: ProcId) -> ProcessRow {
    ProcessRow { here: here(session, proc), mailbox: mailbox_length(session, proc) }
}

/// Counted, not listed: what has arrived less what was taken.
pub fn mailbox_length(session: &Session, proc: ProcId) -> usize {
    let p = session.execution().proc(proc);
    let place = session.cut.place(proc);
    let arrived = p.deliveries.iter().take(place.deliveries as usize).filter(|d| d.in_mailbox());
    let acted = p.actions.iter().take(p.actions_at(place.steps));
    let taken = acted.filter(|a| matches!(a.what(), ActionKind::Receive(_))).count();
    arrived.count().saturating_sub(taken)
}

#[derive(Clone, Debug, Serialize, TS)]
pub struct Binding {
    pub name: String,
    #[serde(flatten)]
    pub value: ShownTerm,
}

/// A call in progress.
#[derive(Clone, Debug, Serialize, TS)]
pub struct CallRow {
    pub function: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub bindings: Vec<Binding>,
}

/// The calls in progress, the innermost first.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Calls {
    /// How many there are; the list may have fewer.
    pub depth: usize,
    pub calls: Vec<CallRow>,
}

pub fn calls(session: &Session, proc: ProcId, most: usize, detail: Detail) -> Calls {
    let levels = scope::levels_at_cut(session, proc);
    let calls = levels.iter().take(most).map(|level| call(session, level, detail)).collect();
    Calls { depth: levels.len(), calls }
}

fn call(session: &Session, level: &Level, detail: Detail) -> CallRow {
    let program = session.system.program();
    let (file, line) = program.code.sources.shown_at(level.span).unzip();
    let binding = |(name, value): (String, reverl_term::Term)| Binding {
        name,
        value: ShownTerm::of(&value, detail),
    };
    CallRow {
        function: describe::mfa((level.module, level.name, level.arity)),
        file: file.map(|f| f.to_string()),
        line,
        bindings: language::visible(&level.bindings).into_iter().map(binding).collect(),
    }
}

/// Everything that a face shows of one process.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ProcessView {
    #[serde(flatten)]
    pub row: ProcessRow,
    #[serde(flatten)]
    pub calls: Calls,
    /// The reason, if it has exited here.
    pub exit: Option<String>,
    /// The value of its function, if that has returned here.
    pub result: Option<String>,
    pub waiting: Messages,
}

pub fn whole(session: &Session, proc: ProcId, detail: Detail) -> ProcessView {
    let spawned = session.cut.is_spawned(session.execution(), proc);
    let ended = session.cut.has_exited(session.execution(), proc);
    let exit = session.execution().proc(proc).exit().filter(|_| ended);
    let calls = match spawned {
        true => calls(session, proc, MOST_CALLS, detail),
        false => Calls { depth: 0, calls: vec![] },
    };
    ProcessView {
        row: row(session, proc),
        calls,
        exit: exit.map(|e| line(&e.reason, detail)),
        result: exit.and_then(|e| e.value.as_ref()).map(|value| line(value, detail)),
        waiting: mailbox(session, proc, messages::MOST, detail),
    }
}

#[derive(Deserialize, TS)]
pub struct ProcessQuery {
    proc: u32,
}

impl Query for ProcessQuery {
    const NAME: &'static str = "process";
    const HELP: &'static str = "one process: calls, variables, mailbox";
    type Answer = ProcessView;

    fn answer(&self, debugger: &Debugger) -> Result<ProcessView, QueryError> {
        let session = &debugger.session;
        Ok(whole(session, process_numbered(session.execution(), self.proc)?, Detail::Brief))
    }
}
