//! Commands that only look.

use super::{Parsed, count, expression, file_line, parse, place_in_code, process, viewed, word};
use crate::command::{Command, LogSpec, StopAt, line::Line};
use crate::error::BadCommand;
use crate::event::EventKind;
use crate::query::info::InfoAbout;
use crate::query::search::SearchBy;

pub fn bindings(line: &Line) -> Parsed {
    let process = line.args().into_iter().find(|w| !matches!(*w, "all" | "needed")).map(word);
    Ok(Command::Bindings { all: line.has("all"), needed: line.has("needed"), process })
}

pub fn where_(line: &Line) -> Parsed {
    Ok(Command::Where { process: viewed(line) })
}

pub fn up(line: &Line) -> Parsed {
    Ok(Command::Up { count: count(line) })
}

pub fn down(line: &Line) -> Parsed {
    Ok(Command::Down { count: count(line) })
}

pub fn frame(line: &Line) -> Parsed {
    Ok(Command::Frame { level: line.number().map(|n| n as usize) })
}

pub fn source(line: &Line) -> Parsed {
    Ok(Command::Source { process: viewed(line) })
}

pub fn mailbox(line: &Line) -> Parsed {
    Ok(Command::Mailbox { process: viewed(line) })
}

pub fn history(line: &Line) -> Parsed {
    let most = line.number().map(|n| n as usize);
    if line.has("steps") {
        let is_other = |w: &&str| *w != "steps" && w.parse::<u64>().is_err();
        let process = line.args().into_iter().find(is_other).map(word);
        return Ok(Command::Steps { process, most });
    }
    Ok(Command::History { process: process(line), most })
}

pub fn values(line: &Line) -> Parsed {
    Ok(Command::Values { expression: expression(line)? })
}

pub fn last(line: &Line) -> Parsed {
    Ok(Command::Last { expression: expression(line)? })
}

pub fn find_value(line: &Line) -> Parsed {
    Ok(Command::Find { value: expression(line)? })
}

pub fn log(line: &Line) -> Parsed {
    let Some((place, expression)) = line.rest().split_once(char::is_whitespace) else {
        let alone = line.rest();
        return match file_line(alone).is_some() || alone.contains('/') {
            true => Err(BadCommand::NothingToLog(alone.into())),
            false => Ok(Command::Log { process: viewed(line) }),
        };
    };
    let expression = expression.trim();
    if place == "state" {
        return Ok(Command::Values { expression: format!("state {expression}") });
    }
    let (at, expression) = match EventKind::named(place) {
        Some(kind) => {
            let (pattern, left) = pattern_first(expression);
            (StopAt::Event { kind, pattern: pattern.map(str::to_string) }, left)
        }
        None => (place_in_code(place)?, expression),
    };
    if expression.is_empty() {
        return Err(BadCommand::NothingToLog(place.into()));
    }
    Ok(Command::Logged(LogSpec { at, expression: expression.into() }))
}

/// Why one event comes before another.
pub fn why_before(line: &Line) -> Parsed {
    match line.args().as_slice() {
        [first, second] => {
            Ok(Command::WhyBefore { first: first.to_string(), second: second.to_string() })
        }
        _ => Err(BadCommand::NoTwoEvents),
    }
}

pub fn notation(line: &Line) -> Parsed {
    Ok(Command::Notation { process: viewed(line) })
}

pub fn races(line: &Line) -> Parsed {
    Ok(if line.has("senders") { Command::RaceSenders } else { Command::Races })
}

/// A place that is come to again and again: in the code, or events of a kind, with what they have
/// in them in quotes.
pub fn logged_place(place: &str) -> Result<StopAt, BadCommand> {
    let (first, rest) = place.trim().split_once(char::is_whitespace).unwrap_or((place.trim(), ""));
    match EventKind::named(first) {
        Some(kind) => {
            let (pattern, left) = pattern_first(rest.trim());
            let pattern = pattern.or(Some(left).filter(|left| !left.is_empty()));
            Ok(StopAt::Event { kind, pattern: pattern.map(str::to_string) })
        }
        None => place_in_code(place),
    }
}

/// A pattern at the beginning, in quotes or as it stands (quotes in it are Erlang's then), and what
/// follows it.
fn pattern_first(text: &str) -> (Option<&str>, &str) {
    let mut letters = text.char_indices();
    let end = match letters.next() {
        Some((_, quote @ ('\'' | '"'))) => {
            let close = text[1..].find(quote).map(|at| at + 1);
            let inside = close.map(|close| (Some(&text[1..close]), text[close + 1..].trim()));
            return inside.unwrap_or((None, text));
        }
        Some((_, '{' | '[' | '#')) => end_of_term(text),
        _ => None,
    };
    match end {
        // What stands alone is what to print.
        Some(end) if !text[end..].trim().is_empty() => (Some(&text[..end]), text[end..].trim()),
        _ => (None, text),
    }
}

/// Where a term ends that begins with a bracket.
fn end_of_term(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0, None);
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(letter),
            (None, '{' | '[' | '(') => depth += 1,
            (None, '}' | ']' | ')') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

pub fn info(line: &Line) -> Parsed {
    let mut args = line.args().into_iter();
    let about = args.next().and_then(InfoAbout::named).ok_or(BadCommand::NoInfo)?;
    Ok(Command::Info { about, process: args.next().map(word) })
}

pub fn trace(line: &Line) -> Parsed {
    Ok(Command::Trace { most: line.number().map(|n| n as usize) })
}

pub fn failure(line: &Line) -> Parsed {
    Ok(Command::Failure { which: line.number().map(|n| n as usize) })
}

pub fn at(line: &Line) -> Parsed {
    let (event, look) = line.rest().split_once(char::is_whitespace).ok_or(BadCommand::NoMoment)?;
    Ok(Command::At { event: event.into(), look: Box::new(parse(look)?) })
}

pub fn events(line: &Line) -> Parsed {
    // A pattern is taken as it stands: quotes in it are Erlang's.
    if line.rest().starts_with(['{', '[', '#']) && !line.rest().starts_with("#<") {
        let (text, most) = match line.rest().rsplit_once(char::is_whitespace) {
            Some((text, n)) if n.parse::<usize>().is_ok() => (text.trim(), n.parse().ok()),
            _ => (line.rest(), None),
        };
        return Ok(Command::Events { by: SearchBy::Any, text: text.into(), most });
    }
    let args = line.args();
    let text = args.iter().find(|w| w.parse::<u64>().is_err()).map_or("", |w| *w).to_string();
    let most = line.number().map(|n| n as usize);
    Ok(Command::Events { by: SearchBy::Any, text, most })
}

pub fn print(line: &Line) -> Parsed {
    Ok(Command::Print { expression: line.rest().into() })
}

pub fn why_not(line: &Line) -> Parsed {
    match line.rest() {
        "" => Err(BadCommand::NoMessage),
        message => Ok(Command::WhyNot { message: message.into() }),
    }
}

pub fn compare(line: &Line) -> Parsed {
    match line.rest() {
        "" => Err(BadCommand::NoBranch),
        name => Ok(Command::Compare { name: name.into() }),
    }
}

pub fn changes(line: &Line) -> Parsed {
    Ok(Command::Changes { process: viewed(line) })
}

pub fn ps(line: &Line) -> Parsed {
    Ok(Command::Ps { all: line.has("all") })
}

pub fn why(line: &Line) -> Parsed {
    match line.rest() {
        "" => Err(BadCommand::NoVariable),
        asked => Ok(Command::Why { variable: asked.into() }),
    }
}
