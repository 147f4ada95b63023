//! What kinds of events there are, and the names under which events travel to a face and back.

use reverl_causal::{Chain, EventRef, Execution, ProcId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// To whom an event matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum EventWeight {
    /// To whoever wrote the program.
    Main,
    /// To the library that did it.
    Internal,
}

/// What an event was, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum EventKind {
    Send,
    Receive,
    Deliver,
    Spawn,
    Exit,
    Timeout,
    Register,
    Unregister,
    Output,
    Call,
    Signal,
    Table,
    /// A variable was given another value by hand.
    Assign,
}

impl EventKind {
    /// Every kind.
    pub const ALL: &[EventKind] = &[
        EventKind::Send,
        EventKind::Receive,
        EventKind::Deliver,
        EventKind::Spawn,
        EventKind::Exit,
        EventKind::Timeout,
        EventKind::Register,
        EventKind::Unregister,
        EventKind::Output,
        EventKind::Call,
        EventKind::Signal,
        EventKind::Table,
        EventKind::Assign,
    ];

    /// The word for it in commands and answers.
    pub fn name(self) -> &'static str {
        match self {
            EventKind::Send => "send",
            EventKind::Receive => "receive",
            EventKind::Deliver => "deliver",
            EventKind::Spawn => "spawn",
            EventKind::Exit => "exit",
            EventKind::Timeout => "timeout",
            EventKind::Register => "register",
            EventKind::Unregister => "unregister",
            EventKind::Output => "output",
            EventKind::Call => "call",
            EventKind::Signal => "signal",
            EventKind::Table => "table",
            EventKind::Assign => "assign",
        }
    }

    pub fn named(name: &str) -> Option<EventKind> {
        EventKind::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

/// `2a5`: the sixth action of process 2; `2d0`: the first delivery to it.
pub fn event_name(event: EventRef) -> String {
    let chain = match event.chain() {
        Chain::Action => 'a',
        Chain::Delivery => 'd',
    };
    format!("{}{chain}{}", event.proc.0, event.index())
}

/// The event of this name, if the execution has it.
pub fn event_named(execution: &Execution, name: &str) -> Option<EventRef> {
    let at = name.find(['a', 'd'])?;
    let proc = ProcId(name[..at].parse().ok()?);
    let index: usize = name[at + 1..].parse().ok()?;
    let p = execution.procs().get(proc.0 as usize)?;
    let (event, count) = match &name[at..=at] {
        "a" => (EventRef::action(proc, index), p.actions.len()),
        _ => (EventRef::delivery(proc, index), p.deliveries.len()),
    };
    (index < count).then_some(event)
}
