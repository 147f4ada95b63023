//! A failure in words, to begin with: what the page shows as a card.

use super::events::hop_line;
use super::short;
use crate::query::failure::{FailureCard, FailureReport, FailureRow};
use crate::query::process::Binding;

/// Other failures that are told in a line each.
const MOST: usize = 8;
/// Characters of a line of variables.
const WIDTH: usize = 100;

pub fn report(report: &FailureReport) -> String {
    let mut lines = vec![];
    if let Some(departed) = &report.departed {
        lines.push("! the replay departs from what was recorded:".into());
        lines.extend(departed.lines().map(|line| format!("  {line}")));
    }
    lines.extend(report.notices.iter().map(|notice| format!("! {notice}")));
    match &report.card {
        Some(shown) => card(shown, &mut lines),
        None if report.count == 0 && report.departed.is_some() => {}
        None if report.count == 0 && !report.notices.is_empty() => {
            lines.push("nothing went wrong in what is known".into());
        }
        None if report.count == 0 => lines.push("nothing went wrong".into()),
        None => lines.push(format!("there are {} failures", report.count)),
    }
    let shown = report.card.as_ref().map(|card| &card.row.headline);
    let others = report.failures.iter().enumerate();
    let others: Vec<(usize, &FailureRow)> =
        others.filter(|(_, row)| Some(&row.headline) != shown).collect();
    for (i, row) in others.iter().take(MOST) {
        lines.push(format!("{:>3}  {}  ({})", i + 1, row.headline, row.at));
    }
    if report.count > 1 + others.len().min(MOST) {
        let more = report.count - 1 - others.len().min(MOST);
        lines
            .push(format!("     ... and {more} more: 'failure N' shows one, 'problems' lists all"));
    }
    lines.join("\n")
}

fn card(card: &FailureCard, lines: &mut Vec<String>) {
    lines.push(format!("x {}  ({})", card.row.headline, card.row.at));
    if let Some(serving) = &card.serving {
        let at = serving.at.as_ref().map_or(String::new(), |at| format!(" ({at})"));
        lines.push(format!("  while serving {} of {}{at}", serving.what, serving.from.called));
    }
    lines.extend(after(card));
    if let Some(test) = &card.test {
        let told =
            [("expression", &test.expression), ("expected", &test.expected), ("got", &test.got)];
        let told = told.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        lines.extend(told.map(|(name, value)| format!("  {name:<10} {}", short(value))));
    }
    for wait in &card.waits {
        lines.push(format!("  {} {}  ({})", wait.process.called, wait.text, wait.at));
    }
    for line in &card.lines {
        let mark = if line.current { ">" } else { " " };
        lines.push(format!("{mark} {:>4}  {}", line.line, line.text));
        if let (true, Some((from, to))) = (line.current, card.columns) {
            let before: String = line.text.chars().take(from as usize - 1).map(blank).collect();
            let marks = "^".repeat(to.saturating_sub(from) as usize);
            lines.push(format!("        {before}{marks}"));
        }
    }
    lines.extend(variables(&card.bindings));
    if let Some(why) = &card.why {
        lines.push(format!("  why {} = {}", why.variable, short(&why.value)));
        let hops = why.chain.iter().filter(|hop| hop.is_telling()).take(MOST);
        lines.extend(hops.map(|hop| format!("    <- {}", hop_line(hop))));
    }
}

/// What takes as much room as a character.
fn blank(c: char) -> char {
    if c == '\t' { '\t' } else { ' ' }
}

/// What came of it, on one line.
fn after(card: &FailureCard) -> Option<String> {
    let mut parts = vec![];
    match card.after.restarted_as.as_slice() {
        [] => {}
        [one] => parts.push(format!("restarted as {} {}", one.called, one.pid)),
        many => parts.push(format!("restarted {} times", many.len())),
    }
    match card.after.ended_with_it.as_slice() {
        [] => {}
        some => {
            let names: Vec<&str> = some.iter().take(3).map(|p| p.called.as_str()).collect();
            let more = if some.len() > 3 { ", ..." } else { "" };
            parts.push(format!("{}{more} ended with it", names.join(", ")));
        }
    }
    (!parts.is_empty()).then(|| format!("  {}", parts.join("; ")))
}

/// Variables beside each other, as many as there is room for.
fn variables(bindings: &[Binding]) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for binding in bindings {
        let text = format!("{} = {}", binding.name, short(&binding.value.text));
        match lines.last_mut().filter(|line| line.len() + text.len() + 4 <= WIDTH) {
            Some(line) => line.push_str(&format!("    {text}")),
            None => lines.push(format!("  {text}")),
        }
    }
    lines
}
