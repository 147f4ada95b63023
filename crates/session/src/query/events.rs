//! Lists of events, always in the order in which they happened: history, log, trace, roll log.

use super::order::{self, Because};
use super::term::line;
use super::{Detail, ProcRef, Query, process_numbered};
use crate::command::Debugger;
use crate::describe;
use crate::error::QueryError;
use crate::event::{EventKind, EventWeight, event_name, event_named};
use crate::outcome;
use crate::own_place;
use crate::session::Session;
use reverl_causal::{EventRef, ProcId, System};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::ops::Range;
use ts_rs::TS;

/// Events of a page unless another number is asked for, and at most.
const PAGE: usize = 200;
const MOST: usize = 2_000;

/// One event in one line.
#[derive(Clone, Debug, Serialize, TS)]
pub struct EventRow {
    /// `2a5`: the sixth action of process 2; `2d0`: the first delivery to it.
    pub event: String,
    #[serde(flatten)]
    pub process: ProcRef,
    pub path: String,
    pub step: u64,
    pub kind: EventKind,
    pub weight: EventWeight,
    /// What it was, without who and where.
    pub text: String,
    /// `file:line`
    pub at: String,
    /// Of an event in a library: the line of the program's own code that led to it. What is only
    /// searched through does not have it.
    pub own_at: Option<String>,
    /// `#84.2`, of a send, delivery or receive.
    pub message_id: Option<String>,
    pub message: Option<String>,
}

/// The line of this event, with its place in the program's own code.
pub fn told_row(system: &System, event: EventRef, detail: Detail) -> EventRow {
    EventRow { own_at: own_place::of_event(system, event), ..row(system, event, detail) }
}

/// The line of this event.
pub fn row(system: &System, event: EventRef, detail: Detail) -> EventRow {
    let message = describe::message_of(system, event);
    EventRow {
        event: event_name(event),
        process: ProcRef::of(system, event.proc),
        path: system.execution().proc(event.proc).path.to_string(),
        step: describe::step_of(system, event),
        kind: describe::kind(system, event),
        weight: describe::weight(system, event),
        text: describe::what(system, event),
        at: describe::event_place(system, event),
        own_at: None,
        message_id: message.map(|id| describe::signal_name(system, id)),
        message: message.map(|id| line(&system.execution().signal(id).message, detail)),
    }
}

/// An event that a move passes, and which other one of them it has to go with.
#[derive(Clone, Debug, Serialize, TS)]
pub struct PassedEvent {
    #[serde(flatten)]
    pub row: EventRow,
    /// None of what was asked for itself.
    pub because: Option<Because>,
}

/// What the last undo undid.
#[derive(Clone, Debug, Serialize, TS)]
pub struct UndoneEvents {
    /// How many there are; the list may have fewer.
    pub count: usize,
    pub events: Vec<PassedEvent>,
}

/// Events that a move passes, each with the one that forced it.
pub fn passed(
    system: &System,
    events: &[EventRef],
    is_undone: bool,
    is_passed: &dyn Fn(EventRef) -> bool,
    detail: Detail,
) -> Vec<PassedEvent> {
    let forced = |event: &EventRef| PassedEvent {
        row: told_row(system, *event, detail),
        because: order::forced(system.execution(), *event, is_undone, is_passed),
    };
    events.iter().map(forced).collect()
}

/// Events with the number of those left out.
#[derive(Clone, Debug, Serialize, TS)]
pub struct EventList {
    /// How many there are; the list may have fewer.
    pub count: usize,
    pub events: Vec<EventRow>,
}

impl EventList {
    pub fn of(system: &System, count: usize, events: &[EventRef], detail: Detail) -> EventList {
        EventList { count, events: events.iter().map(|e| told_row(system, *e, detail)).collect() }
    }
}

/// Part of the events of one process in the order in which they happened.
fn of_process(
    system: &System,
    proc: ProcId,
    actions: Range<usize>,
    deliveries: Range<usize>,
) -> Vec<EventRef> {
    let acted = actions.map(|i| EventRef::action(proc, i));
    let arrived = deliveries.map(|i| EventRef::delivery(proc, i));
    let mut events: Vec<EventRef> = acted.chain(arrived).collect();
    events.sort_by_key(|e| system.execution().order_of(*e));
    events
}

/// The last events of a process up to the cut: the ends of both chains are enough for a page.
pub fn history(session: &Session, proc: ProcId, most: usize, detail: Detail) -> EventList {
    let place = session.place(proc);
    let actions = session.execution().proc(proc).actions_at(place.steps);
    let deliveries = place.deliveries as usize;
    let (a, b) = (actions.saturating_sub(most), deliveries.saturating_sub(most));
    let mut events = of_process(&session.system, proc, a..actions, b..deliveries);
    let many = events.len().saturating_sub(most);
    events.drain(..many);
    EventList::of(&session.system, actions + deliveries, &events, detail)
}

