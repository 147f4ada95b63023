//! Finding events: by text, process, kind, function, or the pattern of a message. A search goes
//! on where the last answer stopped, so that none takes long.

use super::lists::event_row;
use super::{Viewer, number};
use crate::command::{Debugger, places};
use crate::{describe, eval};
use reverl_causal::{EventRef, ProcId};
use reverl_term::Atom;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_millis(50);
const MOST: u64 = 100;

enum Wanted {
    Text(String),
    Process(ProcId),
    Kind(String),
    Function(String),
    Pattern(eval::Compiled),
}

pub fn some(_: &mut Viewer, d: &mut Debugger, asked: &Value) -> Result<Value, String> {
    let text = asked["text"].as_str().unwrap_or_default().trim().to_string();
    if text.is_empty() {
        return Ok(json!({ "events": [], "next": null }));
    }
    let wanted = match asked["by"].as_str().unwrap_or("text") {
        "process" => Wanted::Process(places::process(&d.session, &text)?),
        "kind" => Wanted::Kind(text),
        "function" => Wanted::Function(text),
        "message" => Wanted::Pattern(pattern(d, &text)?),
        _ => Wanted::Text(text.to_lowercase()),
    };
    let most = number(asked, "count", MOST).min(1_000) as usize;
    let mut at = number(asked, "from", 0) as usize;
    let begun = Instant::now();
    let mut found = vec![];
    let length = d.session.execution().event_count();
    while at < length && found.len() < most {
        // The clock is asked now and then only.
        if at % 64 == 0 && begun.elapsed() > PATIENCE {
            break;
        }
        let Some(event) = d.session.execution().event(at) else { break };
        at += 1;
        let own = !d.session.execution().proc(event.proc).is_system;
        if own && fits(d, &wanted, event) {
            found.push(event_row(&d.session.system, event));
        }
    }
    let next = (at < length).then_some(at);
    Ok(json!({ "events": found, "next": next, "looked_at": at, "of": length }))
}

fn pattern(d: &mut Debugger, text: &str) -> Result<eval::Compiled, String> {
    let code = format!("case M of {text} -> true; _ -> false end");
    let compiled = eval::compile(d.session.system.world(), &code, &[Atom::new("M")], None);
    compiled.map_err(|e| format!("'{text}' is no pattern: {}", e.text()))
}

fn fits(d: &mut Debugger, wanted: &Wanted, event: EventRef) -> bool {
    let system = &d.session.system;
    match wanted {
        Wanted::Process(proc) => event.proc == *proc,
        Wanted::Kind(kind) => describe::kind(system, event) == kind,
        Wanted::Text(text) => describe::event_line(system, event).to_lowercase().contains(text),
        Wanted::Function(name) => {
            let Some(action) = system.execution.action(event) else { return false };
            let program = system.program();
            let code = &program.code;
            if action.pc as usize >= code.ins.len() {
                return false;
            }
            let info = code.fun(code.fun_at(action.pc));
            describe::mfa((info.module, info.name, u32::from(info.arity))).contains(name.as_str())
        }
        Wanted::Pattern(pattern) => {
            let Some(id) = describe::message_of(system, event) else { return false };
            let system = &d.session.system;
            let message = system.execution.signal(id).message.clone();
            let local = system.live(event.proc).process.local.clone();
            let matched = eval::evaluate(system, pattern, vec![message], local);
            matched.is_ok_and(|v| v.as_bool() == Some(true))
        }
    }
}
