//! How a client is told that the session stands still: why, where, what was printed on the way, and
//! which processes a causal move has taken along.

use super::debugging::{BreakpointKind, Debugging};
use super::log_points;
use super::protocol::{OutputCategory, event, output};
use super::requests::thread_id;
use crate::ui::interface::Done;
use reverl_session::command::{EndOfRun, Move, MoveKind, Note, PlanView, Reply};
use reverl_session::text;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Processes that are told one by one.
const MOST_MOVED: usize = 50;

/// Why the session stands still.
struct Cause {
    reason: String,
    description: Option<String>,
    text: Option<String>,
    breakpoint: Option<usize>,
}

impl Cause {
    fn new(reason: &str, description: Option<String>) -> Cause {
        Cause { reason: reason.into(), description, text: None, breakpoint: None }
    }
}

/// The move that a command came to.
fn moved(done: &Done) -> Option<&Move> {
    match done.reply.as_deref()? {
        Reply::Move(moved) | Reply::Passed(moved) => Some(moved),
        _ => None,
    }
}

/// Whether a command has led elsewhere.
pub fn has_moved(done: &Done) -> bool {
    moved(done).is_some()
}

/// Everything that is told at a stop.
pub fn events(debugging: &mut Debugging, done: &Done, reason: &str) -> Vec<Value> {
    if moved(done).is_some() {
        debugging.last_stop.clone_from(&done.reply);
    }
    debugging.told();
    let mut events = debugging.new_output();
    events.extend(log_points::news(debugging));
    let cause = cause(debugging, done, reason);
    let proc = moved(done).map(|moved| moved.here.process.proc);
    let proc = proc.or_else(|| debugging.look(|d| d.session.current.0).ok()).unwrap_or(0);
    let plan = moved(done).and_then(|moved| moved.plan.as_ref());
    events.extend(plan.map(|plan| output(OutputCategory::Console, &(plan_text(plan) + "\n"))));
    events.push(stopped(&cause, proc));
    let others = plan.map(|plan| others(plan, proc)).unwrap_or_default();
    if debugging.client.has_invalidated {
        events.extend(others.into_iter().map(invalidated));
    }
    events
}

fn plan_text(plan: &PlanView) -> String {
    text::plan(plan)
}

fn stopped(cause: &Cause, proc: u32) -> Value {
    let mut body = json!({
        "reason": cause.reason, "threadId": thread_id(proc), "allThreadsStopped": true,
    });
    if let Some(description) = &cause.description {
        body["description"] = description.as_str().into();
    }
    if let Some(text) = &cause.text {
        body["text"] = text.as_str().into();
    }
    if let Some(id) = cause.breakpoint {
        body["hitBreakpointIds"] = json!([id]);
    }
    event("stopped", body)
}

/// The other processes that have moved.
fn others(plan: &PlanView, proc: u32) -> Vec<u32> {
    let moved: BTreeSet<u32> = plan.events.iter().map(|e| e.row.process.proc).collect();
    moved.into_iter().filter(|other| *other != proc).take(MOST_MOVED).collect()
}

fn invalidated(proc: u32) -> Value {
    let areas = ["threads", "stacks", "variables"];
    event("invalidated", json!({ "areas": areas, "threadId": thread_id(proc) }))
}

fn cause(debugging: &Debugging, done: &Done, reason: &str) -> Cause {
    let Some(moved) = moved(done) else { return Cause::new(reason, None) };
    for note in &moved.notes {
        match note {
            Note::Breakpoint(row) => {
                let reason = match debugging.kinds.get(&row.id) {
                    Some(BreakpointKind::Function) => "function breakpoint",
                    Some(BreakpointKind::Data) => "data breakpoint",
                    Some(BreakpointKind::Exception) => "exception",
                    Some(BreakpointKind::Line) | None => "breakpoint",
                };
                let text = Some(row.text.clone());
                return Cause { text, breakpoint: Some(row.id), ..Cause::new(reason, None) };
            }
            Note::Exception { breakpoint, class, reason, .. } => {
                let (text, breakpoint) = (Some(format!("{class}: {reason}")), Some(breakpoint.id));
                let description = Some("About to raise an exception".to_string());
                return Cause { text, breakpoint, ..Cause::new("exception", description) };
            }
            Note::ConditionFails { breakpoint, why } => {
                let breakpoint = Some(breakpoint.id);
                return Cause { breakpoint, ..Cause::new("breakpoint", Some(why.clone())) };
            }
            Note::Ended(EndOfRun::Stopped) => return Cause::new("pause", None),
            Note::Ended(_) | Note::OnTheirWay { .. } => {
                let description = format!("The end: {}", text::note(note));
                return Cause::new("pause", Some(description));
            }
            Note::AtBeginning => {
                let description = "The beginning: no breakpoint comes before";
                return Cause::new("entry", Some(description.into()));
            }
            Note::NoBreakpointBefore => {
                return Cause::new(
                    "pause",
                    Some("No breakpoint of this process comes before".into()),
                );
            }
            _ => {}
        }
    }
    let branch = match &moved.moved {
        MoveKind::Branched { branch } => Some(format!("On the new branch {branch}")),
        _ => None,
    };
    Cause::new(reason, branch)
}
