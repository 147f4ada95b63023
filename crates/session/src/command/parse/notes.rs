//! Marks and notes.

use super::Parsed;
use crate::command::{Command, line::Line};
use crate::error::BadCommand;

/// The only word after the command.
fn name(line: &Line) -> Result<String, BadCommand> {
    match line.args().as_slice() {
        [name] => Ok(name.to_string()),
        _ => Err(BadCommand::NoName),
    }
}

pub fn mark(line: &Line) -> Parsed {
    Ok(Command::Mark { name: name(line)? })
}

pub fn unmark(line: &Line) -> Parsed {
    Ok(Command::Unmark { name: name(line)? })
}

/// `note [EVENT] TEXT`
pub fn note(line: &Line) -> Parsed {
    let text = line.rest();
    if text.is_empty() {
        return Err(BadCommand::NothingToNote);
    }
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let is_event = first.starts_with(|c: char| c.is_ascii_digit())
        && first.contains(['a', 'd'])
        && first.chars().all(|c| c.is_ascii_digit() || c == 'a' || c == 'd');
    match is_event && !rest.trim().is_empty() {
        true => Ok(Command::Note { event: Some(first.into()), text: rest.trim().into() }),
        false => Ok(Command::Note { event: None, text: text.into() }),
    }
}

pub fn unnote(line: &Line) -> Parsed {
    match line.args().as_slice() {
        [number] => {
            let number = number.parse().map_err(|_| BadCommand::NotACount(number.to_string()))?;
            Ok(Command::Unnote { number })
        }
        _ => Err(BadCommand::NoName),
    }
}
