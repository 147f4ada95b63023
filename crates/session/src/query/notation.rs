//! What processes did up to a cut as the papers write it: logs (002, Def. 3.1; 004, Def. 3) have
//! what is needed to follow an execution, traces (004, Sect. 3) also when messages arrived.

use super::{ProcRef, Query, process_numbered};
use crate::command::Debugger;
use crate::describe;
use crate::error::QueryError;
use crate::outcome;
use crate::session::Session;
use reverl_causal::{ActionKind, Chain, EventRef, ProcId, SignalId, System};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Events of one process that are written.
const MOST: usize = 2_000;
/// Processes that are written unless one is asked for.
const MOST_PROCESSES: usize = 200;

/// One process in the papers' notation.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ProcessNotation {
    #[serde(flatten)]
    pub process: ProcRef,
    /// `(spawn(<0.85.0>), send(#84.1), rec(#85.1))`
    pub log: String,
    /// `spawn(<0.85.0>), send(#84.1,<0.85.0>,hello), deliver(#85.1), receive(#85.1)`
    pub trace: String,
    /// It did more than is written.
    pub has_more: bool,
}

/// Processes in the papers' notation.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Notation {
    pub processes: Vec<ProcessNotation>,
}

/// What an event is in a log and in a trace.
fn written(system: &System, event: EventRef) -> (Option<String>, Option<String>) {
    let execution = system.execution();
    let message = |id: SignalId| describe::signal_name(system, id);
    if event.chain() == Chain::Delivery {
        let delivery = &execution.proc(event.proc).deliveries[event.index() as usize];
        let arrived = delivery.in_mailbox();
        return (None, arrived.then(|| format!("deliver({})", message(delivery.signal))));
    }
    let Some(action) = execution.action(event) else { return (None, None) };
    let sent = |id: SignalId| {
        let signal = execution.signal(id);
        let to = signal.to().map_or("nobody".into(), |to| describe::pid(system, to));
        let value = describe::short(&signal.message);
        (
            Some(format!("send({})", message(id))),
            Some(format!("send({},{to},{value})", message(id))),
        )
    };
    match action.what() {
        ActionKind::Send(k) => sent(SignalId { from: event.proc, k }),
        ActionKind::Receive(id) => {
            (Some(format!("rec({})", message(id))), Some(format!("receive({})", message(id))))
        }
        ActionKind::Exit(_) => (None, Some("exit".into())),
        ActionKind::Timeout => (None, Some("timeout".into())),
        ActionKind::Assign(_) => (None, None),
        ActionKind::Request(answered) => match answered.effect.spawned {
            Some(child) => {
                let spawn = format!("spawn({})", describe::pid(system, child));
                (Some(spawn.clone()), Some(spawn))
            }
            None if describe::message_of(system, event).is_some() => {
                describe::message_of(system, event).map_or((None, None), sent)
            }
            None => (None, None),
        },
    }
}

/// The log and the trace of a process up to the cut.
fn of_process(session: &Session, proc: ProcId) -> ProcessNotation {
    let (system, place) = (&session.system, session.place(proc));
    let actions = session.execution().proc(proc).actions_at(place.steps);
    let own = (0..actions).map(|i| EventRef::action(proc, i));
    let arrived = (0..place.deliveries as usize).map(|i| EventRef::delivery(proc, i));
    let mut events: Vec<EventRef> = own.chain(arrived).collect();
    events.sort_by_key(|event| session.execution().order_of(*event));
    let both: Vec<_> = events.iter().take(MOST).map(|event| written(system, *event)).collect();
    let joined = |parts: Vec<&str>| parts.join(", ");
    ProcessNotation {
        process: ProcRef::of(system, proc),
        log: format!("({})", joined(both.iter().filter_map(|(log, _)| log.as_deref()).collect())),
        trace: joined(both.iter().filter_map(|(_, trace)| trace.as_deref()).collect()),
        has_more: events.len() > MOST,
    }
}

/// What has happened up to the cut in the papers' notation, of one process or of all.
pub fn notation(session: &Session, of: Option<ProcId>) -> Notation {
    let all: Vec<ProcId> = match of {
        Some(proc) => vec![proc],
        None => {
            let own = outcome::own_processes(&session.system);
            let is_there = |p: &ProcId| session.cut.is_spawned(session.execution(), *p);
            own.filter(is_there).take(MOST_PROCESSES).collect()
        }
    };
    Notation { processes: all.into_iter().map(|proc| of_process(session, proc)).collect() }
}

/// Asks for logs and traces in the papers' notation.
#[derive(Deserialize, TS)]
pub struct NotationQuery {
    #[serde(default)]
    #[ts(optional = nullable)]
    proc: Option<u32>,
}

impl Query for NotationQuery {
    const NAME: &'static str = "notation";
    const HELP: &'static str = "logs and traces up to the cut in the papers' notation";
    type Answer = Notation;

    fn answer(&self, debugger: &Debugger) -> Result<Notation, QueryError> {
        let session = &debugger.session;
        let numbered = |n| process_numbered(session.execution(), n);
        Ok(notation(session, self.proc.map(numbered).transpose()?))
    }
}
