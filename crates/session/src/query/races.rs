//! The message races of one process: for each of its receives, what it could have taken instead
//! (paper 004, Def. 5).
//!
//! One pass over the execution is enough: of the clock of each process only the entry of the
//! process in question is kept, so the cost does not grow with the number of processes.

use super::events::{EventRow, row};
use super::term::line;
use super::{Detail, ProcRef, Query, process_numbered};
use crate::command::Debugger;
use crate::describe;
use crate::error::QueryError;
use crate::session::Session;
use reverl_causal::{EventRef, Execution, ProcId, SignalId, System, What};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};
use ts_rs::TS;

/// Messages that are named for one receive.
const MOST: usize = 12;
/// Receives with races in one answer.
const PAGE: usize = 100;
/// Looking at all processes, an answer comes after so long.
const PATIENCE: Duration = Duration::from_millis(60);

struct Sent {
    id: SignalId,
    /// How many receives of the process in question had happened before it was sent.
    after: u32,
}

struct Taken {
    event: EventRef,
    signal: SignalId,
    step: u64,
    /// It is the process's n-th receive, from 1.
    nth: u32,
}

/// What was sent to a process, and what it took.
#[derive(Default)]
pub struct Inbox {
    sent: Vec<Sent>,
    taken: Vec<Taken>,
}

impl Inbox {
    fn of(execution: &Execution, proc: ProcId) -> Inbox {
        let mut inbox = Inbox::default();
        let mut known = vec![0u32; execution.procs.len()];
        let mut carried: HashMap<SignalId, u32> = HashMap::new();
        let mut nth = 0;
        for event in execution.events() {
            let Some(action) = execution.action(event) else { continue };
            let p = event.proc.0 as usize;
            let mut send = |k: u32, clock: u32| {
                let id = SignalId { from: event.proc, k };
                if clock > 0 {
                    carried.insert(id, clock);
                }
                if execution.signal(id).to() == Some(proc) && is_message(execution, id) {
                    inbox.sent.push(Sent { id, after: clock });
                }
            };
            match action.what() {
                What::Send(k) => send(k, known[p]),
                What::Request(answered) => {
                    answered.effect.signals.clone().for_each(|k| send(k, known[p]));
                    execution.timers.get(&event).iter().for_each(|k| send(**k, known[p]));
                    if let Some(child) = answered.effect.spawned {
                        known[child.0 as usize] = known[p];
                    }
                }
                What::Exit(exited) => {
                    let end = execution.proc(event.proc).signals.len() as u32;
                    (exited.signals.start..end).for_each(|k| send(k, known[p]));
                }
                What::Receive(signal) => {
                    known[p] = known[p].max(carried.get(&signal).copied().unwrap_or(0));
                    if event.proc == proc {
                        nth += 1;
                        known[p] = nth;
                        let (event, signal, step) = (event, signal, action.step);
                        inbox.taken.push(Taken { event, signal, step, nth });
                    }
                }
                What::Timeout => {
                    if event.proc == proc {
                        nth += 1;
                        known[p] = nth;
                    }
                }
            }
        }
        // By arrival; what never arrived comes last.
        inbox.sent.sort_by_key(|s| execution.signal(s.id).delivery().unwrap_or(u32::MAX));
        inbox
    }

    /// The messages that race with the one that was taken.
    fn racing(&self, execution: &Execution, taken: &Taken) -> Vec<SignalId> {
        let own = execution.signal(taken.signal).delivery().unwrap_or(u32::MAX);
        let arrived = |s: &Sent| execution.signal(s.id).delivery().unwrap_or(u32::MAX);
        let later = self.sent.partition_point(|s| arrived(s) <= own);
        let free = self.sent[later..].iter().filter(|s| s.after < taken.nth);
        free.map(|s| s.id).take(MOST).collect()
    }
}

fn is_message(execution: &Execution, id: SignalId) -> bool {
    let signal = execution.signal(id);
    match (signal.to(), signal.delivery()) {
        (Some(to), Some(i)) => execution.proc(to).deliveries[i as usize].in_mailbox(),
        _ => execution.kind(id).is_message(),
    }
}

/// A message that a receive could have taken instead.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Racing {
    /// `#84.2`
    pub id: String,
    pub from: ProcRef,
    pub text: String,
    /// The receive would have matched it.
    pub actual: bool,
}

/// A receive, and what it could have taken instead.
#[derive(Clone, Debug, Serialize, TS)]
pub struct RaceRow {
    #[serde(flatten)]
    pub receive: EventRow,
    pub racing: Vec<Racing>,
}

