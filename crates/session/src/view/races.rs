//! The message races of one process: for each of its receives, what it could have taken instead
//! (paper 004, Def. 5).

use super::lists::event_row;
use super::{Viewer, number, proc_in, term};
use crate::command::Debugger;
use crate::describe;
use reverl_analysis::races::{self, Inbox, Taken};
use reverl_causal::{EventRef, ProcId, SignalId, System};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Messages that are named for one receive.
const MOST: usize = 12;
/// Receives with races in one answer.
const PAGE: usize = 100;
/// Looking at all processes, an answer comes after so long.
const PATIENCE: Duration = Duration::from_millis(60);

fn row(system: &System, taken: &Taken, others: Vec<SignalId>) -> Value {
    let race = races::race(system, taken, others);
    let racing: Vec<Value> = race
        .racing
        .iter()
        .map(|other| {
            let id = other.message;
            json!({
                "id": describe::signal_name(system, id),
                "from": id.from.0,
                "text": term::brief(&system.execution.signal(id).message),
                "actual": other.is_actual,
            })
        })
        .collect();
    let mut row = event_row(system, taken.event);
    row["racing"] = json!(racing);
    row
}

fn first_racing(inbox: &Inbox, system: &System, taken: &Taken) -> Vec<SignalId> {
    inbox.racing(&system.execution, taken).take(MOST).collect()
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
        let others = first_racing(&inbox, system, taken);
        if others.is_empty() {
            continue;
        }
        if rows.len() == PAGE {
            return (rows, Some(i));
        }
        rows.push(row(system, taken, others));
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
    let others = first_racing(inbox, system, taken);
    match others.is_empty() {
        true => json!([]),
        false => row(system, taken, others)["racing"].take(),
    }
}
