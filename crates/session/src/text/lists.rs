//! Lists in words: processes, calls, messages, and what a session has.

use super::events::event_line;
use super::{lines_or, place, short, who};
use crate::query::changes::{ChangeRow, StateChanges};
use crate::query::enabled::{EnabledStep, EnabledSteps};
use crate::query::logged::{LoggedRow, LoggedValue, LoggedValues};
use crate::query::messages::{MessageRow, Messages};
use crate::query::output::ProgramOutput;
use crate::query::process::{Binding, Calls, ProcessRow};
use crate::query::processes::ProcessList;
use crate::query::session::{BranchList, BreakpointList, CommandHelp, HelpList};
use crate::query::sources::Listing;
use crate::query::term::ShownTerm;
use crate::query::unmatched::{ClauseVerdict, Unmatched};

pub fn processes(list: &ProcessList) -> String {
    let line = |row: &ProcessRow| {
        let here = &row.here;
        format!(
            "{} {:<10} {:<10} {:<12} {:<9} {:<24} {:<20} mailbox {}, step {}",
            if here.process.proc == list.current { "*" } else { " " },
            here.process.pid,
            here.path,
            here.process.name.as_deref().unwrap_or_default(),
            here.state.name(),
            here.function.as_deref().unwrap_or(&here.entry),
            place(&here.file, here.line).unwrap_or_default(),
            row.mailbox,
            here.step,
        )
    };
    list.processes.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn binding(binding: &Binding) -> String {
    format!("{} = {}", binding.name, short(&binding.value.text))
}

/// The variables of the innermost call.
pub fn bindings(calls: &Calls) -> String {
    let bound = calls.calls.first().into_iter().flat_map(|call| &call.bindings);
    lines_or(bound.map(binding).collect(), "no variable is bound here")
}

pub fn all_bindings(calls: &Calls) -> String {
    let mut lines = vec![];
    for call in &calls.calls {
        lines.push(format!("{}:", call.function));
        lines.extend(call.bindings.iter().map(binding));
    }
    lines_or(lines, "no variable is bound here")
}

pub fn calls(calls: &Calls) -> String {
    let mut lines = vec![];
    for (i, call) in calls.calls.iter().enumerate() {
        let at = place(&call.file, call.line).unwrap_or_default();
        lines.push(format!("#{i} {} ({at})", call.function));
        lines.extend(call.bindings.iter().map(|b| format!("     {}", binding(b))));
    }
    if calls.depth > calls.calls.len() {
        lines.push(format!("... and {} more calls", calls.depth - calls.calls.len()));
    }
    lines.join("\n")
}

pub fn listing(listing: &Listing) -> String {
    let mut lines = vec![format!("{}:{}", listing.file, listing.line)];
    lines.extend(listing.lines.iter().map(|l| {
        let mark = if l.current { ">" } else { " " };
        format!("{mark} {:>4}  {}", l.line, l.text)
    }));
    lines.join("\n")
}

fn message(row: &MessageRow) -> String {
    let to = row.to.as_ref().map_or("nobody".into(), who);
    let text = short(&row.message.text);
    format!("{} {text} from {} to {to}  (sent at {})", row.id, who(&row.from), row.at)
}

pub fn messages(messages: &Messages, none: &str) -> String {
    lines_or(messages.messages.iter().map(message).collect(), none)
}

pub fn enabled(steps: &EnabledSteps) -> String {
    let line = |step: &EnabledStep| match step {
        EnabledStep::Run(process) => format!("{} can run", who(process)),
        EnabledStep::Deliver { what, from, to, .. } => {
            format!("{what} from {} can arrive at {}", who(from), who(to))
        }
        EnabledStep::Replay(process) => format!("{} can go on as it did", who(process)),
    };
    lines_or(steps.enabled.iter().map(line).collect(), "nothing can happen")
}

pub fn output(output: &ProgramOutput) -> String {
    let mut text = String::new();
    for part in &output.output {
        for line in part.text.split_inclusive('\n') {
            text.push_str(if part.undone { "[undone] " } else { "" });
            text.push_str(line);
        }
    }
    text.trim_end_matches('\n').to_string()
}

pub fn branches(list: &BranchList) -> String {
    let lines = list.branches.iter().map(|b| {
        let mark = if b.current { "*" } else { " " };
        format!("{mark} {}: {} events", b.name, b.events)
    });
    lines.collect::<Vec<_>>().join("\n")
}

pub fn breakpoints(list: &BreakpointList) -> String {
    let lines = list.breakpoints.iter().map(|b| format!("{}: {}", b.id, b.text));
    lines_or(lines.collect(), "there are no breakpoints")
}

pub fn help(list: &HelpList) -> String {
    let line = |c: &CommandHelp| {
        let short =
            if c.short.is_empty() { String::new() } else { format!(" ({})", c.short.join(", ")) };
        format!("{}{short} {}\n    {}", c.name, c.usage, c.help)
    };
    list.commands.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// What changed a state, the latest first.
pub fn changes(list: &StateChanges) -> String {
    let line = |row: &ChangeRow| {
        let text = |term: &Option<ShownTerm>| match term {
            Some(term) => short(&term.text),
            None => "(not there)".into(),
        };
        format!("{}\n    {}\n -> {}", event_line(&row.event), text(&row.before), text(&row.after))
    };
    let mut lines: Vec<String> = list.changes.iter().map(line).collect();
    if list.earlier > 0 {
        lines.push(format!("... {} receives before these were not looked at", list.earlier));
    }
    lines_or(lines, "nothing has changed its state")
}

/// What an expression was each time, in order; what lies ahead of here is marked.
pub fn logged(logged: &LoggedValues) -> String {
    let line = |row: &LoggedRow| {
        let ahead = if row.is_ahead { "  (ahead)" } else { "" };
        let value = match &row.value {
            LoggedValue::Value(value) => value.clone(),
            LoggedValue::None(why) => format!("no value: {why}"),
        };
        format!("{}@{} {}  {value}{ahead}", row.process.called, row.step, row.at)
    };
    let mut lines: Vec<String> = logged.rows.iter().map(line).collect();
    if logged.found > logged.rows.len() {
        lines.push(format!("and {} more", logged.found - logged.rows.len()));
    }
    lines_or(lines, "no process has come there")
}

/// Why a message is not received.
pub fn unmatched(told: &Unmatched) -> String {
    let at = told.at.as_ref().map_or(String::new(), |at| format!(" ({at})"));
    let mut lines = vec![format!("{}: {}{at}", told.message, told.sentence)];
    lines.extend(told.clauses.iter().map(|row| {
        let says = match row.verdict {
            ClauseVerdict::Takes => "takes it",
            ClauseVerdict::Pattern => "the pattern does not fit",
            ClauseVerdict::Guard => "the guard is not true",
            ClauseVerdict::Unknown => "cannot be told",
        };
        format!("  {}    {says}", row.text)
    }));
    lines.join("\n")
}
