//! The processes: what never changes of all of them, and what is so at the cut of a few.

use super::{Viewer, proc_in};
use crate::command::Debugger;
use crate::describe;
use crate::outcome;
use crate::session::Session;
use crate::walk;
use reverl_causal::{Cut, ProcId, System, What};
use serde_json::{Value, json};
use std::collections::HashMap;

// What a face needs to know of a process beside its name.
const EXITED: u8 = 1;
const CRASHED: u8 = 2;
const SYSTEM: u8 = 4;

/// Every process in order of spawning, as rows of: number, pid, number of the parent, registered
/// name, label, entry, events, flags. There may be ten thousand, so labels and entries are places
/// in the list of texts.
pub fn all(_: &mut Viewer, d: &mut Debugger, _: &Value) -> Result<Value, String> {
    let system = &d.session.system;
    let execution = &system.execution;
    let mut texts: Vec<String> = vec![];
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut place = |text: String| {
        *known.entry(text).or_insert_with_key(|text| {
            texts.push(text.clone());
            texts.len() - 1
        })
    };
    let mut rows = vec![];
    for id in execution.ids() {
        let p = execution.proc(id);
        let crashed = p.exit().is_some_and(|e| !outcome::is_normal(&e.reason));
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        rows.push(json!([
            id.0,
            describe::pid(system, id),
            p.parent.map(|(parent, _)| parent.0),
            system.live(id).name().map(|n| n.name()),
            place(label(system, id)),
            place(describe::initial_call(system, id)),
            p.actions.len() + p.deliveries.len(),
            flag(p.exit().is_some(), EXITED) | flag(crashed, CRASHED) | flag(p.is_system, SYSTEM),
        ]));
    }
    Ok(json!({ "texts": texts, "processes": rows }))
}

/// What people would call a process: its name, or the function that it is about. A process that
/// was started with a fun is about what that called.
fn label(system: &System, id: ProcId) -> String {
    let live = system.live(id);
    if let Some(name) = live.name() {
        return name.name().to_string();
    }
    let (_, entry, arity) = system.execution.proc(id).entry.mfa();
    let program = system.program();
    let code = &program.code;
    let named = |pc: u32| {
        let info = code.fun(code.fun_at(pc));
        let own = info.module.name() != "reverl_boot" && !info.name.name().starts_with('-');
        own.then(|| format!("{}/{}", info.name.name(), info.arity))
    };
    if !entry.name().starts_with('-') {
        return format!("{}/{arity}", entry.name());
    }
    let calls = live.process.stack().callers().map(|(ret, _)| ret - 1);
    let frames = std::iter::once(live.process.pc()).chain(calls).take(1_000);
    let outermost = frames.filter_map(named).last();
    outermost.unwrap_or_else(|| {
        let of = entry.name().trim_start_matches('-').split('/').next().unwrap_or_default();
        format!("fun in {of}")
    })
}

/// The state of a process at the cut, one word.
fn state_word(session: &mut Session, proc: ProcId) -> &'static str {
    let (execution, cut) = (&session.system.execution, &session.cut);
    if !cut.is_spawned(execution, proc) {
        return "unspawned";
    }
    if cut.has_exited(execution, proc) {
        let crashed = execution.proc(proc).exit().is_some_and(|e| !outcome::is_normal(&e.reason));
        return if crashed { "crashed" } else { "exited" };
    }
    if session.state(proc).is_waiting() { "waiting" } else { "running" }
}

/// What a list shows of a process.
pub fn row(session: &mut Session, proc: ProcId) -> Value {
    let state = state_word(session, proc);
    let step = session.steps_of(proc);
    let (function, at) = match state {
        "unspawned" => (None, None),
        _ => {
            let process = session.state(proc);
            let program = session.system.program();
            let code = &program.code;
            let place = walk::place_of(code, &process, step);
            let info = code.fun(code.fun_at(place.pc));
            let boot = info.module.name() == "reverl_boot";
            let mfa = describe::mfa((info.module, info.name, u32::from(info.arity)));
            ((!boot).then_some(mfa), place.line.filter(|_| !boot))
        }
    };
    let (file, line) = at.unzip();
    json!({
        "id": proc.0,
        "state": state,
        "step": step,
        "function": function,
        "file": file.map(|f| f.to_string()),
        "line": line,
        "mailbox": mailbox_len(&session.cut, session, proc),
    })
}

/// Counted, not listed: what has arrived less what was taken.
fn mailbox_len(cut: &Cut, session: &Session, proc: ProcId) -> usize {
    let execution = session.execution();
    let place = cut.place(proc);
    let p = execution.proc(proc);
    let arrived = p.deliveries.iter().take(place.deliveries as usize).filter(|d| d.in_mailbox());
    let acted = p.actions.iter().take(p.actions_at(place.steps));
    let taken = acted.filter(|a| matches!(a.what(), What::Receive(_))).count();
    arrived.count().saturating_sub(taken)
}

pub fn rows(_: &mut Viewer, d: &mut Debugger, asked: &Value) -> Result<Value, String> {
    const MOST: usize = 300;
    let ids = asked["ids"].as_array().into_iter().flatten().take(MOST);
    // A process of another branch is none here: it is left out.
    let procs: Vec<ProcId> = ids.filter_map(|v| proc_in(d.session.execution(), v).ok()).collect();
    let rows: Vec<Value> = procs.into_iter().map(|p| row(&mut d.session, p)).collect();
    Ok(json!({ "rows": rows }))
}

pub fn mailboxes(_: &mut Viewer, d: &mut Debugger, _: &Value) -> Result<Value, String> {
    let session = &d.session;
    let execution = session.execution();
    let count = |p: ProcId| match session.cut.is_spawned(execution, p) {
        true => json!([p.0, mailbox_len(&session.cut, session, p)]),
        false => json!([p.0, 0]),
    };
    Ok(json!({ "mailboxes": execution.ids().map(count).collect::<Vec<_>>() }))
}
