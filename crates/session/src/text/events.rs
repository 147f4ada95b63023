//! Events and values in words.

use super::moves::{because, counted};
use super::{lines_or, number, short, who};
use crate::event::EventWeight;
use crate::query::ProcRef;
use crate::query::events::{EventList, EventRow, PassedEvent, UndoneEvents};
use crate::query::order::{EventOrder, OrderHop, OrderKind};
use crate::query::search::FoundEvents;
use crate::query::steps::{StepList, StepRow};
use crate::query::why::{OriginHop, OriginKind, Reason};

/// One line: who, at which step, what, where.
pub fn event_line(row: &EventRow) -> String {
    line_of(&row.process, row.step, &row.text, row.own_at.as_ref().unwrap_or(&row.at))
}

/// The same of its parts: a search through many events needs no more of each.
pub fn line_of(process: &ProcRef, step: u64, text: &str, at: &str) -> String {
    let at = if at.is_empty() { String::new() } else { format!("  ({at})") };
    format!("{}@{step} {text}{at}", who(process))
}

/// What libraries do for themselves is counted, not listed.
pub fn list(list: &EventList, none: &str) -> String {
    let (told, folded): (Vec<&EventRow>, Vec<&EventRow>) =
        list.events.iter().partition(|row| row.weight == EventWeight::Main);
    let mut lines: Vec<String> = told.into_iter().map(event_line).collect();
    if !folded.is_empty() {
        lines
            .push(format!("... and {} of libraries alone: 'events' has all", number(folded.len())));
    }
    lines_or(lines, none)
}

/// What a process has done, and how much of it is not listed.
pub fn history(history: &EventList) -> String {
    let told = list(history, "it has done nothing yet");
    match history.count - history.events.len() {
        0 => told,
        n => format!("... {} before these\n{told}", counted(n, "event", "events")),
    }
}

/// Every reduction of a process, and how many are not listed.
pub fn steps(list: &StepList) -> String {
    let line = |row: &StepRow| {
        let rule = row.rule.as_deref().unwrap_or("-");
        let at = row.at.as_ref().map_or(String::new(), |at| format!("  ({at})"));
        format!("@{} {rule:<8} {}{at}", row.step, row.expression.as_deref().unwrap_or_default())
    };
    let told = lines_or(list.steps.iter().map(line).collect(), "it has done nothing yet");
    match list.count as usize - list.steps.len() {
        0 => told,
        n => format!("... {} before these\n{told}", counted(n, "step", "steps")),
    }
}

/// What an undo took along, each with what it goes with.
pub fn undone(list: &UndoneEvents) -> String {
    let line = |event: &PassedEvent| format!("{}{}", event_line(&event.row), because(event, true));
    lines_or(list.events.iter().map(line).collect(), "nothing was undone")
}

/// Why one event comes before another: one line for each event on the way.
pub fn order(order: &EventOrder) -> String {
    let head = match order.order {
        OrderKind::Before => "the first is a cause of the second:",
        OrderKind::After => "it is the other way round, the second is a cause of the first:",
        OrderKind::Same => return "they are the same event".into(),
        OrderKind::Concurrent => {
            return "neither is a cause of the other: they could have come in the other order"
                .into();
        }
    };
    let hop = |hop: &OrderHop| {
        let because = hop.because.as_ref().map_or(String::new(), |because| {
            format!("    {}: {} ({})\n", because.rule, because.text, because.event)
        });
        format!("{because}  {} {}", hop.row.event, event_line(&hop.row))
    };
    let lines = [head.to_string()].into_iter().chain(order.way.iter().map(hop));
    lines.collect::<Vec<_>>().join("\n")
}

pub fn found(found: &FoundEvents) -> String {
    let mut lines: Vec<String> = found.events.iter().map(event_line).collect();
    let more = found.count - found.events.len();
    if more > 0 {
        lines.push(format!("... and {} more", number(more)));
    }
    lines_or(lines, "no event fits")
}

/// Hops of a chain that are told one by one.
const MOST_HOPS: usize = 25;

pub fn reason(reason: &Reason) -> String {
    let mut lines = vec![format!("{} = {}", reason.variable, short(&reason.value))];
    lines.extend(reason.chain.iter().take(MOST_HOPS).map(|hop| format!("  {}", hop_line(hop))));
    if reason.chain.is_empty() {
        lines.push(format!(
            "  it is so since {} ({}@{})",
            reason.at, reason.process.pid, reason.step
        ));
    }
    let more = reason.chain.len().saturating_sub(MOST_HOPS);
    if more > 0 {
        lines.push(format!("  ... and {more} more"));
    }
    lines.join("\n")
}

/// One place on the way back of a value.
pub fn hop_line(hop: &OriginHop) -> String {
    let OriginHop { kind, process, step, variable, value, event, .. } = hop;
    let at = hop.own_at.as_ref().unwrap_or(&hop.at);
    let place = format!("{at} ({}@{step})", process.pid);
    let event = event.as_ref().map(event_line).unwrap_or_default();
    match (kind, variable) {
        (OriginKind::Bound, Some(name)) => format!("{name} = {} bound at {place}", short(value)),
        (OriginKind::Bound, None) => format!("bound at {place}"),
        (OriginKind::Returned, _) => format!("returned at {place}"),
        (OriginKind::Sent, _) => format!("sent: {event}"),
        (OriginKind::Spawned, _) => format!("spawned: {event}"),
        (OriginKind::Made, _) => format!("made at {place}"),
    }
}
