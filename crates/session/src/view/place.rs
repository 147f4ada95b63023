//! Where the session is, as numbers and as a text that can be kept and gone back to.

use super::Viewer;
use crate::command::Debugger;
use crate::outcome;
use crate::session::Session;
use reverl_causal::plan::{self, Target};
use reverl_causal::{Cut, EventRef, Execution, ProcId};
use serde_json::{Value, json};

/// A branch and a cut of it: what a move goes from and to.
#[derive(Clone, PartialEq)]
pub struct Position {
    pub branch: String,
    pub cut: Cut,
    pub current: ProcId,
}

impl Position {
    pub fn of(session: &Session) -> Position {
        let branch = session.branch_name().to_string();
        Position { branch, cut: session.cut.clone(), current: session.current }
    }

    /// Executions only grow, so a position that was, can be again.
    pub fn restore(self, session: &mut Session) {
        if session.switch_branch(&self.branch).is_ok() {
            session.cut = self.cut;
            session.current = self.current;
        }
    }
}

pub fn summary(_: &mut Viewer, d: &mut Debugger, _: &Value) -> Result<Value, String> {
    let session = &d.session;
    let execution = session.execution();
    let inside = |p: ProcId| {
        let place = session.cut.place(p);
        execution.proc(p).actions_at(place.steps) + place.deliveries as usize
    };
    let done: usize = execution.ids().map(inside).sum();
    let at_end = session.is_at_end();
    let more = !session.system.enabled().is_empty() && session.system.halted().is_none();
    let verdict = outcome::verdict(&session.system, more || execution.event_count() == 0);
    let mut branches = vec![json!({
        "name": session.branch_name(),
        "events": execution.event_count(),
        "current": true,
    })];
    branches.extend(session.other_branches().iter().map(
        |b| json!({ "name": b.name, "events": b.execution().event_count(), "current": false }),
    ));
    let procs = execution.ids().count();
    Ok(json!({
        "branch": session.branch_name(),
        "branches": branches,
        "current": session.current.0,
        "main": session.system.main.0,
        "events": execution.event_count(),
        "events_here": done,
        "steps_here": session.cut.total_steps(),
        "processes": procs,
        "at_end": at_end,
        "more": more,
        "outcome": verdict.name(),
        "place": place_text(execution, &session.cut),
        "rolled": session.roll_log.len(),
    }))
}

/// The processes that are not at their end: number, steps and deliveries of each.
fn place_text(execution: &Execution, cut: &Cut) -> String {
    let end = Cut::end(execution);
    let moved = execution.ids().filter(|p| cut.place(*p) != end.place(*p));
    let parts: Vec<String> = moved
        .map(|p| format!("{}.{}.{}", p.0, cut.place(p).steps, cut.place(p).deliveries))
        .collect();
    if parts.is_empty() { "end".into() } else { parts.join("~") }
}

/// Goes to a branch and to the greatest cut that is nowhere beyond what the text says. A text
/// from elsewhere can say anything: what comes out is always a consistent cut.
pub fn apply_place(session: &mut Session, branch: &str, text: &str) -> Result<(), String> {
    session
        .switch_branch(branch)
        .map_err(|_| format!("there is no branch '{branch}' in this session"))?;
    let bad = || format!("'{text}' is no place");
    let mut cut = Cut::end(session.execution());
    let parts = text.split('~').filter(|part| !part.is_empty() && *part != "end");
    for part in parts {
        let mut numbers = part.split('.').map(|n| n.parse::<u64>().map_err(|_| bad()));
        let mut next = || numbers.next().ok_or_else(bad)?;
        let (proc, steps, deliveries) = (next()?, next()?, next()?);
        let execution = session.execution();
        let known = execution.procs.get(proc as usize).is_some_and(|p| p.is_spawned);
        if !known {
            return Err(bad());
        }
        let proc = ProcId(proc as u32);
        if cut.place(proc).steps > steps {
            cut = plan::undo(execution, &cut, Target::Steps(proc, steps)).to;
        }
        if u64::from(cut.place(proc).deliveries) > deliveries {
            let first = EventRef::delivery(proc, deliveries as usize);
            cut = plan::undo(execution, &cut, Target::Event(first)).to;
        }
    }
    session.cut = cut;
    Ok(())
}
