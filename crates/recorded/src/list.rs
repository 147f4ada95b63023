//! A recording as text: one line for each event.

use crate::parts::{NodeRecording, RecordedValue, TraceAction};
use crate::terms::{term, value_of};
use reverl_term::{Pid, Term, fmt};

fn show(bytes: &[u8]) -> String {
    fmt::write(&term(bytes))
}

fn pid(recorded: &NodeRecording, number: u32) -> String {
    let number = recorded.processes.get(number as usize).map_or(0, |p| p.pid);
    fmt::write(&Term::pid(Pid::local(number as u32, (number >> 32) as u32)))
}

fn function(recorded: &NodeRecording, number: u32) -> String {
    match recorded.functions.get(number as usize) {
        Some(f) => format!("{}:{}/{}", f.module, f.name, f.arity),
        None => "?".into(),
    }
}

/// The names that the node was given right before an event, one on each line.
pub fn names_before(recorded: &NodeRecording, i: usize) -> impl Iterator<Item = String> {
    let named = recorded.names.iter().filter(move |name| name.after as usize == i);
    named.map(|name| format!("the node is {}", name.name))
}

/// One event: its process and what it did.
pub fn line(recorded: &NodeRecording, i: usize) -> String {
    let entry = &recorded.entries[i];
    let text = match &entry.action {
        TraceAction::Deliver { from, hash: None } => {
            format!("deliver from {}", pid(recorded, *from))
        }
        TraceAction::Deliver { from, hash: Some(hash) } => {
            format!("deliver from {}, hash {hash}", pid(recorded, *from))
        }
        TraceAction::DeliverTerm { from: None, message } => format!("deliver {}", show(message)),
        TraceAction::DeliverTerm { from: Some(from), message } => {
            format!("deliver {} from {}", show(message), pid(recorded, *from))
        }
        TraceAction::DeliverInside { message, .. } => {
            format!("deliver {} inside of a call", show(message))
        }
        TraceAction::Timeout => "timeout".into(),
        TraceAction::Consume { from } => format!("receive from {}", pid(recorded, *from)),
        TraceAction::Spawn(child) => format!("spawn {}", pid(recorded, *child)),
        TraceAction::Exit(reason) => format!("exit {}", show(reason)),
        TraceAction::Result { function: f, value } => {
            format!("{} -> {}", function(recorded, *f), of(value))
        }
        TraceAction::Raised { function: f, exception } => {
            format!("{} raises {}", function(recorded, *f), show(exception))
        }
        TraceAction::Begin { function: f, args } => {
            format!("begins with {} {}", function(recorded, *f), show(args))
        }
        TraceAction::Return(value) => format!("returns {}", show(value)),
        TraceAction::BeginRaised(exception) => format!("raises {}", show(exception)),
        TraceAction::Register(name) => format!("register {}", show(name)),
        TraceAction::Unregister(name) => format!("unregister {}", show(name)),
        TraceAction::Call { function: f, args } => {
            format!("{} {}", function(recorded, *f), show(args))
        }
    };
    format!("{} {text}", pid(recorded, entry.proc))
}

fn of(value: &RecordedValue) -> String {
    fmt::write(&value_of(value))
}
