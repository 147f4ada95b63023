//! One process at the cut: where it is, its calls with their variables, its mailbox.

use super::processes::row;
use super::{Viewer, event_name, proc_in, term};
use crate::command::Debugger;
use crate::{describe, scope};
use reverl_causal::{EventRef, SignalId};
use serde_json::{Value, json};

/// Calls and messages beyond this are only counted.
const MOST: usize = 200;

pub fn whole(_: &mut Viewer, d: &mut Debugger, asked: &Value) -> Result<Value, String> {
    let proc = proc_in(d.session.execution(), &asked["proc"])?;
    let mut data = row(&mut d.session, proc);
    let session = &d.session;
    data["pid"] = json!(describe::pid(&session.system, proc));
    if data["state"] == "unspawned" {
        return Ok(data);
    }
    let step = session.steps_of(proc);
    let process = session.state(proc);
    let program = session.system.program();
    let code = &program.code;
    let here = scope::here(code, &process, step);
    let file = code.sources.get(here.span.file);
    let position = code.sources.line_col(here.span);
    let text = file.and_then(|f| f.text.as_ref());
    data["expression"] =
        json!(text.and_then(|t| t.get(here.span.start as usize..here.span.end as usize)));
    data["column"] = json!(position.column);
    data["rule"] = json!(here.next.map(|(rule, _)| format!("{rule:?}").to_lowercase()));
    let mut levels = scope::levels(code, &process, step);
    let ended = session.cut.has_exited(session.execution(), proc);
    let exit = session.execution().proc(proc).exit().filter(|_| ended);
    if exit.is_some_and(|e| e.value.is_some()) {
        // A function that has returned has no variables any more.
        levels.iter_mut().for_each(|level| level.bindings.clear());
    }
    let calls: Vec<Value> = levels
        .iter()
        .take(MOST)
        .map(|level| {
            let (file, line) = code.sources.shown_at(level.span).unzip();
            let bound = level.bindings.iter();
            let bindings: Vec<Value> = bound
                .map(|(name, value)| {
                    let mut data = term::folded(value);
                    data["name"] = json!(name.name());
                    data
                })
                .collect();
            json!({
                "function": describe::mfa((level.module, level.name, level.arity)),
                "file": file.map(|f| f.to_string()),
                "line": line,
                "bindings": bindings,
            })
        })
        .collect();
    data["depth"] = json!(levels.len());
    data["calls"] = json!(calls);
    data["exit"] = json!(exit.map(|e| term::brief(&e.reason)));
    data["result"] = json!(exit.and_then(|e| e.value.as_ref()).map(term::brief));
    let waiting = session.cut.mailbox(session.execution(), proc);
    data["messages"] = json!(message_rows(d, &waiting));
    Ok(data)
}

/// Messages as a list shows them.
pub fn message_rows(d: &Debugger, ids: &[SignalId]) -> Vec<Value> {
    let system = &d.session.system;
    let row = |id: &SignalId| {
        let signal = system.execution.signal(*id);
        let sent = EventRef::action(id.from, signal.sent_by() as usize);
        let mut data = term::folded(&signal.message);
        data["id"] = json!(describe::signal_name(system, *id));
        data["from"] = json!(id.from.0);
        data["to"] = json!(signal.to().map(|to| to.0));
        data["sent"] = json!(event_name(sent));
        data["at"] = json!(describe::event_place(system, sent));
        data
    };
    ids.iter().take(MOST).map(row).collect()
}

pub fn in_flight(_: &mut Viewer, d: &mut Debugger, _: &Value) -> Result<Value, String> {
    let execution = d.session.execution();
    let mut flying = d.session.cut.in_flight(execution);
    // What the console or the clock has under way is no concern of the program.
    flying.retain(|id| {
        let to_system = execution.signal(*id).to().is_some_and(|to| execution.proc(to).is_system);
        !to_system && !execution.proc(id.from).is_system
    });
    Ok(json!({ "count": flying.len(), "messages": message_rows(d, &flying) }))
}
