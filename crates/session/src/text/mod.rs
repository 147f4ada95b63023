//! Answers in words: what a terminal prints. One function per answer; nothing is computed here that
//! the answer does not have.

pub mod ask;
mod compare;
mod events;
mod failure;
mod lists;
pub mod markdown;
mod moves;
mod outcome;
mod races;
mod search;
mod tree;

pub use events::{event_line, line_of};
pub use moves::{known_end, note, plan};
pub use outcome::outcome;
pub use races::race_report;
pub use search::{failures, limits, report, verdict};

use crate::command::Reply;
use crate::query::ProcRef;

/// The answer of a command.
pub fn reply(reply: &Reply) -> String {
    match reply {
        Reply::Nothing {} => String::new(),
        Reply::Done { .. } => "ok".into(),
        Reply::Move(moved) => moves::moved(moved),
        Reply::Passed(moved) => moves::passed(moved),
        Reply::Marks(list) => lists::marks(list),
        Reply::Notes(list) => lists::notes(list),
        Reply::Report(report) => report.markdown.clone(),
        Reply::Last(last) => lists::last(last),
        Reply::Found(found) => lists::found_values(found),
        Reply::Displayed(displayed) => moves::displayed(displayed),
        Reply::Plan(plan) => moves::plan(plan),
        Reply::Processes(list) => lists::processes(list),
        Reply::Bindings(calls) => lists::bindings(calls),
        Reply::AllBindings(calls) => lists::all_bindings(calls),
        Reply::Calls(calls) => lists::calls(calls),
        Reply::Frame(frame) => lists::frame(frame),
        Reply::Listing(listing) => lists::listing(listing),
        Reply::Mailbox(messages) => lists::messages(messages, "the mailbox is empty"),
        Reply::Network(messages) => lists::messages(messages, "nothing is on its way"),
        Reply::History(list) => events::history(list),
        Reply::Steps(list) => events::steps(list),
        Reply::Log(list) => {
            events::list(list, "nothing more is known of it: 'step' lets it run on")
        }
        Reply::Trace(list) => events::list(list, "nothing has happened yet"),
        Reply::RollLog(list) => events::undone(list),
        Reply::Adopted { branch, file, end } => format!("branch {branch}: {file} {end}"),
        Reply::Order(order) => events::order(order),
        Reply::Notation(notation) => lists::notation(notation),
        Reply::Senders(senders) => races::senders(senders),
        Reply::Events(found) => events::found(found),
        Reply::Enabled(steps) => lists::enabled(steps),
        Reply::Problems(problems) => outcome::problems(problems),
        Reply::Compared(compared) => compare::branches(compared),
        Reply::Changes(changes) => lists::changes(changes),
        Reply::Logged(logged) => lists::logged(logged),
        Reply::Unmatched(told) => lists::unmatched(told),
        Reply::Family(tree) => tree::family(tree),
        Reply::Failure(report) => failure::report(report),
        Reply::Races(list) => races::list(list),
        Reply::Output(output) => lists::output(output),
        Reply::Value(value) => value.pretty.clone(),
        Reply::Reason(reason) => events::reason(reason),
        Reply::Branches(list) => lists::branches(list),
        Reply::Breakpoints(list) => lists::breakpoints(list),
        Reply::Breakpoint(row) => format!("breakpoint {}", lists::breakpoint(row)),
        Reply::Deleted { deleted } => format!("deleted {deleted}"),
        Reply::Explored(found) => search::from_here(found),
        Reply::Saved { file, events } => format!("{} events saved to {file}", number(*events)),
        Reply::Help(list) => lists::help(list),
    }
}

/// A count with a comma between thousands.
pub fn number(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The pid with what people call the process.
fn who(process: &ProcRef) -> String {
    format!("{} ({})", process.pid, process.called)
}

/// `file:line`, if it is known.
fn place(file: &Option<String>, line: Option<u32>) -> Option<String> {
    Some(format!("{}:{}", file.as_ref()?, line?))
}

/// The beginning of a text that may be long.
fn short(text: &str) -> String {
    const MOST: usize = 120;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

fn lines_or(lines: Vec<String>, none: &str) -> String {
    if lines.is_empty() { none.to_string() } else { lines.join("\n") }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn thousands_are_told_apart() {
        let told = [0, 7, 999, 1_000, 12_345, 1_234_567].map(number);
        assert_eq!(told, ["0", "7", "999", "1,000", "12,345", "1,234,567"]);
    }
}
