//! What is wrong with an execution that has ended.

use crate::describe;
use crate::outcome::{self, Status, show};
use reverl_causal::System;

/// Its kind, its place, its reason.
pub type Failure = (&'static str, String, String);

/// What the main process came to.
pub fn result(system: &System, is_cut_off: bool) -> String {
    match system.execution.proc(system.main).exit() {
        Some(exit) => match &exit.value {
            Some(value) => show(value),
            None => format!("exit: {}", show(&outcome::short_reason(&exit.reason))),
        },
        None if is_cut_off => "cut off".into(),
        None => "blocked".into(),
    }
}

/// Everything that is wrong with a finished execution.
pub fn failures(system: &System, is_cut_off: bool) -> Vec<Failure> {
    let mut found = vec![];
    let own = system.execution.ids().filter(|p| !system.execution.proc(*p).is_system);
    for proc in own {
        let p = system.execution.proc(proc);
        let at = outcome::place_in_words(system, proc);
        match (outcome::status(system, proc), p.exit()) {
            // A process that was killed by another's end is not a failure of its own.
            (_, Some(exit)) if !outcome::is_normal(&exit.reason) && exit.killed_by.is_none() => {
                let reason = show(&outcome::short_reason(&exit.reason));
                let is_assertion = reason.starts_with("{assert");
                found.push((if is_assertion { "assertion" } else { "crash" }, at, reason));
            }
            (Status::Blocked, None) if proc == system.main && !is_cut_off => {
                found.push(("deadlock", at, "the main process waits for ever".into()));
            }
            _ => {}
        }
    }
    if is_cut_off {
        found.push(("limit", String::new(), "the bound on steps was reached".into()));
        return found;
    }
    let (lost, orphans) = outcome::unreceived(system);
    for (kind, list) in [("lost", lost), ("orphan", orphans)] {
        if let Some(m) = list.first() {
            let sent_by = system.execution.signal(m.signal).sent_by() as usize;
            let action = system.execution.proc(m.from).actions.get(sent_by);
            let at = action.map_or(String::new(), |a| describe::place(system, a.pc));
            found.push((kind, at, show(&m.message)));
        }
    }
    found
}
