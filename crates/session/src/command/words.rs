//! From a command back to the words in which it is typed: for transcripts and scripts.

use super::{
    BreakSpec, Chosen, Command, DeliverWhat, DeliveryMode, Lifetime, LogSpec, ProcessRef, Setting,
    StopAt, TargetSpec, Unit,
};
use crate::walk::CodeScope;

/// The pid of a process by its number.
pub type PidOf<'p> = &'p dyn Fn(u32) -> String;

impl Command {
    /// What a person would type.
    pub fn words(&self, pid_of: PidOf) -> String {
        let name = self.name();
        let arguments = self.arguments(pid_of);
        if arguments.is_empty() { name.into() } else { format!("{name} {arguments}") }
    }

    /// The name in the table.
    pub fn name(&self) -> &'static str {
        match self {
            Command::Step { .. } => "step",
            Command::Next { .. } => "next",
            Command::Finish { .. } => "finish",
            Command::Continue { .. } => "continue",
            Command::ReverseStep { .. } => "reverse-step",
            Command::ReverseNext { .. } => "reverse-next",
            Command::ReverseFinish { .. } => "reverse-finish",
            Command::ReverseContinue { .. } => "reverse-continue",
            Command::Run { .. } => "run",
            Command::Back { .. } => "back",
            Command::Deliver { .. } => "deliver",
            Command::Choose(Chosen::Nodes(change)) => change.name(),
            Command::Choose(_) => "choose",
            Command::Take(_) => "take",
            Command::Adopt { .. } => "adopt",
            Command::WhyBefore { .. } => "why-before",
            Command::Notation { .. } => "notation",
            Command::Compare { .. } => "compare",
            Command::Changes { .. } => "changes",
            Command::Logged(_) => "log",
            Command::Info { .. } => "info",
            Command::WhyNot { .. } => "why-not",
            Command::Explore { .. } => "explore",
            Command::Undo { .. } => "undo",
            Command::Redo { .. } => "redo",
            Command::Alone { .. } => "alone",
            Command::UndoOne { .. } => "undo-one",
            Command::RedoOne { .. } => "redo-one",
            Command::Goto { .. }
            | Command::GotoMark { .. }
            | Command::GotoFailure { .. }
            | Command::GotoOrigin { .. } => "goto",
            Command::Mark { .. } => "mark",
            Command::Unmark { .. } => "unmark",
            Command::Marks => "marks",
            Command::Note { .. } => "note",
            Command::Notes => "notes",
            Command::Unnote { .. } => "unnote",
            Command::Report => "report",
            Command::Values { .. } => "values",
            Command::Last { .. } => "last",
            Command::Find { .. } => "find",
            Command::Up { .. } => "up",
            Command::Down { .. } => "down",
            Command::Frame { .. } => "frame",
            Command::Break(BreakSpec { lifetime: Lifetime::Once, .. }) => "tbreak",
            Command::Break(_) => "break",
            Command::Watch { .. } => "watch",
            Command::Ignore { .. } => "ignore",
            Command::Commands { .. } => "commands",
            Command::Display { .. } => "display",
            Command::Undisplay { .. } => "undisplay",
            Command::Until { .. } => "until",
            Command::Breaks => "breaks",
            Command::Delete { .. } => "delete",
            Command::Ps { .. } => "ps",
            Command::Process { .. } => "process",
            Command::Bindings { .. } => "bindings",
            Command::Where { .. } => "where",
            Command::Source { .. } => "source",
            Command::Mailbox { .. } => "mailbox",
            Command::Network => "network",
            Command::History { .. } | Command::Steps { .. } => "history",
            Command::Log { .. } => "log",
            Command::Trace { .. } => "trace",
            Command::Events { .. } => "events",
            Command::Rolllog => "rolllog",
            Command::Enabled => "enabled",
            Command::Problems => "problems",
            Command::Failure { .. } => "failure",
            Command::At { .. } => "at",
            Command::Races | Command::RaceSenders => "races",
            Command::Output => "output",
            Command::Print { .. } => "print",
            Command::Why { .. } => "why",
            Command::Branches => "branches",
            Command::Branch { .. } => "branch",
            Command::Set(_) => "set",
            Command::Save { .. } => "save",
            Command::Load { .. } => "load",
            Command::Restart => "restart",
            Command::Help { .. } => "help",
            Command::Quit => "quit",
        }
    }

    fn arguments(&self, pid_of: PidOf) -> String {
        let word = |process: &ProcessRef| match process {
            ProcessRef::Number(number) => pid_of(*number),
            ProcessRef::Word(word) => word.clone(),
        };
        let maybe = |process: &Option<ProcessRef>| process.as_ref().map(word).unwrap_or_default();
        let times = |n: u64| if n == 1 { String::new() } else { n.to_string() };
        let number = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
        match self {
            Command::Step { count, unit, process }
            | Command::ReverseStep { count, unit, process } => {
                joined(&[times(*count), unit_word(*unit).into(), maybe(process)])
            }
            Command::Next { count, process }
            | Command::ReverseNext { count, process }
            | Command::ReverseFinish { count, process } => joined(&[times(*count), maybe(process)]),
            Command::Finish { process }
            | Command::Continue { process }
            | Command::UndoOne { process }
            | Command::RedoOne { process }
            | Command::Where { process }
            | Command::Source { process }
            | Command::Mailbox { process }
            | Command::Log { process }
            | Command::Changes { process }
            | Command::Notation { process } => maybe(process),
            Command::Bindings { needed: true, process, .. } => {
                joined(&["needed".into(), maybe(process)])
            }
            Command::ReverseContinue { all, process } | Command::Bindings { all, process, .. } => {
                joined(&[if *all { "all".into() } else { String::new() }, maybe(process)])
            }
            Command::Run { choices } | Command::Explore { most: choices } => number(*choices),
            Command::Back { count } | Command::Up { count } | Command::Down { count } => {
                times(*count)
            }
            Command::Frame { level } => number(level.map(|n| n as u64)),
            Command::Deliver { what: None } => String::new(),
            Command::Deliver { what: Some(DeliverWhat::Message(message)) } => message.clone(),
            Command::Deliver { what: Some(DeliverWhat::Between { from, to }) } => {
                joined(&[word(from), word(to)])
            }
            Command::Info { about, process } => joined(&[about.name().into(), maybe(process)]),
            Command::Logged(LogSpec { at, expression }) => format!("{at} {expression}"),
            Command::WhyNot { message } => message.clone(),
            Command::Ps { all } => match all {
                true => "all".into(),
                false => String::new(),
            },
            Command::Choose(Chosen::Message(message)) | Command::Take(Chosen::Message(message)) => {
                message.clone()
            }
            Command::Choose(Chosen::TimeOut(of)) | Command::Take(Chosen::TimeOut(of)) => {
                format!("timeout {of}")
            }
            Command::Choose(Chosen::Value { name, expression, .. })
            | Command::Take(Chosen::Value { name, expression, .. }) => {
                format!("{name} = {expression}")
            }
            Command::Choose(Chosen::Nodes(change)) => change.nodes(),
            Command::Take(Chosen::Nodes(change)) => change.to_string(),
            Command::Choose(Chosen::Kill { reason, at })
            | Command::Take(Chosen::Kill { reason, at }) => {
                let reason = reason.clone().unwrap_or_default();
                joined(&["kill".into(), maybe(&at.process), reason])
            }
            Command::Undo { target, dry_run } | Command::Redo { target, dry_run } => {
                let dry = if *dry_run { "--dry-run" } else { "" };
                joined(&[target_words(target, &word), dry.into()])
            }
            Command::Goto { process, step } => format!("{}@{step}", word(process)),
            Command::GotoFailure { which } => {
                joined(&["failure".into(), number(which.map(|n| n as u64))])
            }
            Command::GotoOrigin { expression } => format!("why {expression}"),
            Command::Break(spec) => spec.to_string(),
            Command::Note { event, text } => {
                joined(&[event.clone().unwrap_or_default(), text.clone()])
            }
            Command::Unnote { number } => number.to_string(),
            Command::GotoMark { name } | Command::Mark { name } | Command::Unmark { name } => {
                name.clone()
            }
            Command::History { process, most } => {
                joined(&[maybe(process), number(most.map(|n| n as u64))])
            }
            Command::Steps { process, most } => {
                joined(&["steps".into(), maybe(process), number(most.map(|n| n as u64))])
            }
            Command::Watch { expression }
            | Command::Values { expression }
            | Command::Last { expression }
            | Command::Find { value: expression } => expression.clone(),
            Command::Ignore { id, count } => format!("{id} {count}"),
            Command::Commands { id, commands } => {
                let words: Vec<String> = commands.iter().map(|c| c.words(pid_of)).collect();
                joined(&[id.to_string(), words.join("; ")])
            }
            Command::Display { expression } => expression.clone().unwrap_or_default(),
            Command::Until { place } => place.as_ref().map(StopAt::to_string).unwrap_or_default(),
            Command::Failure { which } => number(which.map(|n| n as u64)),
            Command::Alone { command } => command.words(pid_of),
            Command::At { event, look } => format!("{event} {}", look.words(pid_of)),
            Command::Delete { id } | Command::Undisplay { id } => number(id.map(|id| id as u64)),
            Command::Process { process } => word(process),
            Command::Trace { most } => number(most.map(|n| n as u64)),
            Command::Events { text, most, .. } => {
                joined(&[quoted(text), number(most.map(|n| n as u64))])
            }
            Command::Print { expression } => expression.clone(),
            Command::Why { variable } => variable.clone(),
            Command::WhyBefore { first, second } => format!("{first} {second}"),
            Command::RaceSenders => "senders".into(),
            Command::Branch { name } | Command::Compare { name } => name.clone(),
            Command::Set(setting) => setting_words(setting),
            Command::Save { file } | Command::Load { file } | Command::Adopt { file } => {
                quoted(file)
            }
            Command::Help { command } => command.clone().unwrap_or_default(),
            Command::Breaks
            | Command::Marks
            | Command::Notes
            | Command::Report
            | Command::Network
            | Command::Rolllog
            | Command::Enabled
            | Command::Problems
            | Command::Races
            | Command::Output
            | Command::Branches
            | Command::Restart
            | Command::Quit => String::new(),
        }
    }
}

