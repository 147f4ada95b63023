//! What is wrong with an execution that has ended: the failures that exploring tells apart.

use crate::describe;
use crate::outcome::{self, OutcomeKind, show};
use crate::query::Detail;
use crate::query::problems::{self, Problem};
use reverl_causal::{ProcId, System};
use reverl_term::Term;
use serde::Serialize;
use ts_rs::TS;

/// What went wrong, in one word; the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum FailureKind {
    /// A process ended with an exception.
    Crashed,
    /// The same, by an assertion of a test.
    Assertion,
    /// A process was ended by the exit signal of another.
    Killed,
    /// An execution does not have the property that it should have.
    Property,
    /// Something that should always hold did not hold at some moment.
    Invariant,
    /// No order of the calls explains their answers.
    Linearizability,
    /// The program ended itself with a code that is not 0.
    Halted,
    /// It ran tests, and not all of them passed.
    Failed,
    /// Processes wait for ever for what will never come.
    Deadlock,
    /// A process waits in a receive.
    Blocked,
    /// A server without work waits in code that is not the program's own.
    Idle,
    /// A message was sent and never arrived.
    Lost,
    /// A message arrived and was never received.
    Orphan,
    /// A message was sent and never received: whether it arrived is left open.
    Unreceived,
    /// A bound on the steps was reached.
    Limit,
}

impl FailureKind {
    /// What exploring tells apart.
    pub const ALL: [FailureKind; 11] = [
        FailureKind::Crashed,
        FailureKind::Assertion,
        FailureKind::Killed,
        FailureKind::Property,
        FailureKind::Invariant,
        FailureKind::Linearizability,
        FailureKind::Halted,
        FailureKind::Failed,
        FailureKind::Deadlock,
        FailureKind::Limit,
        FailureKind::Unreceived,
    ];

    /// The kind with this name.
    pub fn named(name: &str) -> Option<FailureKind> {
        FailureKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::Crashed => "crashed",
            FailureKind::Assertion => "assertion",
            FailureKind::Killed => "killed",
            FailureKind::Halted => "halted",
            FailureKind::Failed => "failed",
            FailureKind::Deadlock => "deadlock",
            FailureKind::Blocked => "blocked",
            FailureKind::Idle => "idle",
            FailureKind::Lost => "lost",
            FailureKind::Orphan => "orphan",
            FailureKind::Unreceived => "unreceived",
            FailureKind::Limit => "limit",
            FailureKind::Property => "property",
            FailureKind::Invariant => "invariant",
            FailureKind::Linearizability => "linearizability",
        }
    }
}

/// One way in which an execution fails. Executions that fail in the same way are counted together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
pub struct Failure {
    pub kind: FailureKind,
    /// `file:line`, in words.
    pub at: String,
    pub reason: String,
}

impl Failure {
    /// The same with what processes were started to do in place of their pids, and without the
    /// numbers of references: what is equal in executions that fail in the same way.
    pub fn with_roles(&self, system: &System) -> Failure {
        Failure { reason: with_roles(system, &self.reason), ..self.clone() }
    }
}

fn with_roles(system: &System, text: &str) -> String {
    let mut told = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let (before, from) = rest.split_at(start);
        told.push_str(before);
        let end = from.find('>').map_or(from.len(), |end| end + 1);
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        let inside = from[..end].trim_start_matches('<').trim_end_matches('>');
        let is_identifier = inside.contains('.') && inside.chars().all(is_number);
        let end = if is_identifier { end } else { 1 };
        match is_identifier {
            true => told.push_str(&role(system, &from[..end])),
            false => told.push('<'),
        }
        rest = &from[end..];
    }
    told + rest
}

/// What the process with this pid was started to do.
fn role(system: &System, pid: &str) -> String {
    let is_it = |p: &ProcId| show(&system.pid(*p)) == pid;
    let proc = system.execution().ids().find(is_it);
    proc.map_or("<>".into(), |proc| format!("<{}>", describe::initial_call(system, proc)))
}

