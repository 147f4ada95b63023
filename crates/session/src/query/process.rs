//! One process at the cut: where it is, its calls with their variables, its mailbox.

use super::messages::{self, Messages, mailbox};
use super::term::{ShownTerm, line};
use super::{Detail, ProcRef, Query, process_numbered, tree};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::language;
use crate::otp;
use crate::otp::start::{Behaviour, Start};
use crate::outcome;
use crate::own_place;
use crate::scope::{self, Level};
use crate::viewpoint::{MomentSpec, Viewpoint};
use crate::{describe, walk};
use reverl_causal::{ActionKind, EventRef, ProcId};
use reverl_lang::code::{Code, Pc};
use reverl_lang::source::Span;
use reverl_machine::Process;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
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

    /// The state of this process at the moment that is seen.
    pub fn of(seen: &Viewpoint, proc: ProcId, process: &Process) -> ProcessState {
        let (execution, cut) = (seen.execution(), &seen.cut);
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

/// Where a process stands.
pub fn here(seen: &Viewpoint, proc: ProcId) -> Here {
    let system = &seen.session.system;
    let mut here = Here {
        process: ProcRef::of(system, proc),
        path: system.execution().proc(proc).path.to_string(),
        entry: describe::initial_call(system, proc),
        state: ProcessState::Unspawned,
        step: seen.steps_of(proc),
        function: None,
        file: None,
        line: None,
        column: None,
        source: None,
        rule: None,
        expression: None,
    };
    if seen.cut.is_spawned(system.execution(), proc) {
        let process = seen.state(proc);
        here.state = ProcessState::of(seen, proc, &process);
        look_up(seen, &process, &mut here);
    }
    here
}

/// What the code says about where a process is.
fn look_up(seen: &Viewpoint, process: &Process, here: &mut Here) {
    let program = seen.session.system.program();
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
    /// Of a process in a library: the line of the program's own code that called it, or that
    /// raised what ended it.
    pub own_at: Option<String>,
    /// Whose code it is in.
    pub owner: CodeOwner,
    /// What it is about: `idle`, `waits`, `crashed: ...`.
    pub about: String,
    pub behaviour: Option<Behaviour>,
}

/// The line of this process in the list.
pub fn row(seen: &Viewpoint, proc: ProcId) -> ProcessRow {
    let here = here(seen, proc);
    let is_there = here.state != ProcessState::Unspawned;
    let own = is_there.then(|| own_place::call(&seen.session.system, proc, here.step)).flatten();
    let is_own = own.as_ref().is_some_and(|call| call.is_innermost);
    let end = EventRef::action(proc, seen.execution().proc(proc).actions.len().saturating_sub(1));
    let own_at = match here.state {
        ProcessState::Crashed if !is_own => own_place::of_event(&seen.session.system, end),
        _ => own.and_then(|call| call.at),
    };
    let mailbox = mailbox_length(seen, proc);
    ProcessRow {
        about: tree::about(seen, proc, here.state, mailbox),
        behaviour: Start::of(&seen.session.system, proc).behaviour,
        mailbox,
        own_at: own_at.filter(|_| !is_own),
        owner: if is_own { CodeOwner::Own } else { CodeOwner::Library },
        here,
    }
}

/// Counted, not listed: what has arrived less what was taken.
pub fn mailbox_length(seen: &Viewpoint, proc: ProcId) -> usize {
    let p = seen.execution().proc(proc);
    let place = seen.cut.place(proc);
    let arrived = p.deliveries.iter().take(place.deliveries as usize).filter(|d| d.in_mailbox());
    let acted = p.actions.iter().take(p.actions_at(place.steps));
    let taken = acted.filter(|a| matches!(a.what(), ActionKind::Receive(_))).count();
    arrived.count().saturating_sub(taken)
}

/// A variable with its value.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Binding {
    pub name: String,
    #[serde(flatten)]
    pub value: ShownTerm,
}

/// Whose code something is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum CodeOwner {
    /// The program's.
    Own,
    /// OTP's, or Reverl's.
    Library,
}

/// A call in progress.
#[derive(Clone, Debug, Serialize, TS)]
pub struct CallRow {
    pub function: String,
    pub owner: CodeOwner,
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
    /// The one that looks are about: the innermost unless somebody went up.
    pub chosen: usize,
}

/// The calls a process is in, the innermost first; at most `most` of them.
pub fn calls(seen: &Viewpoint, proc: ProcId, most: usize, detail: Detail) -> Calls {
    let levels = scope::levels_at_cut(seen, proc);
    let calls = levels.iter().take(most).map(|level| call(seen, level, detail)).collect();
    Calls { depth: levels.len(), calls, chosen: 0 }
}

/// One call in progress with the line at which it is.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Frame {
    /// How many calls further out than the innermost.
    pub level: usize,
    pub depth: usize,
    pub call: Option<CallRow>,
    /// The text of its line.
    pub source: Option<String>,
}

/// The call of this level.
pub fn frame(seen: &Viewpoint, proc: ProcId, level: usize, detail: Detail) -> Frame {
    let levels = scope::levels_at_cut(seen, proc);
    let source = levels.get(level).and_then(|level| {
        let program = seen.session.system.program();
        let file = program.code.sources.get(level.span.file)?;
        let line = file.line_col(level.span.start).line;
        file.line_text(line).map(str::to_string)
    });
    let call = levels.get(level).map(|level| call(seen, level, detail));
    Frame { level, depth: levels.len(), call, source }
}

