//! From a typed line to a command: one function per way of writing arguments.

use super::line::Line;
use super::spec::*;
use super::table::find;
use crate::error::BadCommand;
use crate::event::EventKind;
use crate::language;
use crate::query::info::InfoAbout;
use crate::query::search::SearchBy;
use crate::schedules::ScheduleName;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use ts_rs::TS;

type Parsed = Result<Command, BadCommand>;

/// A command as a face sends it: as it would be typed, or as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(untagged)]
pub enum CommandInput {
    Data(Command),
    Text(String),
}

impl<'de> Deserialize<'de> for CommandInput {
    /// A string is what a person would type; what is wrong with anything else can be said.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CommandInput, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) => Ok(CommandInput::Text(text)),
            data => Command::deserialize(data).map(CommandInput::Data).map_err(D::Error::custom),
        }
    }
}

impl CommandInput {
    /// The command that this line asks for.
    pub fn parse(&self) -> Result<Command, BadCommand> {
        match self {
            CommandInput::Data(command) => Ok(command.clone()),
            CommandInput::Text(text) => parse(text),
        }
    }
}

/// Reads one typed line: a command in words, or its JSON form.
pub fn parse(text: &str) -> Parsed {
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map_err(|why| BadCommand::NotJson(why.to_string()));
    }
    let line = Line::parse(text);
    let name = line.command().unwrap_or_default();
    match find(name) {
        Some(row) => (row.parse)(&line),
        None => Err(unknown(name)),
    }
}

/// Names that the person may have meant are those that begin so.
pub fn unknown(name: &str) -> BadCommand {
    let starts = super::COMMANDS.iter().filter(|c| c.name.starts_with(name));
    let near = if name.is_empty() { vec![] } else { starts.map(|c| c.name).collect() };
    BadCommand::Unknown { name: name.into(), near }
}

fn word(word: &str) -> ProcessRef {
    ProcessRef::Word(word.into())
}

/// The process after a number and a unit.
fn process(line: &Line) -> Option<ProcessRef> {
    line.process().map(word)
}

/// The process of a command that takes no number: a number is a process too.
fn viewed(line: &Line) -> Option<ProcessRef> {
    line.args().into_iter().find(|w| *w != "all").map(word)
}

fn count(line: &Line) -> u64 {
    line.number().unwrap_or(1)
}

fn unit(line: &Line) -> Unit {
    let units = [("line", Unit::Line), ("call", Unit::Call), ("event", Unit::Event)];
    units.into_iter().find(|(name, _)| line.has(name)).map_or(Unit::Step, |(_, unit)| unit)
}

pub fn step(line: &Line) -> Parsed {
    Ok(Command::Step { count: count(line), unit: unit(line), process: process(line) })
}

pub fn next(line: &Line) -> Parsed {
    Ok(Command::Next { count: count(line), process: process(line) })
}

pub fn finish(line: &Line) -> Parsed {
    Ok(Command::Finish { process: viewed(line) })
}

pub fn continue_(line: &Line) -> Parsed {
    Ok(Command::Continue { process: process(line) })
}

pub fn reverse_step(line: &Line) -> Parsed {
    Ok(Command::ReverseStep { count: count(line), unit: unit(line), process: process(line) })
}

pub fn reverse_next(line: &Line) -> Parsed {
    Ok(Command::ReverseNext { count: count(line), process: process(line) })
}

pub fn reverse_finish(line: &Line) -> Parsed {
    Ok(Command::ReverseFinish { process: viewed(line) })
}

pub fn reverse_continue(line: &Line) -> Parsed {
    Ok(Command::ReverseContinue { all: line.has("all"), process: viewed(line) })
}

pub fn run(line: &Line) -> Parsed {
    Ok(Command::Run { choices: line.number() })
}

pub fn back(line: &Line) -> Parsed {
    Ok(Command::Back { count: count(line) })
}

pub fn deliver(line: &Line) -> Parsed {
    let what = match line.args().as_slice() {
        [m] if m.starts_with('#') => Some(DeliverWhat::Message(m.to_string())),
        [from, to] => Some(DeliverWhat::Between { from: word(from), to: word(to) }),
        _ => None,
    };
    Ok(Command::Deliver { what })
}

pub fn choose(line: &Line) -> Parsed {
    chosen(line).map(Command::Choose)
}

pub fn take(line: &Line) -> Parsed {
    chosen(line).map(Command::Take)
}

