//! The message races of one process: for each of its receives, what it could have taken instead
//! (paper 004, Def. 5).
//!
//! One pass over the execution is enough: of the clock of each process only the entry of the
//! process in question is kept, so the cost does not grow with the number of processes.

use super::lists::event_row;
use super::{Viewer, number, proc_in, term};
use crate::command::Debugger;
use crate::describe;
use reverl_causal::{EventRef, Execution, ProcId, SignalId, System, What};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::{Duration, Instant};

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

fn race(system: &System, taken: &Taken, others: &[SignalId]) -> Value {
    let matches = system.matches_at(taken.event.proc, taken.step - 1, others);
    let racing: Vec<Value> = others
        .iter()
        .zip(matches)
        .map(|(id, actual)| {
            json!({
                "id": describe::signal_name(system, *id),
                "from": id.from.0,
                "text": term::brief(&system.execution.signal(*id).message),
                "actual": actual,
            })
        })
        .collect();
    let mut row = event_row(system, taken.event);
    row["racing"] = json!(racing);
    row
}

/// Where a search of all processes goes on: a process and one of its receives, as one number.
const RECEIVES: u64 = 1 << 32;

/// The races of the receives of a process, or of all processes, from where the answer before
/// stopped (its `next`).
pub fn of_process(_: &mut Viewer, d: &mut Debugger, asked: &Value) -> Result<Value, String> {
    let system = &d.session.system;
    if !asked["proc"].is_null() {
        let proc = proc_in(&system.execution, &asked["proc"])?;
        let from = number(asked, "from", 0) as usize;
        let (rows, next) = page(system, proc, from);
        return Ok(json!({ "races": rows, "next": next }));
    }
    let begun = Instant::now();
    let count = system.execution.procs.len();
    let mut found = vec![];
    let from = number(asked, "from", 0);
    let (mut at, mut receive) = ((from / RECEIVES) as usize, (from % RECEIVES) as usize);
    while at < count && found.len() < PAGE && begun.elapsed() < PATIENCE {
        let proc = ProcId(at as u32);
        let p = system.execution.proc(proc);
        let mut rest = None;
        if p.is_spawned && !p.is_system && !p.deliveries.is_empty() {
            let (rows, next) = page(system, proc, receive);
            found.extend(rows);
            rest = next;
        }
        at += usize::from(rest.is_none());
        receive = rest.unwrap_or(0);
    }
    let next = (at < count).then_some(at as u64 * RECEIVES + receive as u64);
    Ok(json!({ "races": found, "next": next, "looked_at": at, "processes": count }))
}

fn page(system: &System, proc: ProcId, from: usize) -> (Vec<Value>, Option<usize>) {
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
        rows.push(race(system, taken, &others));
    }
    (rows, None)
}

/// The inbox that was looked at last, and of which process in how long an execution it is.
pub struct Known {
    branch: String,
    length: usize,
    proc: ProcId,
    inbox: Inbox,
}

/// What one receive could have taken instead.
pub fn of_receive(v: &mut Viewer, d: &mut Debugger, event: EventRef) -> Value {
    let (branch, length) =
        (d.session.branch_name().to_string(), d.session.execution().event_count());
    let system = &d.session.system;
    let known =
        v.inbox.take().filter(|k| k.branch == branch && k.length == length && k.proc == event.proc);
    let known = v.inbox.insert(known.unwrap_or_else(|| {
        let inbox = Inbox::of(&system.execution, event.proc);
        Known { branch, length, proc: event.proc, inbox }
    }));
    let inbox = &known.inbox;
    let Some(taken) = inbox.taken.iter().find(|t| t.event == event) else { return json!([]) };
    let others = inbox.racing(&system.execution, taken);
    match others.is_empty() {
        true => json!([]),
        false => race(system, taken, &others)["racing"].take(),
    }
}
