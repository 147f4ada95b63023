//! What a graphical face looks at: one row per view, each a function of the session and of what
//! was asked, answered as JSON. A view never moves the session; commands do that.
//!
//! Every answer is bounded in size and in time: a view shows a window, never a whole execution.

mod ask;
pub mod axis;
mod compare;
mod diagram;
mod event;
mod lists;
mod looking;
mod place;
mod problems;
mod process;
mod processes;
mod races;
mod search;
mod sources;
mod term;

pub use place::{Position, apply_place};

use crate::command::Debugger;
use axis::Axes;
use reverl_causal::plan::Extent;
use reverl_causal::{Chain, Cut, EventRef, Execution, ProcId};
use serde_json::{Value, json};

/// What is remembered between two looks, so that the second one is quick.
#[derive(Default)]
pub struct Viewer {
    axes: Axes,
    selection: Option<Selection>,
    inbox: Option<races::Known>,
}

/// The causes and consequences of one event, for the length of the execution they were found in.
struct Selection {
    event: EventRef,
    branch: String,
    length: usize,
    past: Cut,
    causes: usize,
    /// Everything but the consequences.
    rest: Cut,
    /// What undoing it from the end takes along, itself included.
    undone: Counts,
}

/// The size of a plan.
#[derive(Clone, Copy)]
struct Counts {
    steps: u64,
    events: usize,
    processes: usize,
}

impl Counts {
    fn of(extent: &Extent) -> Counts {
        let Extent { events, steps, processes, .. } = *extent;
        Counts { steps, events, processes }
    }

    fn json(self) -> Value {
        json!({ "steps": self.steps, "events": self.events, "processes": self.processes })
    }
}

type Show = fn(&mut Viewer, &mut Debugger, &Value) -> Result<Value, String>;

pub struct View {
    pub name: &'static str,
    pub help: &'static str,
    show: Show,
}

/// All views.
pub const VIEWS: &[View] = &[
    View { name: "summary", help: "where the session is, in numbers", show: place::summary },
    View { name: "processes", help: "all processes, as they were spawned", show: processes::all },
    View { name: "rows", help: "state and line of some processes", show: processes::rows },
    View {
        name: "mailboxes",
        help: "how many messages wait, for all processes",
        show: processes::mailboxes,
    },
    View { name: "process", help: "one process: calls, variables, mailbox", show: process::whole },
    View { name: "term", help: "the parts of a folded term", show: term::open },
    View { name: "flying", help: "signals that are on their way", show: process::in_flight },
    View { name: "files", help: "the source files of the program", show: sources::files },
    View { name: "source", help: "the text of a file", show: sources::text },
    View { name: "breakpoints", help: "where runs stop", show: sources::breakpoints },
    View { name: "diagram", help: "a window of the space-time diagram", show: diagram::window },
    View { name: "minimap", help: "how much happens when", show: diagram::minimap },
    View { name: "event", help: "one event and what can be done about it", show: event::whole },
    View { name: "events", help: "some events, by name", show: event::some },
    View { name: "history", help: "what a process did up to the cut", show: lists::history },
    View { name: "log", help: "what a process does after the cut", show: lists::log },
    View { name: "trace", help: "all events up to the cut, latest first", show: lists::trace },
    View { name: "rolllog", help: "what the last undo undid", show: lists::roll_log },
    View { name: "output", help: "what the program printed", show: lists::output },
    View { name: "problems", help: "blocked, crashed, lost, orphan", show: problems::all },
    View { name: "races", help: "which messages raced at a process", show: races::of_process },
    View { name: "ask", help: "the question to be answered, or where to begin", show: ask::now },
    View { name: "command", help: "a command that only looks", show: looking::command },
    View { name: "plan", help: "what undoing or redoing a target would move", show: looking::plan },
    View { name: "search", help: "events by text, process, function, message", show: search::some },
    View { name: "compare", help: "this branch beside another", show: compare::branches },
];

impl Viewer {
    pub fn look(&mut self, d: &mut Debugger, name: &str, asked: &Value) -> Result<Value, String> {
        let view = VIEWS.iter().find(|v| v.name == name);
        let view = view.ok_or_else(|| format!("there is no view '{name}'"))?;
        (view.show)(self, d, asked)
    }
}

// -- Names that travel to a face and back

/// `2a5`: the sixth action of process 2; `2d0`: the first delivery to it.
pub fn event_name(event: EventRef) -> String {
    let chain = match event.chain() {
        Chain::Action => 'a',
        Chain::Delivery => 'd',
    };
    format!("{}{chain}{}", event.proc.0, event.index())
}

pub fn event_named(execution: &Execution, name: &str) -> Result<EventRef, String> {
    let bad = || format!("there is no event '{name}'");
    let at = name.find(['a', 'd']).ok_or_else(bad)?;
    let proc = ProcId(name[..at].parse().map_err(|_| bad())?);
    let index: usize = name[at + 1..].parse().map_err(|_| bad())?;
    let p = execution.procs.get(proc.0 as usize).ok_or_else(bad)?;
    let (event, count) = match &name[at..=at] {
        "a" => (EventRef::action(proc, index), p.actions.len()),
        _ => (EventRef::delivery(proc, index), p.deliveries.len()),
    };
    if index < count { Ok(event) } else { Err(bad()) }
}

fn proc_in(execution: &Execution, value: &Value) -> Result<ProcId, String> {
    let number = value.as_u64().and_then(|n| u32::try_from(n).ok());
    let known = number.filter(|n| execution.procs.get(*n as usize).is_some_and(|p| p.is_spawned));
    known.map(ProcId).ok_or_else(|| format!("there is no process number {value}"))
}

fn number(asked: &Value, key: &str, otherwise: u64) -> u64 {
    asked[key].as_u64().unwrap_or(otherwise)
}
