//! How a run ended: what `reverl run` and `reverl replay` tell.

use super::problems::{Problem, problems};
use super::{Detail, ProcRef};
use crate::describe;
use crate::failure::FailureKind;
use crate::outcome::{self, OutcomeKind, ProcessStatus, show};
use reverl_causal::{ProcId, System};
use reverl_term::{Atom, Term, fmt};
use serde::Serialize;
use std::collections::HashSet;

/// How a program ended, as `run`, `--json` and exit codes tell it.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    pub outcome: OutcomeKind,
    pub main: ProcessEnd,
    pub processes: Vec<ProcessEnd>,
    /// Blocked and crashed processes; messages are beside.
    pub problems: Vec<Problem>,
    pub lost: Vec<Problem>,
    pub orphans: Vec<Problem>,
    /// Why the main process crashed, if it did.
    pub crash: Option<Crash>,
    /// The program ended itself with this code.
    pub halted: Option<i32>,
    /// It was stopped before nothing could happen.
    pub limited: bool,
    pub steps: u64,
    pub events: usize,
    pub output: String,
    /// Where a replay departs from its recording, if it does: the rest is how far it came.
    pub departed: Option<String>,
    /// It is a replay, which goes as far as its recording.
    pub is_replay: bool,
}

/// What became of a process.
#[derive(Clone, Debug, Serialize)]
pub struct ProcessEnd {
    #[serde(flatten)]
    pub process: ProcRef,
    pub path: String,
    pub entry: String,
    pub status: ProcessStatus,
    pub result: Option<String>,
    pub exit_reason: Option<String>,
    pub at: String,
    pub own_at: Option<String>,
}

/// The exception that ended a process.
#[derive(Clone, Debug, Serialize)]
pub struct Crash {
    /// None if it was an exit signal.
    pub class: Option<String>,
    pub reason: String,
    pub frames: Vec<CrashFrame>,
    /// The module of a function that is not there.
    pub undefined: Option<Undefined>,
}

/// One call of a crash's stack.
#[derive(Clone, Debug, Serialize)]
pub struct CrashFrame {
    pub call: String,
    pub at: Option<String>,
}

/// A function that was called and does not exist, with what to do about it.
#[derive(Clone, Debug, Serialize)]
pub struct Undefined {
    pub module: String,
    /// The module is there, the function is not.
    pub is_loaded: bool,
    /// Why the module is not there, if that is known.
    pub why: Option<String>,
}

/// How this execution ended; `limited` says that a limit stopped it.
pub fn outcome(system: &System, limited: bool) -> Outcome {
    let own = outcome::own_code(system);
    let all = problems(system, usize::MAX, Detail::Whole).problems;
    let of = |kind| all.iter().filter(|p| p.kind == kind).cloned().collect::<Vec<_>>();
    let (lost, orphans) = (of(FailureKind::Lost), of(FailureKind::Orphan));
    Outcome {
        outcome: OutcomeKind::of(system, limited),
        main: process(system, &own, system.main),
        processes: outcome::own_processes(system).map(|p| process(system, &own, p)).collect(),
        problems: all.into_iter().filter(|p| p.message.is_none()).collect(),
        lost,
        orphans,
        crash: crash(system),
        halted: system.halted(),
        limited,
        steps: system.execution().steps(),
        events: system.execution().event_count(),
        output: outcome::output(system, None),
        departed: None,
        is_replay: false,
    }
}

fn process(system: &System, own: &HashSet<Atom>, proc: ProcId) -> ProcessEnd {
    let p = system.execution().proc(proc);
    let exit = p.exit();
    ProcessEnd {
        process: ProcRef::of(system, proc),
        path: p.path.to_string(),
        entry: describe::initial_call(system, proc),
        status: outcome::status(system, proc),
        result: exit.and_then(|e| e.value.as_ref()).map(show),
        exit_reason: exit.map(|e| show(&e.reason)),
        at: outcome::place(system, proc),
        own_at: outcome::own_place(system, own, proc),
    }
}

fn crash(system: &System) -> Option<Crash> {
    let exit = system.execution().proc(system.main).exit()?;
    if outcome::is_normal(&exit.reason) {
        return None;
    }
    let Some(exception) = &exit.exception else {
        let reason = show(&exit.reason);
        return Some(Crash { class: None, reason, frames: vec![], undefined: None });
    };
    let trace = outcome::trace(system, system.main);
    let frame = |f: &outcome::Frame| CrashFrame { call: f.call(), at: f.at.clone() };
    let is_undefined = exception.reason.is_atom_eq(Atom::new("undef"));
    let undefined = trace.first().filter(|_| is_undefined).map(|frame| Undefined {
        module: fmt::write(&Term::atom(frame.module)),
        is_loaded: system.program().code.modules.contains_key(&frame.module),
        why: system.world().why_missing(frame.module),
    });
    Some(Crash {
        class: Some(exception.class.atom().name().to_string()),
        reason: show(&exception.reason),
        frames: trace.iter().map(frame).collect(),
        undefined,
    })
}
