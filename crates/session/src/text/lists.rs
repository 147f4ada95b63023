//! Lists in words: processes, calls, messages, and what a session has.

use super::events::event_line;
use super::{lines_or, number, place, short, who};
use crate::clauses::ClauseVerdict;
use crate::command::Lifetime;
use crate::query::changes::{ChangeRow, StateChanges};
use crate::query::enabled::{EnabledStep, EnabledSteps};
use crate::query::find::{FoundValue, FoundValues};
use crate::query::logged::{LoggedRow, LoggedValue, LoggedValues};
use crate::query::messages::{MessageRow, Messages};
use crate::query::notation::{Notation, ProcessNotation};
use crate::query::notes::{NoteList, NoteRow};
use crate::query::output::ProgramOutput;
use crate::query::process::{Binding, CallRow, Calls, CodeOwner, Frame, ProcessRow};
use crate::query::processes::ProcessList;
use crate::query::session::{
    BranchList, BreakpointList, BreakpointRow, CommandHelp, HelpList, MarkList, MarkRow,
};
use crate::query::sources::Listing;
use crate::query::term::ShownTerm;
use crate::query::unmatched::Unmatched;
use crate::query::values::LastChange;

pub fn processes(list: &ProcessList) -> String {
    let line = |row: &ProcessRow| {
        let here = &row.here;
        // What a library does for a process is not what it is there for.
        let function = here.function.as_ref().filter(|_| row.owner == CodeOwner::Own);
        let own = row.own_at.clone();
        format!(
            "{} {:<10} {:<10} {:<12} {:<9} {:<24} {:<20} mailbox {}, step {}",
            if here.process.proc == list.current { "*" } else { " " },
            here.process.pid,
            here.path,
            here.process.name.as_deref().unwrap_or_default(),
            here.state.name(),
            function.unwrap_or(&here.entry),
            own.or_else(|| place(&here.file, here.line)).unwrap_or_default(),
            row.mailbox,
            here.step,
        )
    };
    list.processes.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn binding(binding: &Binding) -> String {
    format!("{} = {}", binding.name, short(&binding.value.text))
}

/// The variables of the call that is looked at.
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

/// The calls in progress. Those of libraries around the program's own are told in a line.
pub fn calls(calls: &Calls) -> String {
    let has_own = calls.calls.iter().any(|call| call.owner == CodeOwner::Own);
    let is_folded = |(i, call): &(usize, &CallRow)| {
        has_own && call.owner == CodeOwner::Library && (*i == 0 || *i != calls.chosen)
    };
    let mut lines = vec![];
    let mut rows = calls.calls.iter().enumerate().peekable();
    while let Some((i, call)) = rows.next() {
        if is_folded(&(i, call)) {
            let mut last = i;
            while let Some((next, _)) = rows.next_if(is_folded) {
                last = next;
            }
            lines.push(match last == i {
                true => call_line(i, call),
                false => format!("#{i} to #{last}: calls of libraries ('frame N' shows one)"),
            });
            continue;
        }
        let chosen = if i > 0 && i == calls.chosen { "  <- here" } else { "" };
        lines.push(call_line(i, call) + chosen);
        lines.extend(call.bindings.iter().map(|b| format!("     {}", binding(b))));
    }
    if calls.depth > calls.calls.len() {
        lines.push(format!("... and {} more calls", calls.depth - calls.calls.len()));
    }
    lines.join("\n")
}

fn call_line(level: usize, call: &CallRow) -> String {
    let at = place(&call.file, call.line).unwrap_or_default();
    format!("#{level} {} ({at})", call.function)
}

/// The call that is looked at, with its line.
pub fn frame(frame: &Frame) -> String {
    let source = frame.source.as_ref().map(|s| {
        let line = frame.call.as_ref().and_then(|call| call.line).unwrap_or_default();
        format!("\n{line:>5}  {s}")
    });
    match &frame.call {
        Some(call) => call_line(frame.level, call) + &source.unwrap_or_default(),
        None => "no call is in progress".into(),
    }
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
    let text = row.words.clone().unwrap_or_else(|| short(&row.message.text));
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
        format!("{mark} {}: {} events", b.name, number(b.events))
    });
    lines.collect::<Vec<_>>().join("\n")
}