fn joined(words: &[String]) -> String {
    let words = words.iter().map(String::as_str).filter(|w| !w.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// Held together where it has blanks.
fn quoted(text: &str) -> String {
    match text.contains(char::is_whitespace) {
        true => format!("\"{}\"", text.replace('"', "")),
        false => text.to_string(),
    }
}

fn unit_word(unit: Unit) -> &'static str {
    match unit {
        Unit::Step => "",
        Unit::Line => "line",
        Unit::Call => "call",
        Unit::Event => "event",
    }
}

fn setting_words(setting: &Setting) -> String {
    match setting {
        Setting::Schedule { name, seed } => format!("schedule {} {seed}", name.name()),
        Setting::Delivery(DeliveryMode::Instant) => "delivery instant".into(),
        Setting::Delivery(DeliveryMode::Manual) => "delivery manual".into(),
        Setting::Code(CodeScope::Own) => "code own".into(),
        Setting::Code(CodeScope::All) => "code all".into(),
    }
}

fn target_words(target: &TargetSpec, word: &dyn Fn(&ProcessRef) -> String) -> String {
    match target {
        TargetSpec::All => "all".into(),
        TargetSpec::Steps(n) => n.to_string(),
        TargetSpec::Send(m) => format!("send {m}"),
        TargetSpec::Deliver(m) => format!("deliver {m}"),
        TargetSpec::Receive(m) => format!("receive {m}"),
        TargetSpec::Spawn(p) => format!("spawn {}", word(p)),
        TargetSpec::Start(p) => format!("start {}", word(p)),
        TargetSpec::Exit(p) => format!("exit {}", word(p)),
        TargetSpec::Register(name) => format!("register {name}"),
        TargetSpec::Event(name) => format!("event {name}"),
        TargetSpec::Variable(name) => format!("variable {name}"),
        TargetSpec::Line(line) => format!("line {line}"),
        TargetSpec::StepsOf { process, count } => format!("{count} {}", word(process)),
        TargetSpec::Mark(name) => format!("to {name}"),
        TargetSpec::Several(targets) => {
            targets.iter().map(|t| target_words(t, word)).collect::<Vec<_>>().join(" ")
        }
    }
}