fn chosen(line: &Line) -> Result<Chosen, BadCommand> {
    match line.args().as_slice() {
        ["timeout", of] => Ok(Chosen::TimeOut(of.to_string())),
        ["kill", of, reason @ ..] => {
            let process = Some(word(of));
            let reason = (!reason.is_empty()).then(|| reason.join(" "));
            Ok(Chosen::Kill { reason, at: ProcessMoment { process, moment: None } })
        }
        [message] if message.starts_with('#') => Ok(Chosen::Message(message.to_string())),
        [_, ..] => another_value(line.rest()).ok_or(BadCommand::NoAlternative),
        _ => Err(BadCommand::NoAlternative),
    }
}

/// `Name = Expression`
fn another_value(text: &str) -> Option<Chosen> {
    let (name, expression) = text.split_once('=')?;
    let (name, expression) = (name.trim(), expression.trim());
    let is_variable = name.starts_with(|c: char| c.is_uppercase() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '@');
    let (name, expression) = (name.to_string(), expression.to_string());
    let at = ProcessMoment::default();
    (is_variable && !expression.is_empty()).then_some(Chosen::Value { name, expression, at })
}

pub fn explore(line: &Line) -> Parsed {
    let most = match line.args().as_slice() {
        [] => None,
        [n] => Some(n.parse().map_err(|_| BadCommand::NotACount(n.to_string()))?),
        _ => return Err(BadCommand::TooManyCounts),
    };
    Ok(Command::Explore { most })
}

/// One target, or several that are one request.
fn target(line: &Line) -> Result<TargetSpec, BadCommand> {
    let args = line.args();
    let words: Vec<&str> = args.into_iter().filter(|w| !w.starts_with("--")).collect();
    let mut targets = vec![];
    let mut rest = words.as_slice();
    while !rest.is_empty() {
        let (target, left) =
            first_target(rest).ok_or_else(|| BadCommand::NotATarget(words.join(" ")))?;
        targets.push(target?);
        rest = left;
    }
    match targets.len() {
        0 => Err(BadCommand::NoTarget),
        1 => Ok(targets.remove(0)),
        _ => Ok(TargetSpec::Several(targets)),
    }
}

/// The first target of these words, and the words after it.
fn first_target<'w, 't>(
    words: &'w [&'t str],
) -> Option<(Result<TargetSpec, BadCommand>, &'w [&'t str])> {
    const KINDS: &[&str] = &[
        "all", "send", "deliver", "receive", "spawn", "start", "exit", "event", "register",
        "variable", "line", "to",
    ];
    let target = match words {
        ["all", rest @ ..] => return Some((Ok(TargetSpec::All), rest)),
        ["send", m, ..] => TargetSpec::Send(m.to_string()),
        ["deliver", m, ..] => TargetSpec::Deliver(m.to_string()),
        ["receive", m, ..] => TargetSpec::Receive(m.to_string()),
        ["spawn", p, ..] => TargetSpec::Spawn(word(p)),
        ["start", p, ..] => TargetSpec::Start(word(p)),
        ["exit", p, ..] => TargetSpec::Exit(word(p)),
        ["event", name, ..] => TargetSpec::Event(name.to_string()),
        ["register", name, ..] => TargetSpec::Register(name.to_string()),
        ["variable", name, ..] => TargetSpec::Variable(name.to_string()),
        ["to", name, ..] => TargetSpec::Mark(name.to_string()),
        ["line", place, rest @ ..] => {
            let bad = || BadCommand::NotALine(place.to_string());
            return Some((file_line(place).map(TargetSpec::Line).ok_or_else(bad), rest));
        }
        [n, rest @ ..] => {
            let count = n.parse().ok()?;
            let rest =
                rest.strip_prefix(&["steps"]).or(rest.strip_prefix(&["step"])).unwrap_or(rest);
            return Some(match rest {
                [of, rest @ ..] if !KINDS.contains(of) && of.parse::<u64>().is_err() => {
                    (Ok(TargetSpec::StepsOf { process: word(of), count }), rest)
                }
                _ => (Ok(TargetSpec::Steps(count)), rest),
            });
        }
        [] => return None,
    };
    Some((Ok(target), &words[2..]))
}

/// A target as it is typed after `undo`.
pub fn parse_target(text: &str) -> Result<TargetSpec, BadCommand> {
    target(&Line::parse(&format!("undo {text}")))
}

pub fn undo(line: &Line) -> Parsed {
    Ok(Command::Undo { target: target(line)?, dry_run: line.has("--dry-run") })
}

pub fn redo(line: &Line) -> Parsed {
    Ok(Command::Redo { target: target(line)?, dry_run: line.has("--dry-run") })
}

pub fn undo_one(line: &Line) -> Parsed {
    Ok(Command::UndoOne { process: viewed(line) })
}

