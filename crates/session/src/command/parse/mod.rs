//! From a typed line to a command: one function per way of writing arguments.

mod breaks;
mod looks;
mod notes;

pub use breaks::*;
pub use looks::*;
pub use notes::*;

use super::commands::{Command, CommandKind};
use super::line::Line;
use super::spec::*;
use super::table::find;
use crate::error::BadCommand;
use crate::schedules::ScheduleName;
use crate::walk::CodeScope;
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

pub fn alone(line: &Line) -> Parsed {
    let command = parse(line.rest())?;
    match command.kind() {
        CommandKind::Moves | CommandKind::RunsOn => {
            Ok(Command::Alone { command: Box::new(command) })
        }
        _ => Err(BadCommand::NotAMove(command.name())),
    }
}

pub fn reverse_finish(line: &Line) -> Parsed {
    Ok(Command::ReverseFinish { count: count(line), process: process(line) })
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

pub fn adopt(line: &Line) -> Parsed {
    let file = line.args().first().map(|w| w.to_string()).ok_or(BadCommand::NoFileToAdopt)?;
    Ok(Command::Adopt { file })
}

pub fn choose(line: &Line) -> Parsed {
    chosen(line).map(Command::Choose)
}

pub fn take(line: &Line) -> Parsed {
    chosen(line).map(Command::Take)
}

/// `split`, `lose`, `heal` and `kill-node` by themselves.
pub fn nodes(name: &'static str, line: &Line) -> Parsed {
    let args = line.args();
    let words: Vec<&str> = std::iter::once(name).chain(args.iter().copied()).collect();
    let change = node_change(&words).ok_or(BadCommand::NoNodes)?;
    Ok(Command::Choose(Chosen::Nodes(change)))
}

fn node_change(words: &[&str]) -> Option<NodeChange> {
    let all = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
    match words {
        ["split", rest @ ..] if !rest.is_empty() => {
            let bar = rest.iter().position(|word| *word == "|").unwrap_or(rest.len());
            let these = all(&rest[..bar]);
            let those = all(rest.get(bar + 1..).unwrap_or_default());
            (!these.is_empty()).then_some(NodeChange::Split { these, those })
        }
        ["lose", one, other] => {
            Some(NodeChange::Lose { one: one.to_string(), other: other.to_string() })
        }
        ["heal"] => Some(NodeChange::Heal),
        ["kill-node", node] => Some(NodeChange::Kill { node: node.to_string() }),
        _ => None,
    }
}

fn chosen(line: &Line) -> Result<Chosen, BadCommand> {
    match line.args().as_slice() {
        ["timeout", of] => Ok(Chosen::TimeOut(of.to_string())),
        ["split" | "lose" | "heal" | "kill-node", ..] => {
            node_change(&line.args()).map(Chosen::Nodes).ok_or(BadCommand::NoNodes)
        }
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
            ["failure"] => Ok(Command::GotoFailure { which: None }),
            ["failure", which] => match which.parse() {
                Ok(which) => Ok(Command::GotoFailure { which: Some(which) }),
                Err(_) => Err(BadCommand::NoStep),
            },
            ["why", ..] => {
                let expression = line.rest().trim_start()["why".len()..].trim();
                match expression {
                    "" => Err(BadCommand::NoExpression),
                    text => Ok(Command::GotoOrigin { expression: text.into() }),
                }
            }
            [name] => Ok(Command::GotoMark { name: name.to_string() }),
            _ => Err(BadCommand::NoStep),
        };
    };
    let step = step.trim();
    let step = step.parse().map_err(|_| BadCommand::NotAStep(step.into()))?;
    Ok(Command::Goto { process: word(who.trim()), step })
}

/// Everything after the command, which is an expression.
fn expression(line: &Line) -> Result<String, BadCommand> {
    match line.rest() {
        "" => Err(BadCommand::NoExpression),
        text => Ok(text.into()),
    }
}

pub fn select(line: &Line) -> Parsed {
    Ok(Command::Process { process: word(line.rest()) })
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
        ["code", "own"] => Setting::Code(CodeScope::Own),
        ["code", "all"] => Setting::Code(CodeScope::All),
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