/// What the main process came to.
pub fn result(system: &System, is_cut_off: bool) -> String {
    match (system.execution().proc(system.main).exit(), system.halted()) {
        (Some(exit), _) => match &exit.value {
            Some(value) => show(value),
            None => format!("exit: {}", show(&outcome::short_reason(&exit.reason))),
        },
        (None, Some(code)) => format!("halt({code})"),
        (None, None) if is_cut_off => "cut off".into(),
        (None, None) => "blocked".into(),
    }
}

/// Everything that is wrong with a finished execution. Of messages that were never received the
/// first is enough, and a process that was killed by another's end is not a failure of its own,
/// unless it is the main one; nor is one that ended with a reason that was expected.
pub fn failures(
    system: &System,
    is_cut_off: bool,
    is_expected: &dyn Fn(&Term) -> bool,
) -> Vec<Failure> {
    let own = outcome::own_code(system);
    let mut found: Vec<Failure> = of_whole(system, is_cut_off).into_iter().collect();
    let mut blocked = vec![];
    for proc in outcome::own_processes(system) {
        // Servers that wait in their loops are not part of a deadlock, whoever else is stuck.
        let Some(kind) = problems::kind_of(system, &own, false, proc) else { continue };
        let problem = || problems::of_process(system, &own, proc, kind, Detail::Whole);
        let exit = system.execution().proc(proc).exit();
        if exit.is_some_and(|exit| is_expected(&outcome::short_reason(&exit.reason))) {
            continue;
        }
        match kind {
            FailureKind::Crashed | FailureKind::Assertion => found.push(of_problem(&problem())),
            FailureKind::Killed if proc == system.main => found.push(of_problem(&problem())),
            FailureKind::Blocked => blocked.push(problem()),
            _ => {}
        }
    }
    if is_cut_off {
        return found;
    }
    found.extend(deadlock(&blocked));
    let (lost, orphans) = outcome::unreceived(system);
    let first = lost.into_iter().chain(orphans).min();
    let kind = FailureKind::Unreceived;
    let message = first.map(|id| problems::of_message(system, id, kind, Detail::Whole));
    found.extend(message.as_ref().map(of_problem));
    found
}

/// The process that crashed, if a failure (told with roles) is a crash.
pub fn crashed(system: &System, failure: &Failure) -> Option<ProcId> {
    let own = outcome::own_code(system);
    let is_it = |proc: &ProcId| match problems::kind_of(system, &own, false, *proc) {
        Some(kind @ (FailureKind::Crashed | FailureKind::Assertion)) => {
            let problem = problems::of_process(system, &own, *proc, kind, Detail::Whole);
            of_problem(&problem).with_roles(system) == *failure
        }
        _ => false,
    };
    outcome::own_processes(system).find(is_it)
}

/// What is wrong with the execution as a whole.
fn of_whole(system: &System, is_cut_off: bool) -> Option<Failure> {
    let (kind, reason) = match (OutcomeKind::of(system, is_cut_off), system.halted()) {
        (OutcomeKind::Failed, _) => (FailureKind::Failed, "not all tests passed".into()),
        (_, Some(code)) if code != 0 => (FailureKind::Halted, format!("halt({code})")),
        _ if is_cut_off => (FailureKind::Limit, "the bound on steps was reached".into()),
        _ => return None,
    };
    let at = match kind {
        FailureKind::Limit => String::new(),
        _ => outcome::place(system, system.main),
    };
    Some(Failure { kind, at, reason })
}

/// All that wait for ever are one failure: who waits where.
fn deadlock(blocked: &[Problem]) -> Option<Failure> {
    let first = blocked.iter().find(|p| p.is_main).or(blocked.first())?;
    let others = blocked.iter().filter(|p| p.process.proc != first.process.proc);
    let who = |p: &Problem| match p.is_main {
        true => "the main process waits for ever".into(),
        false => format!("{} waits for ever", p.entry),
    };
    let others = others.map(|p| format!("{} at {}", who(p), p.place()));
    let reason: Vec<String> = std::iter::once(who(first)).chain(others).collect();
    let (kind, at) = (FailureKind::Deadlock, first.place());
    Some(Failure { kind, at, reason: reason.join("; ") })
}

fn of_problem(problem: &Problem) -> Failure {
    Failure { kind: problem.kind, at: problem.place(), reason: problem.text.clone() }
}
