//! The races of an execution, in words.

use super::events::event_line;
use super::who;
use crate::query::race_report::RaceReport;

pub fn race_report(report: &RaceReport) -> String {
    let mut lines = vec![];
    for race in &report.races {
        lines.push(event_line(&race.receive));
        for other in &race.racing {
            let kind = match other.actual {
                true => "could have been received instead",
                false => "could have arrived before, but does not match",
            };
            lines.push(format!("    {} {} from {} {kind}", other.id, other.text, who(&other.from)));
        }
    }
    for conflict in &report.others {
        lines.push(format!("{}: {}", conflict.kind.name(), conflict.text));
        lines.extend(conflict.events.iter().map(|e| format!("    {}", event_line(e))));
    }
    lines.push(format!(
        "{} receives with races, {} of them actual; {} other races",
        report.races.len(),
        report.actual(),
        report.others.len()
    ));
    lines.join("\n")
}
