//! What went wrong by the end of the execution: blocked, crashed, lost, orphan.

use super::{Viewer, event_name, term};
use crate::command::Debugger;
use crate::describe;
use crate::outcome::{self, Status};
use reverl_causal::EventRef;
use serde_json::{Value, json};

const MOST: usize = 500;

pub fn all(_: &mut Viewer, d: &mut Debugger, _: &Value) -> Result<Value, String> {
    let system = &d.session.system;
    let execution = &system.execution;
    let mut found = vec![];
    let mut count = 0;
    for proc in execution.ids().filter(|p| !execution.proc(*p).is_system) {
        let p = execution.proc(proc);
        let last = p.actions.len().checked_sub(1).map(|i| event_name(EventRef::action(proc, i)));
        let (kind, text) = match (outcome::status(system, proc), p.exit()) {
            (Status::Blocked, _) => ("blocked", "waits in this receive".to_string()),
            (_, Some(e)) if !outcome::is_normal(&e.reason) => ("crashed", term::brief(&e.reason)),
            _ => continue,
        };
        count += 1;
        if found.len() < MOST {
            found.push(json!({
                "kind": kind,
                "proc": proc.0,
                "at": outcome::place(system, proc),
                "text": text,
                "event": last,
            }));
        }
    }
    let (lost, orphans) = outcome::unreceived(system);
    for (kind, list) in [("lost", lost), ("orphan", orphans)] {
        count += list.len();
        let room = MOST.saturating_sub(found.len());
        found.extend(list.iter().take(room).map(|m| {
            let sent = EventRef::action(m.from, execution.signal(m.signal).sent_by() as usize);
            json!({
                "kind": kind,
                "proc": m.from.0,
                "to": m.to.map(|to| to.0),
                "at": describe::event_place(system, sent),
                "text": term::brief(&m.message),
                "message": describe::signal_name(system, m.signal),
                "event": event_name(sent),
            })
        }));
    }
    Ok(json!({ "count": count, "problems": found }))
}