/// The first events of a process after the cut, as far as they are known.
pub fn log(session: &Session, proc: ProcId, most: usize, detail: Detail) -> EventList {
    let place = session.place(proc);
    let p = session.execution().proc(proc);
    let actions = p.actions_at(place.steps)..p.actions.len();
    let deliveries = place.deliveries as usize..p.deliveries.len();
    let all = actions.len() + deliveries.len();
    let first = |r: Range<usize>| r.start..r.end.min(r.start.saturating_add(most));
    let mut events = of_process(&session.system, proc, first(actions), first(deliveries));
    events.truncate(most);
    EventList::of(&session.system, all, &events, detail)
}

/// The last events of all the program's processes up to the cut.
pub fn trace(session: &Session, most: usize, detail: Detail) -> EventList {
    let execution = session.execution();
    let own =
        |e: &EventRef| session.cut.contains(execution, *e) && !execution.proc(e.proc).is_system;
    let mut events: Vec<EventRef> = execution.events().rev().filter(own).take(most).collect();
    events.reverse();
    let all = outcome::own_processes(&session.system).map(|p| session.events_here_of(p)).sum();
    EventList::of(&session.system, all, &events, detail)
}

/// What the last undo undid, in the order of undoing.
pub fn roll_log(session: &Session, most: usize, detail: Detail) -> UndoneEvents {
    let all = &session.roll_log;
    // Another branch may have been gone to: what is not there is not shown.
    let known = |e: &EventRef| event_named(session.execution(), &event_name(*e)).is_some();
    let events: Vec<EventRef> = all.iter().copied().filter(known).collect();
    let undone: HashSet<EventRef> = events.iter().copied().collect();
    let first = &events[..events.len().min(most)];
    let is_undone = |event: EventRef| undone.contains(&event);
    let events = passed(&session.system, first, true, &is_undone, detail);
    UndoneEvents { count: all.len(), events }
}

fn page() -> usize {
    PAGE
}

/// Asks for the events of a process up to the cut.
#[derive(Deserialize, TS)]
pub struct HistoryQuery {
    proc: u32,
    #[serde(default = "page")]
    #[ts(optional, as = "Option<usize>")]
    count: usize,
}

impl Query for HistoryQuery {
    const NAME: &'static str = "history";
    const HELP: &'static str = "what a process did up to the cut";
    type Answer = EventList;

    fn answer(&self, debugger: &Debugger) -> Result<EventList, QueryError> {
        let session = &debugger.session;
        let proc = process_numbered(session.execution(), self.proc)?;
        Ok(history(session, proc, self.count.min(MOST), Detail::Brief))
    }
}

/// Asks for the log of a process: its deliveries, receives, spawns and sends, as the papers define
/// it.
#[derive(Deserialize, TS)]
pub struct LogQuery {
    proc: u32,
    #[serde(default = "page")]
    #[ts(optional, as = "Option<usize>")]
    count: usize,
}

impl Query for LogQuery {
    const NAME: &'static str = "log";
    const HELP: &'static str = "what a process does after the cut";
    type Answer = EventList;

    fn answer(&self, debugger: &Debugger) -> Result<EventList, QueryError> {
        let session = &debugger.session;
        let proc = process_numbered(session.execution(), self.proc)?;
        Ok(log(session, proc, self.count.min(MOST), Detail::Brief))
    }
}

/// Asks for the trace of a process in the papers' notation.
#[derive(Deserialize, TS)]
pub struct TraceQuery {
    #[serde(default = "page")]
    #[ts(optional, as = "Option<usize>")]
    count: usize,
}

impl Query for TraceQuery {
    const NAME: &'static str = "trace";
    const HELP: &'static str = "the last events up to the cut";
    type Answer = EventList;

    fn answer(&self, debugger: &Debugger) -> Result<EventList, QueryError> {
        Ok(trace(&debugger.session, self.count.min(MOST), Detail::Brief))
    }
}

/// Asks what was undone, the last first.
#[derive(Deserialize, TS)]
pub struct RollLogQuery {
    #[serde(default = "page")]
    #[ts(optional, as = "Option<usize>")]
    count: usize,
}

impl Query for RollLogQuery {
    const NAME: &'static str = "rolllog";
    const HELP: &'static str = "what the last undo undid";
    type Answer = UndoneEvents;

    fn answer(&self, debugger: &Debugger) -> Result<UndoneEvents, QueryError> {
        Ok(roll_log(&debugger.session, self.count.min(MOST), Detail::Brief))
    }
}

/// Some events by name, one line each, for pointing at things.
#[derive(Deserialize, TS)]
pub struct NamedQuery {
    events: Vec<String>,
}

impl Query for NamedQuery {
    const NAME: &'static str = "events";
    const HELP: &'static str = "some events, by name";
    type Answer = EventList;

    fn answer(&self, debugger: &Debugger) -> Result<EventList, QueryError> {
        let system = &debugger.session.system;
        let named = |name: &String| {
            event_named(system.execution(), name).ok_or_else(|| QueryError::NoEvent(name.clone()))
        };
        let events: Vec<EventRef> =
            self.events.iter().take(PAGE).map(named).collect::<Result<_, _>>()?;
        Ok(EventList::of(system, events.len(), &events, Detail::Brief))
    }
}
