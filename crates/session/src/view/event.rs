//! One event: what it was, what it depends on, and what can be done about it, with the count of
//! what would move.

use super::{Counts, Viewer, event_name, event_named, lists, races};
use crate::command::Debugger;
use crate::describe;
use reverl_causal::plan;
use reverl_causal::{Chain, EventRef, Target, What};
use serde_json::{Value, json};

pub fn whole(v: &mut Viewer, d: &mut Debugger, asked: &Value) -> Result<Value, String> {
    let name = asked["event"].as_str().unwrap_or_default();
    let event = event_named(d.session.execution(), name)?;
    v.select(&d.session, Some(name))?;
    let selection = v.selection.as_ref().ok_or("nothing is selected")?;
    let system = &d.session.system;
    let mut data = lists::event_row(system, event);
    data["pid"] = json!(describe::pid(system, event.proc));
    data["order"] = json!(system.execution.order_of(event));
    data["causes"] = json!(selection.causes);
    data["consequences"] = json!(selection.undone.events.saturating_sub(1));
    data["term"] = lists::message(system, event);
    data["related"] = json!(related(d, event));
    data["choices"] = json!(choices(d, event, selection.undone));
    let receives =
        matches!(d.session.execution().action(event).map(|a| a.what()), Some(What::Receive(_)));
    data["racing"] = match receives {
        true => races::of_receive(v, d, event),
        false => json!([]),
    };
    Ok(data)
}

/// One line each, without causes and choices: for pointing at things.
pub fn some(_: &mut Viewer, d: &mut Debugger, asked: &Value) -> Result<Value, String> {
    let names = asked["events"].as_array().into_iter().flatten().take(100);
    let system = &d.session.system;
    let rows: Result<Vec<Value>, String> = names
        .map(|name| {
            let event = event_named(&system.execution, name.as_str().unwrap_or_default())?;
            Ok(lists::event_row(system, event))
        })
        .collect();
    Ok(json!({ "rows": rows? }))
}

/// The other events of the same message.
fn related(d: &Debugger, event: EventRef) -> Vec<Value> {
    let system = &d.session.system;
    let execution = &system.execution;
    let Some(id) = describe::message_of(system, event) else { return vec![] };
    let signal = execution.signal(id);
    let sent = Some(EventRef::action(id.from, signal.sent_by() as usize));
    let to = signal.to();
    let delivered = to.zip(signal.delivery()).map(|(to, i)| EventRef::delivery(to, i as usize));
    let received = to.zip(signal.receive()).map(|(to, i)| EventRef::action(to, i as usize));
    let all = [("sent", sent), ("delivered", delivered), ("received", received)];
    let others = all.into_iter().filter_map(|(how, e)| Some((how, e.filter(|e| *e != event)?)));
    others.map(|(how, e)| json!({ "how": how, "event": event_name(e), "proc": e.proc.0 })).collect()
}

/// Commands about this event, each with what it would move; `undone` is what undoing it from the
/// end would.
fn choices(d: &Debugger, event: EventRef, undone: Counts) -> Vec<Value> {
    let session = &d.session;
    let execution = session.execution();
    let name = event_name(event);
    let mut list = vec![];
    let mut add = |label: &str, command: String, moves: Value| {
        list.push(json!({ "label": label, "command": command, "moves": moves }));
    };
    if session.cut.contains(execution, event) {
        let moves = match session.is_at_end() {
            true => undone,
            false => Counts::of(&plan::undo_extent(execution, &session.cut, Target::Event(event))),
        };
        add("Undo to before this", format!("undo event {name}"), moves.json());
    } else {
        let extent = plan::redo_extent(execution, &session.cut, Target::Event(event));
        add("Replay to after this", format!("redo event {name}"), Counts::of(&extent).json());
    }
    let step = describe::step_of(&session.system, event);
    let pid = describe::pid(&session.system, event.proc);
    if event.chain() == Chain::Action {
        add("Go to this step", format!("goto {pid}@{step}"), Value::Null);
    }
    if let Some(id) = describe::message_of(&session.system, event) {
        let signal = execution.signal(id);
        let sent =
            session.cut.contains(execution, EventRef::action(id.from, signal.sent_by() as usize));
        let arrived = match (signal.to(), signal.delivery()) {
            (Some(to), Some(i)) => i < session.cut.place(to).deliveries,
            (Some(_), None) => false,
            (None, _) => true,
        };
        let message = describe::signal_name(&session.system, id);
        if sent && !arrived {
            add("Deliver this now", format!("deliver {message}"), Value::Null);
        }
    }
    list
}
