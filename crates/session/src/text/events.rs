//! Events and values in words.

use super::{lines_or, short, who};
use crate::query::events::{EventList, EventRow};
use crate::query::search::FoundEvents;
use crate::query::why::Reason;

/// One line: who, at which step, what, where.
pub fn event_line(row: &EventRow) -> String {
    let at = if row.at.is_empty() { String::new() } else { format!("  ({})", row.at) };
    format!("{}@{} {}{at}", who(&row.process), row.step, row.text)
}

pub fn list(list: &EventList, none: &str) -> String {
    lines_or(list.events.iter().map(event_line).collect(), none)
}

pub fn found(found: &FoundEvents) -> String {
    let mut lines: Vec<String> = found.events.iter().map(event_line).collect();
    let more = found.count - found.events.len();
    if more > 0 {
        lines.push(format!("... and {more} more"));
    }
    lines_or(lines, "no event fits")
}

pub fn reason(reason: &Reason) -> String {
    let Reason { variable, value, process, at, step, message } = reason;
    let mut text = format!("{variable} = {}\nbound at {at} ({}@{step})", short(value), process.pid);
    if let Some(sent) = message {
        text.push_str(&format!("\nfrom message {}", event_line(sent)));
    }
    text
}
