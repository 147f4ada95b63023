//! Two executions side by side: where each process does something else than it did there.

use super::lists::event_row;
use super::{Viewer, number, proc_in};
use crate::command::Debugger;
use crate::describe;
use reverl_causal::{Action, EventRef, Execution, ProcId, System, What};
use reverl_term::exact_eq;
use serde_json::{Value, json};

const MOST: usize = 300;

pub fn branches(_: &mut Viewer, d: &mut Debugger, asked: &Value) -> Result<Value, String> {
    let name = asked["with"].as_str().unwrap_or_default();
    let other = d.session.other_branches().iter().find(|b| b.name == name);
    let other = other.ok_or_else(|| format!("there is no other branch '{name}'"))?;
    let (here, there) = (&d.session.system, other.system());
    if !asked["proc"].is_null() {
        let proc = proc_in(&here.execution, &asked["proc"])
            .or_else(|_| proc_in(&there.execution, &asked["proc"]))?;
        let count = number(asked, "count", 100).min(1_000) as usize;
        let same = common(&here.execution, &there.execution, proc);
        let rest = |system: &System| -> Vec<Value> {
            let Some(p) = system.execution.procs.get(proc.0 as usize) else { return vec![] };
            let end = p.actions.len().min(same + count);
            (same.min(end)..end).map(|i| event_row(system, EventRef::action(proc, i))).collect()
        };
        return Ok(json!({ "same": same, "here": rest(here), "there": rest(there) }));
    }
    let count = here.execution.procs.len().max(there.execution.procs.len());
    let mut rows = vec![];
    let mut differ = 0;
    for proc in (0..count as u32).map(ProcId) {
        let actions = |e: &Execution| spawned(e, proc).map(|p| p.actions.len());
        let (a, b) = (actions(&here.execution), actions(&there.execution));
        let system =
            [here, there].iter().any(|s| spawned(&s.execution, proc).is_some_and(|p| p.is_system));
        if (a.is_none() && b.is_none()) || system {
            continue;
        }
        let same = common(&here.execution, &there.execution, proc);
        if a == b && a == Some(same) {
            continue;
        }
        differ += 1;
        if rows.len() < MOST {
            let next = |system: &System, n: Option<usize>| {
                let event = EventRef::action(proc, same);
                n.filter(|n| same < *n).map(|_| describe::what(system, event))
            };
            rows.push(json!({
                "proc": proc.0,
                "pid": describe::pid(if a.is_some() { here } else { there }, proc),
                "same": same,
                "here": { "events": a, "next": next(here, a) },
                "there": { "events": b, "next": next(there, b) },
            }));
        }
    }
    Ok(json!({
        "here": d.session.branch_name(),
        "there": name,
        "differ": differ,
        "processes": rows,
    }))
}

fn spawned(execution: &Execution, proc: ProcId) -> Option<&reverl_causal::execution::Proc> {
    execution.procs.get(proc.0 as usize).filter(|p| p.is_spawned)
}

/// How many actions a process did alike in both.
fn common(a: &Execution, b: &Execution, proc: ProcId) -> usize {
    let (Some(p), Some(q)) = (spawned(a, proc), spawned(b, proc)) else { return 0 };
    let pairs = p.actions.iter().zip(q.actions.iter());
    pairs.take_while(|(x, y)| is_same((a, x), (b, y), proc)).count()
}

fn is_same((a, x): (&Execution, &Action), (b, y): (&Execution, &Action), proc: ProcId) -> bool {
    let signal = |e: &Execution, k: u32| {
        let signal = &e.proc(proc).signals[k as usize];
        (signal.to(), signal.message.clone())
    };
    match (x.what(), y.what()) {
        (What::Send(j), What::Send(k)) => {
            let ((to, m), (to2, m2)) = (signal(a, j), signal(b, k));
            to == to2 && exact_eq(&m, &m2)
        }
        (What::Receive(s), What::Receive(t)) => {
            s == t && exact_eq(&a.signal(s).message, &b.signal(t).message)
        }
        (What::Timeout, What::Timeout) => true,
        (What::Request(r), What::Request(s)) => {
            let answers = match (&r.answer, &s.answer) {
                (Ok(v), Ok(w)) => exact_eq(v, w),
                (Err(_), Err(_)) => true,
                _ => false,
            };
            r.builtin == s.builtin
                && r.args.len() == s.args.len()
                && r.args.iter().zip(&s.args).all(|(v, w)| exact_eq(v, w))
                && answers
        }
        (What::Exit(e), What::Exit(f)) => exact_eq(&e.reason, &f.reason),
        _ => false,
    }
}
