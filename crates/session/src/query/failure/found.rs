//! The failures of an execution, the worst first. Servers without work are not among them.

use crate::failure::FailureKind;
use crate::otp::message::{Protocol, Recognised};
use crate::otp::start::Start;
use crate::outcome;
use crate::places;
use crate::query::problems;
use crate::session::Session;
use crate::testing::{self, FailedTest};
use crate::waits;
use reverl_causal::{EventRef, ProcId, SignalId};
use reverl_term::Atom;
use std::collections::HashSet;

/// One failure.
pub enum Found {
    Test(FailedTest),
    /// A process ended as it should not.
    Ended {
        proc: ProcId,
        kind: FailureKind,
    },
    /// Processes wait for ever; the first of them is the one to begin with.
    Deadlock {
        blocked: Vec<ProcId>,
    },
    Message {
        id: SignalId,
        kind: FailureKind,
    },
}

impl Found {
    pub fn kind(&self) -> FailureKind {
        match self {
            Found::Test(_) => FailureKind::Failed,
            Found::Ended { kind, .. } | Found::Message { kind, .. } => *kind,
            Found::Deadlock { .. } => FailureKind::Deadlock,
        }
    }

    /// The process that it is about; of a message, its sender.
    pub fn proc(&self) -> ProcId {
        match self {
            Found::Test(test) => test.proc,
            Found::Ended { proc, .. } => *proc,
            Found::Deadlock { blocked } => blocked[0],
            Found::Message { id, .. } => id.from,
        }
    }

    /// The event to look at.
    pub fn event(&self, session: &Session) -> Option<EventRef> {
        let execution = session.execution();
        match self {
            Found::Test(test) => Some(test.event),
            Found::Ended { proc, .. } => places::exit_event(execution, *proc),
            Found::Deadlock { blocked } => {
                let last = execution.proc(blocked[0]).actions.len().checked_sub(1)?;
                Some(EventRef::action(blocked[0], last))
            }
            Found::Message { id, .. } => Some(places::send_event(execution, *id)),
        }
    }

    /// Where its process stands: before its end, or where it waits; of a message, at the sending.
    pub fn step(&self, session: &Session) -> Option<u64> {
        let execution = session.execution();
        match self {
            Found::Test(test) => execution.action(test.event)?.step.checked_sub(1),
            Found::Ended { proc, .. } => execution.proc(*proc).steps.checked_sub(1),
            Found::Deadlock { blocked } => Some(execution.proc(blocked[0]).steps),
            Found::Message { id, .. } => {
                let sent = places::send_event(execution, *id);
                execution.action(sent)?.step.checked_sub(1)
            }
        }
    }
}

/// All failures: tests, crashes in the order in which they happened, processes that were killed,
/// who waits for ever, and messages that nobody received.
pub fn found(session: &Session, own: &HashSet<Atom>) -> Vec<Found> {
    let system = &session.system;
    let execution = session.execution();
    let mut all: Vec<Found> = testing::failed(system).into_iter().map(Found::Test).collect();
    let tested: HashSet<ProcId> = all.iter().map(Found::proc).collect();
    let is_stuck = outcome::is_anybody_stuck(system, own);
    let (mut ended, mut blocked) = (vec![], vec![]);
    for proc in outcome::own_processes(system) {
        match problems::kind_of(system, own, is_stuck, proc) {
            Some(FailureKind::Blocked) => blocked.push(proc),
            Some(FailureKind::Idle) | None => {}
            Some(_) if tested.contains(&proc) => {}
            Some(kind) => ended.push((proc, kind)),
        }
    }
    let order = |proc: ProcId| places::exit_event(execution, proc).map(|e| execution.order_of(e));
    // Who was killed comes after whoever is to blame for it.
    ended.sort_by_key(|(proc, kind)| (*kind == FailureKind::Killed, order(*proc)));
    all.extend(ended.into_iter().map(|(proc, kind)| Found::Ended { proc, kind }));
    // Those that wait for each other are to blame; else the main process is the one to look at.
    let cycle = waits::cycle(system, own, &blocked);
    blocked.sort_by_key(|proc| {
        let place = cycle.iter().position(|p| p == proc).unwrap_or(usize::MAX);
        (place, *proc != system.main)
    });
    let waiting: HashSet<ProcId> = blocked.iter().copied().collect();
    if !blocked.is_empty() {
        all.push(Found::Deadlock { blocked });
    }
    let (lost, orphans) = outcome::unreceived(system);
    for (kind, list) in [(FailureKind::Lost, lost), (FailureKind::Orphan, orphans)] {
        // Whoever waits for a reply was told of already.
        let own = list.into_iter().filter(|id| {
            let is_call = || Recognised::of(system, *id).protocol == Protocol::Call;
            concerns(session, own, *id) && !(waiting.contains(&id.from) && is_call())
        });
        all.extend(own.map(|id| Found::Message { id, kind }));
    }
    all
}

/// Whether a message is the program's own: its code sent it, or its process should have received it.
fn concerns(session: &Session, own: &HashSet<Atom>, id: SignalId) -> bool {
    let system = &session.system;
    let sent = session.execution().action(places::send_event(session.execution(), id));
    let program = system.program();
    let code = &program.code;
    let by_own = sent.is_some_and(|action| own.contains(&code.fun(code.fun_at(action.pc)).module));
    let is_own = |proc: ProcId| own.contains(&Start::of(system, proc).module);
    by_own || session.execution().signal(id).to().is_some_and(is_own)
}