#[derive(Clone, Debug, Serialize, TS)]
pub struct RaceList {
    pub races: Vec<RaceRow>,
    /// Where to go on; none at the end.
    pub next: Option<u64>,
    pub looked_at: usize,
    pub processes: usize,
}

fn racing(system: &System, taken: &Taken, others: &[SignalId]) -> Vec<Racing> {
    let matches = system.matches_at(taken.event.proc, taken.step - 1, others);
    let one = |(id, actual): (&SignalId, bool)| Racing {
        id: describe::signal_name(system, *id),
        from: ProcRef::of(system, id.from),
        text: line(&system.execution.signal(*id).message, Detail::Brief),
        actual,
    };
    others.iter().zip(matches).map(one).collect()
}

/// Where a search of all processes goes on: a process and one of its receives, as one number.
const RECEIVES: u64 = 1 << 32;

/// The races of the receives of a process, or of all processes, from where the answer before
/// stopped (its `next`).
#[derive(Deserialize, TS)]
pub struct RacesQuery {
    #[serde(default)]
    #[ts(optional)]
    proc: Option<u32>,
    #[serde(default)]
    #[ts(optional, as = "Option<u64>")]
    from: u64,
}

impl Query for RacesQuery {
    const NAME: &'static str = "races";
    const HELP: &'static str = "which messages raced at a process";
    type Answer = RaceList;

    fn answer(&self, debugger: &Debugger) -> Result<RaceList, QueryError> {
        let system = &debugger.session.system;
        match self.proc {
            Some(number) => {
                let proc = process_numbered(&system.execution, number)?;
                let (races, next) = page(system, proc, self.from as usize);
                let next = next.map(|n| n as u64);
                Ok(RaceList { races, next, looked_at: 1, processes: 1 })
            }
            None => Ok(of_all(system, self.from)),
        }
    }
}

fn of_all(system: &System, from: u64) -> RaceList {
    let begun = Instant::now();
    let processes = system.execution.procs.len();
    let mut races = vec![];
    let (mut at, mut receive) = ((from / RECEIVES) as usize, (from % RECEIVES) as usize);
    while at < processes && races.len() < PAGE && begun.elapsed() < PATIENCE {
        let proc = ProcId(at as u32);
        let p = system.execution.proc(proc);
        let mut rest = None;
        if p.is_spawned && !p.is_system && !p.deliveries.is_empty() {
            let (rows, next) = page(system, proc, receive);
            races.extend(rows);
            rest = next;
        }
        at += usize::from(rest.is_none());
        receive = rest.unwrap_or(0);
    }
    let next = (at < processes).then_some(at as u64 * RECEIVES + receive as u64);
    RaceList { races, next, looked_at: at, processes }
}

fn page(system: &System, proc: ProcId, from: usize) -> (Vec<RaceRow>, Option<usize>) {
    let inbox = Inbox::of(&system.execution, proc);
    let mut rows = vec![];
    for (i, taken) in inbox.taken.iter().enumerate().skip(from) {
        let others = inbox.racing(&system.execution, taken);
        if others.is_empty() {
            continue;
        }
        if rows.len() == PAGE {
            return (rows, Some(i));
        }
        let receive = row(system, taken.event, Detail::Brief);
        rows.push(RaceRow { receive, racing: racing(system, taken, &others) });
    }
    (rows, None)
}

/// The inbox that was looked at last, and of which process in how long an execution it is.
pub struct KnownInbox {
    branch: String,
    length: usize,
    proc: ProcId,
    inbox: Inbox,
}

/// What one receive could have taken instead.
pub fn of_receive(session: &Session, event: EventRef) -> Vec<Racing> {
    let system = &session.system;
    let known = inbox(session, event.proc);
    let Some(taken) = known.inbox.taken.iter().find(|t| t.event == event) else { return vec![] };
    let others = known.inbox.racing(&system.execution, taken);
    if others.is_empty() { vec![] } else { racing(system, taken, &others) }
}

fn inbox(session: &Session, proc: ProcId) -> Rc<KnownInbox> {
    let (branch, length) = (session.branch_name(), session.execution().event_count());
    let mut kept = session.cache.inbox.borrow_mut();
    let known = kept.take().filter(|k| k.branch == branch && k.length == length && k.proc == proc);
    let known = known.unwrap_or_else(|| {
        let inbox = Inbox::of(session.execution(), proc);
        Rc::new(KnownInbox { branch: branch.into(), length, proc, inbox })
    });
    *kept = Some(known.clone());
    known
}
