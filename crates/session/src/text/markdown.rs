//! A report that can be sent to somebody who does not have the recording: what went wrong, what was
//! noted, and who sent what to whom.

use super::{event_line, failure, number};
use crate::query::Detail;
use crate::query::failure as failures;
use crate::query::notes::{NoteRow, Report, notes};
use crate::sequence;
use crate::session::Session;

/// With more events than these nobody reads a drawing.
const FEW_EVENTS: usize = 400;

pub fn report(session: &Session) -> Report {
    let system = &session.system;
    let events = system.execution().event_count();
    let found = failures::report(session, 0, Detail::Whole);
    let title = match &found.card {
        Some(card) => card.row.headline.clone(),
        None => "Nothing went wrong".into(),
    };
    let mut parts = vec![format!("# {}", escaped(&title))];
    parts.push(format!(
        "{} events of {} processes, branch {}.",
        number(events),
        number(system.execution().ids().count()),
        session.branch_name(),
    ));
    if found.card.is_some() || found.departed.is_some() {
        parts.push(format!("## What went wrong\n\n{}", block(&failure::report(&found))));
    }
    let noted = notes(session).notes;
    if !noted.is_empty() {
        let items: Vec<String> = noted.iter().map(note).collect();
        parts.push(format!("## Notes\n\n{}", items.join("\n")));
    }
    let is_short = events <= FEW_EVENTS;
    if is_short {
        parts.push(format!("## Who sent what to whom\n\n{}", block(&sequence::text(system))));
    }
    let svg = is_short.then(|| sequence::svg(system));
    Report { markdown: parts.join("\n\n") + "\n", svg }
}

fn note(note: &NoteRow) -> String {
    let about = match &note.event {
        Some(event) => block(&event_line(event)).replace('\n', "\n   "),
        None => format!("on branch {}", note.branch),
    };
    format!("1. {}\n\n   {about}\n", escaped(&note.text).replace('\n', "\n   "))
}

/// Text as it is; a fence that the text has cannot end it.
fn block(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{}\n{fence}", text.trim_end())
}

/// What means something in Markdown is shown as it was written.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_program_is_taken_for_markdown() {
        assert_eq!(escaped("a_b <c> #1"), "a\\_b \\<c\\> \\#1");
        assert_eq!(block("x\n```\ny"), "````\nx\n```\ny\n````");
        assert_eq!(block("plain\n"), "```\nplain\n```");
    }
}