pub fn breakpoints(list: &BreakpointList) -> String {
    lines_or(list.breakpoints.iter().map(breakpoint).collect(), "there are no breakpoints")
}

/// A breakpoint, and what is special about it.
pub fn breakpoint(row: &BreakpointRow) -> String {
    let mut text = format!("{}: {}", row.id, row.text);
    if row.lifetime == Lifetime::Once {
        text.push_str("  (once)");
    }
    match row.ignored {
        0 => {}
        1 => text.push_str("  (passed once more)"),
        n => text.push_str(&format!("  (passed {n} times more)")),
    }
    row.commands.iter().for_each(|command| text.push_str(&format!("\n     {command}")));
    text
}

pub fn help(list: &HelpList) -> String {
    let line = |c: &CommandHelp| {
        let short =
            if c.short.is_empty() { String::new() } else { format!(" ({})", c.short.join(", ")) };
        let example = match list.commands.len() {
            1 if c.example != c.name => format!("\n    for example: {}", c.example),
            _ => String::new(),
        };
        format!("{}{short} {}\n    {}{example}", c.name, c.usage, c.help)
    };
    list.commands.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// What changed a state, the latest first.
pub fn notes(list: &NoteList) -> String {
    let line = |row: &NoteRow| {
        let about = match &row.event {
            Some(event) => event_line(event),
            None => format!("on branch {}", row.branch),
        };
        format!("{}: {}\n    {about}", row.number, row.text)
    };
    lines_or(list.notes.iter().map(line).collect(), "nothing was noted; 'note TEXT' does")
}

/// Logs and traces in the papers' notation.
pub fn notation(notation: &Notation) -> String {
    let of = |p: &ProcessNotation| {
        let more = if p.has_more { ", .." } else { "" };
        format!("{}\n  log    {}{more}\n  trace  {}{more}", who(&p.process), p.log, p.trace)
    };
    lines_or(notation.processes.iter().map(of).collect(), "there is no process yet")
}

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
        lines.push(format!("and {} more", number(logged.found - logged.rows.len())));
    }
    lines_or(lines, "no process has come there")
}

/// Moments that have names.
pub fn marks(list: &MarkList) -> String {
    let line = |mark: &MarkRow| match (&mark.process, mark.step) {
        (Some(process), Some(step)) => format!("{}: {}@{step}", mark.name, who(process)),
        _ => format!("{}: on branch {}", mark.name, mark.branch),
    };
    lines_or(list.marks.iter().map(line).collect(), "there are no marks")
}

/// When an expression became what it is.
pub fn last(last: &LastChange) -> String {
    let LastChange { expression, row, before } = last;
    let value = match &row.value {
        LoggedValue::Value(value) => value.clone(),
        LoggedValue::None(why) => why.clone(),
    };
    let before = match before {
        Some(before) => format!("before that {}", short(before)),
        None => "before that it had no value".into(),
    };
    let at = format!("{}@{} {}", row.process.pid, row.step, row.at);
    format!("{expression} = {} since {at}; {before}", short(&value))
}

/// Where a value occurs.
pub fn found_values(found: &FoundValues) -> String {
    let line = |value: &FoundValue| match value {
        FoundValue::Message(event) => event_line(event),
        FoundValue::Variable(v) => {
            format!("{}@{} {} = {}  ({})", who(&v.process), v.step, v.name, short(&v.value), v.at)
        }
    };
    let mut lines: Vec<String> = found.found.iter().map(line).collect();
    if found.count > found.found.len() {
        lines.push(format!("... and {} more", number(found.count - found.found.len())));
    }
    if found.is_cut_short {
        lines.push("not everything was looked at: it would have taken too long".into());
    }
    lines_or(lines, "it occurs nowhere")
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