pub fn redo_one(line: &Line) -> Parsed {
    Ok(Command::RedoOne { process: viewed(line) })
}

pub fn goto(line: &Line) -> Parsed {
    let Some((who, step)) = line.rest().split_once('@') else {
        return match line.args().as_slice() {
            [name] => Ok(Command::GotoMark { name: name.to_string() }),
            _ => Err(BadCommand::NoStep),
        };
    };
    let step = step.trim();
    let step = step.parse().map_err(|_| BadCommand::NotAStep(step.into()))?;
    Ok(Command::Goto { process: word(who.trim()), step })
}

/// `FILE:N` or `N`.
fn file_line(text: &str) -> Option<LineSpec> {
    match text.rsplit_once(':') {
        Some((file, line)) => {
            Some(LineSpec { file: Some(file.to_string()), line: line.parse().ok()? })
        }
        None => Some(LineSpec { file: None, line: text.parse().ok()? }),
    }
}

pub fn break_(line: &Line) -> Parsed {
    break_spec(line, Lifetime::Stays).map(Command::Break)
}

pub fn tbreak(line: &Line) -> Parsed {
    break_spec(line, Lifetime::Once).map(Command::Break)
}

fn break_spec(line: &Line, lifetime: Lifetime) -> Result<BreakSpec, BadCommand> {
    let rest = line.rest();
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
        ([_], Some(kind)) => StopAt::Event { kind, pattern: None },
        // As it stands: quotes in it are Erlang's.
        ([word, ..], Some(kind)) if what[word.len()..].trim().starts_with(['{', '[', '#']) => {
            StopAt::Event { kind, pattern: Some(what[word.len()..].trim().into()) }
        }
        ([_, pattern], Some(kind)) => StopAt::Event { kind, pattern: Some(pattern.to_string()) },
        ([place], None) => place_in_code(place)?,
        _ => return Err(BadCommand::NotAStop(what.into())),
    };
    Ok(BreakSpec { at, condition, lifetime })
}

/// Everything after the command, which is an expression.
fn expression(line: &Line) -> Result<String, BadCommand> {
    match line.rest() {
        "" => Err(BadCommand::NoExpression),
        text => Ok(text.into()),
    }
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
        match super::COMMANDS.iter().any(|row| row.name == first) || texts.is_empty() {
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

pub fn select(line: &Line) -> Parsed {
    Ok(Command::Process { process: word(line.rest()) })
}

pub fn bindings(line: &Line) -> Parsed {
    Ok(Command::Bindings { all: line.has("all"), process: viewed(line) })
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
    Ok(Command::History { process: process(line), most })
}

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
    let at = place_in_code(place)?;
    Ok(Command::Logged(LogSpec { at, expression: expression.trim().into() }))
}

pub fn info(line: &Line) -> Parsed {
    let mut args = line.args().into_iter();
    let about = args.next().and_then(InfoAbout::named).ok_or(BadCommand::NoInfo)?;
    Ok(Command::Info { about, process: args.next().map(word) })
}

/// `[FILE:]LINE` or `[M:]F[/A]`
pub fn place_in_code(place: &str) -> Result<StopAt, BadCommand> {
    match file_line(place) {
        Some(line) => Ok(StopAt::Line(line)),
        None => function(place),
    }
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

pub fn branch(line: &Line) -> Parsed {
    Ok(Command::Branch { name: line.rest().into() })
}

pub fn set(line: &Line) -> Parsed {
    Ok(Command::Set(match line.args().as_slice() {
        ["schedule", name, rest @ ..] => {
            let seed = rest.first().and_then(|s| s.parse().ok()).unwrap_or(0);
            let named = ScheduleName::named(name);
            let name = named.ok_or_else(|| BadCommand::NoSchedule(name.to_string()))?;
            Setting::Schedule { name, seed }
        }
        ["delivery", "manual"] => Setting::Delivery(DeliveryMode::Manual),
        ["delivery", "instant"] => Setting::Delivery(DeliveryMode::Instant),
        _ => return Err(BadCommand::NoSetting),
    }))
}

pub fn save(line: &Line) -> Parsed {
    let file = line.args().first().map(|w| w.to_string()).ok_or(BadCommand::NoFileToSave)?;
    Ok(Command::Save { file })
}

pub fn load(line: &Line) -> Parsed {
    let file = line.args().first().map(|w| w.to_string()).ok_or(BadCommand::NoFileToLoad)?;
    Ok(Command::Load { file })
}

pub fn help(line: &Line) -> Parsed {
    let name = line.rest();
    Ok(Command::Help { command: (!name.is_empty()).then(|| name.to_string()) })
}
