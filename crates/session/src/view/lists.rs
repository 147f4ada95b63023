//! Lists of events, a page at a time: history, log, trace, roll log, output.

use super::{Viewer, event_name, number, proc_in, term};
use crate::command::Debugger;
use crate::describe;
use crate::outcome;
use reverl_causal::{EventRef, ProcId, System};
use serde_json::{Value, json};

const PAGE: u64 = 200;

pub fn event_row(system: &System, event: EventRef) -> Value {
    let message = describe::message_of(system, event);
    json!({
        "event": event_name(event),
        "proc": event.proc.0,
        "step": describe::step_of(system, event),
        "kind": describe::kind(system, event),
        "text": describe::what(system, event),
        "at": describe::event_place(system, event),
        "message": message.map(|id| describe::signal_name(system, id)),
    })
}

fn rows(d: &Debugger, events: &[EventRef]) -> Vec<Value> {
    events.iter().map(|e| event_row(&d.session.system, *e)).collect()
}

/// Part of the events of one process in the order in which they happened.
fn of_process(
    system: &System,
    proc: ProcId,
    actions: std::ops::Range<usize>,
    deliveries: std::ops::Range<usize>,
) -> Vec<EventRef> {
    let acted = actions.map(|i| EventRef::action(proc, i));
    let arrived = deliveries.map(|i| EventRef::delivery(proc, i));
    let mut events: Vec<EventRef> = acted.chain(arrived).collect();
    events.sort_by_key(|e| system.execution.order_of(*e));
    events
}

/// Latest first: the ends of both chains are enough for a page.
pub fn history(_: &mut Viewer, d: &mut Debugger, asked: &Value) -> Result<Value, String> {
    let proc = proc_in(d.session.execution(), &asked["proc"])?;
    let count = number(asked, "count", PAGE).min(2_000) as usize;
    let place = d.session.place(proc);
    let actions = d.session.execution().proc(proc).actions_at(place.steps);
    let deliveries = place.deliveries as usize;
    let (a, b) = (actions.saturating_sub(count), deliveries.saturating_sub(count));
    let mut events = of_process(&d.session.system, proc, a..actions, b..deliveries);
    events.reverse();
    events.truncate(count);
    Ok(json!({ "count": actions + deliveries, "events": rows(d, &events) }))
}

/// What comes next, as far as it is known.
pub fn log(_: &mut Viewer, d: &mut Debugger, asked: &Value) -> Result<Value, String> {
    let proc = proc_in(d.session.execution(), &asked["proc"])?;
    let count = number(asked, "count", PAGE).min(2_000) as usize;
    let place = d.session.place(proc);
    let p = d.session.execution().proc(proc);
    let actions = p.actions_at(place.steps)..p.actions.len();
    let deliveries = place.deliveries as usize..p.deliveries.len();
    let all = actions.len() + deliveries.len();
    let first = |r: std::ops::Range<usize>| r.start..r.end.min(r.start + count);
    let mut events = of_process(&d.session.system, proc, first(actions), first(deliveries));
    events.truncate(count);
    Ok(json!({ "count": all, "events": rows(d, &events) }))
}

pub fn trace(_: &mut Viewer, d: &mut Debugger, asked: &Value) -> Result<Value, String> {
    let count = number(asked, "count", PAGE).min(2_000) as usize;
    let session = &d.session;
    let execution = session.execution();
    let own =
        |e: &EventRef| session.cut.contains(execution, *e) && !execution.proc(e.proc).is_system;
    let latest = execution.events().rev().filter(own);
    let events: Vec<EventRef> = latest.take(count).collect();
    Ok(json!({ "events": rows(d, &events) }))
}

pub fn roll_log(_: &mut Viewer, d: &mut Debugger, asked: &Value) -> Result<Value, String> {
    let count = number(asked, "count", PAGE).min(2_000) as usize;
    let all = &d.session.roll_log;
    // Another branch may have been gone to: what is not there is not shown.
    let known = |e: &EventRef| super::event_named(d.session.execution(), &event_name(*e)).is_ok();
    let events: Vec<EventRef> = all.iter().copied().filter(known).take(count).collect();
    Ok(json!({ "count": all.len(), "events": rows(d, &events) }))
}

/// The last things that the program printed, in order.
pub fn output(_: &mut Viewer, d: &mut Debugger, asked: &Value) -> Result<Value, String> {
    let count = number(asked, "count", 500).min(5_000) as usize;
    let session = &d.session;
    let execution = session.execution();
    let printed = execution.events().rev().filter_map(|event| {
        let text = outcome::output_of(&session.system, event)?;
        Some(json!({
            "event": event_name(event),
            "proc": event.proc.0,
            "text": text,
            "undone": !session.cut.contains(execution, event),
        }))
    });
    let mut parts: Vec<Value> = printed.take(count).collect();
    parts.reverse();
    Ok(json!({ "output": parts }))
}

/// The message of an event, folded.
pub fn message(system: &System, event: EventRef) -> Value {
    match describe::message_of(system, event) {
        Some(id) => term::folded(&system.execution.signal(id).message),
        None => Value::Null,
    }
}
