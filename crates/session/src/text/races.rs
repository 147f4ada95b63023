//! The races of an execution, in words.

use super::events::event_line;
use super::{lines_or, who};
use crate::query::race_report::RaceReport;
use crate::query::races::{RaceList, RaceRow, RaceSenders};

/// Races as far as they were looked for.
pub fn list(list: &RaceList) -> String {
    let mut lines: Vec<String> = list.races.iter().flat_map(race_lines).collect();
    if list.next.is_some() {
        let (looked, all) = (list.looked_at, list.processes);
        lines.push(format!(
            "{looked} of {all} processes were looked at; 'reverl races FILE' looks at all"
        ));
    }
    lines_or(lines, "no races")
}

/// A receive, and what it could have taken.
fn race_lines(race: &RaceRow) -> Vec<String> {
    let mut lines = vec![event_line(&race.receive)];
    lines.extend(race.racing.iter().map(|other| {
        let kind = match other.actual {
            true => "could have been received instead",
            false => "could have arrived before, but does not match",
        };
        format!("    {} {} from {} {kind}", other.id, other.text, who(&other.from))
    }));
    lines
}

/// What could have been received instead, by who sent it.
pub fn senders(list: &RaceSenders) -> String {
    let mut lines = vec![];
    for sender in &list.senders {
        lines.push(format!("{} raced:", who(&sender.process)));
        lines.extend(sender.races.iter().map(|race| {
            let kind = if race.message.actual { "" } else { ", which does not match" };
            let (other, receive) = (&race.message, event_line(&race.receive));
            format!("    {} {}{kind}, instead of: {receive}", other.id, other.text)
        }));
    }
    if list.has_more {
        lines.push("there are more; 'reverl races FILE' looks at all".into());
    }
    lines_or(lines, "no races")
}

/// All races, and how many there are.
pub fn race_report(report: &RaceReport) -> String {
    let mut lines: Vec<String> = report.races.iter().flat_map(race_lines).collect();
    for conflict in &report.others {
        lines.push(format!("{}: {}", conflict.kind.name(), conflict.text));
        lines.extend(conflict.events.iter().map(|e| format!("    {}", event_line(e))));
    }
    lines.push(format!(
        "{} receives with races, {} of them actual; {} other races",
        report.actual + report.potential,
        report.actual,
        report.others.len()
    ));
    if report.potential > 0 && report.races.len() == report.actual {
        lines.push("(--potential lists those whose other messages do not match)".into());
    }
    lines.join("\n")
}