/// That call alone, as a list of calls.
pub fn call_at(seen: &Viewpoint, proc: ProcId, level: usize, detail: Detail) -> Calls {
    let Frame { depth, call, .. } = frame(seen, proc, level, detail);
    Calls { depth, calls: call.into_iter().collect(), chosen: 0 }
}

fn call(seen: &Viewpoint, level: &Level, detail: Detail) -> CallRow {
    let program = seen.session.system.program();
    let (file, line) = program.code.sources.shown_at(level.span).unzip();
    let is_own = seen.session.own().contains(&level.module);
    CallRow {
        owner: if is_own { CodeOwner::Own } else { CodeOwner::Library },
        function: describe::mfa((level.module, level.name, level.arity)),
        file: file.map(|f| f.to_string()),
        line,
        bindings: bindings(seen, level, detail),
    }
}

/// The variables of a call.
pub fn bindings(seen: &Viewpoint, level: &Level, detail: Detail) -> Vec<Binding> {
    let records = seen.session.records();
    let visible = language::visible(&level.bindings).into_iter();
    let shown = |value| ShownTerm::with_records(&records, &value, detail);
    visible.map(|(name, value)| Binding { name, value: shown(value) }).collect()
}

/// Of the innermost call only the variables that what is left of its function needs. Where there is
/// no text, all.
pub fn needed(seen: &Viewpoint, proc: ProcId, mut calls: Calls) -> Calls {
    if let (Some(names), Some(call)) = (needed_names(seen, proc), calls.calls.first_mut()) {
        call.bindings.retain(|binding| names.contains(&binding.name));
    }
    calls
}

/// The names that are written at or behind the expression that comes next in its clause.
fn needed_names(seen: &Viewpoint, proc: ProcId) -> Option<Vec<String>> {
    let process = seen.state(proc);
    let program = seen.session.system.program();
    let here = scope::here(&program.code, &process, seen.steps_of(proc));
    let rest = text_left(&program.code, here.pc, here.span)?;
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '@';
    let words = rest.split(|c: char| !is_word(c));
    let is_name = |word: &&str| word.starts_with(|c: char| c == '_' || c.is_uppercase());
    let names: BTreeSet<&str> = words.filter(is_name).collect();
    Some(names.into_iter().map(str::to_string).collect())
}

/// The text of a clause from an expression on.
fn text_left(code: &Code, pc: Pc, from: Span) -> Option<String> {
    let info = code.fun(code.fun_at(pc));
    let text = code.sources.get(from.file)?.text.as_ref()?;
    let is_around =
        |span: &Span| span.file == from.file && span.start <= from.start && from.end <= span.end;
    let clause = info.clauses.iter().map(|(_, span)| *span).find(is_around).unwrap_or(info.span);
    if from.start == from.end || !is_around(&clause) {
        return None;
    }
    Some(text.get(from.start as usize..clause.end as usize)?.to_string())
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
    /// Of a process with a behaviour: the state that its callback module keeps.
    pub state_kept: Option<KeptState>,
    /// The variables that what is left of the innermost function needs, if its text is known.
    pub needed: Option<Vec<String>>,
}

/// The state of a server, a state machine or an event manager.
#[derive(Clone, Debug, Serialize, TS)]
pub struct KeptState {
    pub behaviour: Behaviour,
    pub module: String,
    /// Of a state machine, the name of its state.
    pub name: Option<String>,
    #[serde(flatten)]
    pub value: ShownTerm,
}

fn kept_state(seen: &Viewpoint, proc: ProcId, detail: Detail) -> Option<KeptState> {
    let kept = otp::state::state(seen, proc)?;
    Some(KeptState {
        behaviour: kept.behaviour,
        module: language::atom(kept.module),
        name: kept.name.map(|name| line(&name, detail)),
        value: ShownTerm::with_records(&seen.session.records(), &kept.value, detail),
    })
}

/// All that is shown of one process.
pub fn whole(seen: &Viewpoint, proc: ProcId, detail: Detail) -> ProcessView {
    let spawned = seen.cut.is_spawned(seen.execution(), proc);
    let ended = seen.cut.has_exited(seen.execution(), proc);
    let exit = seen.execution().proc(proc).exit().filter(|_| ended);
    let calls = match spawned {
        true => calls(seen, proc, MOST_CALLS, detail),
        false => Calls { depth: 0, calls: vec![], chosen: 0 },
    };
    ProcessView {
        row: row(seen, proc),
        calls,
        exit: exit.map(|e| line(&e.reason, detail)),
        result: exit.and_then(|e| e.value.as_ref()).map(|value| line(value, detail)),
        waiting: mailbox(seen, proc, messages::MOST, detail),
        state_kept: kept_state(seen, proc, detail).filter(|_| spawned),
        needed: needed_names(seen, proc).filter(|_| spawned && !ended),
    }
}

/// Asks for one process.
#[derive(Deserialize, TS)]
pub struct ProcessQuery {
    proc: u32,
    #[serde(default)]
    #[ts(optional = nullable)]
    at: Option<MomentSpec>,
}

impl Query for ProcessQuery {
    const NAME: &'static str = "process";
    const HELP: &'static str = "one process, here or at another moment: calls, variables, mailbox";
    type Answer = ProcessView;

    fn answer(&self, debugger: &Debugger) -> Result<ProcessView, QueryError> {
        let session = &debugger.session;
        let seen = session.at(self.at.as_ref())?;
        Ok(whole(&seen, process_numbered(session.execution(), self.proc)?, Detail::Brief))
    }
}
