//! Breakpoints, and places in the code.

use super::{Parsed, expression, parse};
use crate::command::{
    BreakSpec, COMMANDS, Command, CommandKind, HitRule, Lifetime, LineSpec, StopAt, line::Line,
};
use crate::error::BadCommand;
use crate::event::EventKind;
use crate::exceptions::ExceptionStop;
use crate::language;

/// `FILE:N` or `N`.
pub(super) fn file_line(text: &str) -> Option<LineSpec> {
    match text.rsplit_once(':') {
        Some((file, line)) => {
            Some(LineSpec { file: Some(file.to_string()), line: line.parse().ok()? })
        }
        None => Some(LineSpec { file: None, line: text.parse().ok()? }),
    }
}

pub fn break_(line: &Line) -> Parsed {
    if line.args().first() == Some(&"state") {
        return Ok(Command::Watch { expression: line.rest().into() });
    }
    break_spec(line, Lifetime::Stays).map(Command::Break)
}

pub fn tbreak(line: &Line) -> Parsed {
    break_spec(line, Lifetime::Once).map(Command::Break)
}

fn break_spec(line: &Line, lifetime: Lifetime) -> Result<BreakSpec, BadCommand> {
    let rest = line.rest();
    let hit = |(rest, rule): (&str, &str)| Some((rest.len(), rule.parse::<HitRule>().ok()?));
    let (rest, hits) = match rest.rsplit_once(" hit ").and_then(hit) {
        Some((length, rule)) => (rest[..length].trim(), Some(rule)),
        None => (rest, None),
    };
    let (what, condition) = match rest.split_once(" if ") {
        Some((what, condition)) => (what.trim(), Some(condition.trim().to_string())),
        None => (rest, None),
    };
    let head = Line::parse(&format!("break {what}"));
    let args = head.args();
    let kind = args.first().and_then(|kind| EventKind::named(kind));
    let at = match (args.as_slice(), kind) {
        ([], _) => return Err(BadCommand::NoStop),
        (["variable", name], _) => StopAt::Variable(name.to_string()),
        (["forever"], _) => StopAt::Forever,
        (["orphan"], _) => StopAt::Orphan,
        (["exception", kind], _) => match ExceptionStop::named(kind) {
            Some(kind) => StopAt::Exception(kind),
            None => return Err(BadCommand::NotAStop(what.into())),
        },
        ([_], Some(kind)) => StopAt::Event { kind, pattern: None },
        // As it stands: quotes in it are Erlang's.
        ([word, ..], Some(kind)) if what[word.len()..].trim().starts_with(['{', '[', '#']) => {
            StopAt::Event { kind, pattern: Some(what[word.len()..].trim().into()) }
        }
        ([_, pattern], Some(kind)) => StopAt::Event { kind, pattern: Some(pattern.to_string()) },
        ([place], None) => place_in_code(place)?,
        _ => return Err(BadCommand::NotAStop(what.into())),
    };
    Ok(BreakSpec { at, condition, lifetime, hits })
}

pub fn watch(line: &Line) -> Parsed {
    Ok(Command::Watch { expression: expression(line)? })
}

pub fn ignore(line: &Line) -> Parsed {
    match line.args().as_slice() {
        [id, count] => match (id.parse(), count.parse()) {
            (Ok(id), Ok(count)) => Ok(Command::Ignore { id, count }),
            _ => Err(BadCommand::NoIgnore),
        },
        _ => Err(BadCommand::NoIgnore),
    }
}

/// A semicolon separates commands only where the name of one follows: expressions have them too.
pub fn commands(line: &Line) -> Parsed {
    let (id, rest) = line.rest().split_once(char::is_whitespace).unwrap_or((line.rest(), ""));
    let id = id.parse().map_err(|_| BadCommand::NoCommands)?;
    let mut texts: Vec<String> = vec![];
    for part in rest.split(';').filter(|part| !part.trim().is_empty()) {
        let first = part.split_whitespace().next().unwrap_or_default();
        match COMMANDS.iter().any(|row| row.name == first) || texts.is_empty() {
            true => texts.push(part.trim().into()),
            false => texts.iter_mut().rev().take(1).for_each(|last| {
                last.push(';');
                last.push_str(part);
            }),
        }
    }
    let commands = texts.iter().map(|text| parse(text)).collect::<Result<Vec<_>, _>>()?;
    let moves = commands.iter().position(|c| c.kind() != CommandKind::Looks);
    match moves {
        Some(at) if at + 1 < commands.len() => Err(BadCommand::MovesBefore(commands[at].name())),
        _ => Ok(Command::Commands { id, commands }),
    }
}

pub fn display(line: &Line) -> Parsed {
    Ok(Command::Display { expression: expression(line).ok() })
}

pub fn undisplay(line: &Line) -> Parsed {
    Ok(Command::Undisplay { id: line.number().map(|n| n as usize) })
}

pub fn until(line: &Line) -> Parsed {
    let place = match line.rest() {
        "" => None,
        place => Some(place_in_code(place)?),
    };
    Ok(Command::Until { place })
}

/// `[M:]F[/A]`
fn function(place: &str) -> Result<StopAt, BadCommand> {
    let place = &*language::place(place);
    let (module, rest) = match place.split_once(':') {
        Some((module, rest)) => (Some(module.to_string()), rest),
        None => (None, place),
    };
    let (name, arity) = match rest.split_once('/') {
        Some((name, arity)) => {
            let number = arity.parse().map_err(|_| BadCommand::NotAnArity(arity.into()))?;
            (name, Some(number))
        }
        None => (rest, None),
    };
    Ok(StopAt::Function { module, name: name.into(), arity })
}

pub fn delete(line: &Line) -> Parsed {
    Ok(Command::Delete { id: line.number().map(|n| n as usize) })
}

/// `[FILE:]LINE` or `[M:]F[/A]`
pub fn place_in_code(place: &str) -> Result<StopAt, BadCommand> {
    match file_line(place) {
        Some(line) => Ok(StopAt::Line(line)),
        None => function(place),
    }
}
