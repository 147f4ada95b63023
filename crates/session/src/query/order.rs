//! Why one event comes before another: the shortest way of direct causes between them, and which
//! of them forced each event that a plan takes along.

use super::events::{EventRow, told_row};
use super::{Detail, Query};
use crate::command::Debugger;
use crate::error::{Happening, NotFound, QueryError};
use crate::event::{event_name, event_named};
use crate::places;
use crate::session::Session;
use reverl_causal::{Edge, EventRef, Execution};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, VecDeque};
use ts_rs::TS;

/// The rule by which one event comes directly before another, and that other.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Because {
    /// The kind of edge, as docs/semantics.md calls it.
    pub rule: &'static str,
    /// The same as a sentence about the later event.
    pub text: &'static str,
    /// The earlier event.
    pub event: String,
}

impl Because {
    /// The rule of an edge that begins at an event.
    pub fn new(edge: Edge, event: EventRef) -> Because {
        let (rule, text) = words(edge);
        Because { rule, text, event: event_name(event) }
    }
}

/// What an edge is called, and what it says of its later end.
fn words(edge: Edge) -> (&'static str, &'static str) {
    match edge {
        Edge::Program => ("program", "the process did it after that"),
        Edge::Arrival => ("arrival", "it arrived after that"),
        Edge::Spawn => ("spawn", "that started the process"),
        Edge::Message => ("message", "that sent it"),
        Edge::Receive => ("receive", "it took what arrived there"),
        Edge::Exit => ("exit", "the process had that in its mailbox when it ended"),
        Edge::Kill => ("kill", "that killed the process"),
        Edge::Timeout => ("timeout", "it came too late for that time-out"),
        Edge::Timer => ("timer", "that started the timer"),
        Edge::Tie => ("tie", "it depends on that link, monitor or alias"),
        Edge::Object => ("object", "both use the same name, table or flag"),
        Edge::Look => ("look", "one of them looked at what the other did"),
    }
}

/// How two events stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum OrderKind {
    /// The first is a cause of the second.
    Before,
    /// The second is a cause of the first.
    After,
    /// Neither depends on the other: they could have come in the other order.
    Concurrent,
    Same,
}

/// One event on the way, and by which rule it follows the one before.
#[derive(Clone, Debug, Serialize, TS)]
pub struct OrderHop {
    #[serde(flatten)]
    pub row: EventRow,
    /// None of the first.
    pub because: Option<Because>,
}

/// Why one event comes before another, from the cause to the consequence.
#[derive(Clone, Debug, Serialize, TS)]
pub struct EventOrder {
    pub order: OrderKind,
    pub way: Vec<OrderHop>,
}

/// The shortest way of direct causes from an event back to an earlier one, the earlier one first.
fn way(
    execution: &Execution,
    first: EventRef,
    last: EventRef,
) -> Option<Vec<(EventRef, Option<Edge>)>> {
    let mut after: HashMap<EventRef, (Edge, EventRef)> = HashMap::new();
    let mut todo = VecDeque::from([last]);
    let earliest = execution.order_of(first);
    while let Some(event) = todo.pop_front() {
        if event == first {
            let mut way = vec![(first, None)];
            let mut at = first;
            while let Some((edge, next)) = after.get(&at).filter(|_| at != last) {
                way.push((*next, Some(*edge)));
                at = *next;
            }
            return Some(way);
        }
        execution.causes(event, &mut |edge, cause| {
            let is_new = cause != last && !after.contains_key(&cause);
            if is_new && execution.order_of(cause) >= earliest {
                after.insert(cause, (edge, event));
                todo.push_back(cause);
            }
        });
    }
    None
}

/// Whether and why one event comes before another.
pub fn order(session: &Session, first: EventRef, second: EventRef, detail: Detail) -> EventOrder {
    let execution = session.execution();
    let found = match first == second {
        true => (OrderKind::Same, vec![(first, None)]),
        false => match way(execution, first, second) {
            Some(way) => (OrderKind::Before, way),
            None => match way(execution, second, first) {
                Some(way) => (OrderKind::After, way),
                None => (OrderKind::Concurrent, vec![]),
            },
        },
    };
    let (order, way) = found;
    let before: Vec<EventRef> = way.iter().map(|(event, _)| *event).collect();
    let hops = way.into_iter().enumerate().map(|(i, (event, edge))| OrderHop {
        row: told_row(&session.system, event, detail),
        because: edge.map(|edge| Because::new(edge, before[i - 1])),
    });
    EventOrder { order, way: hops.collect() }
}

/// The event that a person means: by its name (`2a5`), or a message by its number (`#84.2`), whose
/// sending is the first of two events and whose receive the second.
pub fn meant(session: &Session, word: &str, is_first: bool) -> Result<EventRef, QueryError> {
    let execution = session.execution();
    if !word.starts_with('#') {
        return event_named(execution, word).ok_or_else(|| QueryError::NoEvent(word.into()));
    }
    let id = places::message(session, word)?;
    if is_first {
        return Ok(places::send_event(execution, id));
    }
    let receive = places::receive_event(execution, id);
    Ok(receive.ok_or(NotFound::NotHappened(Happening::Receive))?)
}

/// Which of the events that a plan undoes (or redoes) forced one of them: one that it depends on
/// (or that depends on it), the nearest to what was asked for. None of what was asked for itself.
pub fn forced(
    execution: &Execution,
    event: EventRef,
    is_undone: bool,
    is_passed: &dyn Fn(EventRef) -> bool,
) -> Option<Because> {
    let mut best: Option<(u32, Edge, EventRef)> = None;
    let mut each = |edge: Edge, other: EventRef| {
        let order = execution.order_of(other);
        let is_nearer = |(known, ..): &(u32, Edge, EventRef)| {
            if is_undone { order < *known } else { order > *known }
        };
        if other != event && is_passed(other) && best.as_ref().is_none_or(is_nearer) {
            best = Some((order, edge, other));
        }
    };
    match is_undone {
        true => execution.causes(event, &mut each),
        false => execution.consequences(event, &mut each),
    }
    best.map(|(_, edge, other)| Because::new(edge, other))
}

/// Asks why one event comes before another.
#[derive(Deserialize, TS)]
pub struct OrderQuery {
    /// `2a5`, or `#84.2` for the sending of a message.
    first: String,
    /// `2a7`, or `#84.2` for its receive.
    second: String,
}

impl Query for OrderQuery {
    const NAME: &'static str = "order";
    const HELP: &'static str = "why one event comes before another";
    type Answer = EventOrder;

    fn answer(&self, debugger: &Debugger) -> Result<EventOrder, QueryError> {
        let session = &debugger.session;
        let first = meant(session, &self.first, true)?;
        let second = meant(session, &self.second, false)?;
        Ok(order(session, first, second, Detail::Brief))
    }
}
