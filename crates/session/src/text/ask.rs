//! The declarative dialogue in words: where to begin, a question, the verdict.

use crate::ask::beginnings::{Beginning, Beginnings};
use crate::ask::question::QuestionRow;
use crate::ask::{Verdict, VerdictKind};

/// Messages and processes of one process that are listed.
const MOST: usize = 5;

pub fn beginnings(beginnings: &Beginnings) -> String {
    let all = beginnings.processes.iter().enumerate();
    all.map(|(i, process)| beginning(i + 1, process)).collect::<Vec<_>>().join("\n")
}

fn beginning(number: usize, process: &Beginning) -> String {
    let Beginning { pid, first_call, result, sent, created, .. } = process;
    let mut text =
        format!("{number}.- {pid}\n  First call:\n    {first_call}\n  Result:\n    {result}");
    for (title, items) in [("Sent messages", sent), ("Created processes", created)] {
        if !items.is_empty() {
            text += &format!("\n  {title}:");
            text.extend(items.iter().take(MOST).map(|item| format!("\n    {item}")));
        }
        if items.len() > MOST {
            text += &format!("\n    and {} more", items.len() - MOST);
        }
    }
    text
}

pub fn question(question: &QuestionRow) -> String {
    let mut text = format!("{}\n{}", question.question, question.prompt);
    for (i, option) in question.options.iter().enumerate() {
        text += &format!("\n{}. - {option}", i + 1);
    }
    text
}

pub fn verdict(verdict: &Verdict) -> String {
    let Verdict { kind, function, at, pid, text, unless, .. } = verdict;
    let running = match kind {
        VerdictKind::Receive | VerdictKind::FailingReceive => "while running receive",
        _ => "while running the call",
    };
    let mut told = format!(
        "The error has been detected: {}\nThe problem is in pid {pid}\n{running}\n{text}\nin {at}, \
         function {function}",
        kind.name()
    );
    for other in unless {
        told += &format!("\nunless this is wrong, which was not judged: {other}");
    }
    told
}
