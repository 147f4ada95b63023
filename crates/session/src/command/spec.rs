//! What commands are about, as data: processes, targets, breakpoints, what to try instead.

use crate::event::EventKind;
use crate::exceptions::ExceptionStop;
use crate::schedules::ScheduleName;
use crate::viewpoint::MomentSpec;
use crate::walk::CodeScope;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use ts_rs::TS;

/// A process as a command names it: by its number, or by what a person types (`<0.84.0>`, `84`, a
/// registered name, a spawn path `P.1`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum ProcessRef {
    Number(u32),
    Word(String),
}

/// What a step is a step of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A reduction of the source.
    #[default]
    Step,
    /// A line, also inside calls.
    Line,
    Call,
    Event,
}

/// `FILE:N` or `N`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LineSpec {
    #[serde(default)]
    #[ts(optional = nullable)]
    pub file: Option<String>,
    pub line: u32,
}

impl fmt::Display for LineSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}:{}", self.line),
            None => write!(f, "{}", self.line),
        }
    }
}

/// What undo and redo go to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum TargetSpec {
    All,
    /// Of the current process.
    Steps(u64),
    Send(String),
    Deliver(String),
    Receive(String),
    Spawn(ProcessRef),
    Start(ProcessRef),
    Exit(ProcessRef),
    Register(String),
    Event(String),
    Variable(String),
    Line(LineSpec),
    StepsOf {
        process: ProcessRef,
        count: u64,
    },
    /// A moment that has a name.
    Mark(String),
    /// All of them in one request.
    #[ts(type = "TargetSpec[]")]
    Several(Vec<TargetSpec>),
}

/// Which message is to arrive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum DeliverWhat {
    Message(String),
    Between { from: ProcessRef, to: ProcessRef },
}

/// Where a run stops.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum StopAt {
    Line(LineSpec),
    Function {
        #[serde(default)]
        #[ts(optional = nullable)]
        module: Option<String>,
        name: String,
        #[serde(default)]
        #[ts(optional = nullable)]
        arity: Option<u32>,
    },
    Event {
        kind: EventKind,
        #[serde(default)]
        #[ts(optional = nullable)]
        pattern: Option<String>,
    },
    Variable(String),
    /// An expression of a process has another value than before.
    Change(ChangeSpec),
    /// A process begins to wait for what will never come.
    Forever,
    /// A message is sent that nobody ever receives.
    Orphan,
    /// An exception is raised.
    Exception(ExceptionStop),
}

/// An expression of one process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChangeSpec {
    pub expression: String,
    /// As a command names it.
    pub process: String,
    /// The function whose variables are meant, as `module:name/arity`; else those of all.
    #[serde(default)]
    #[ts(optional = nullable)]
    pub function: Option<String>,
    /// It is about the state that a server keeps, which is called `State` in it.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub of_state: bool,
}

impl fmt::Display for StopAt {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            StopAt::Line(line) => write!(f, "{line}"),
            StopAt::Function { module, name, arity } => {
                module.iter().try_for_each(|m| write!(f, "{m}:"))?;
                write!(f, "{name}")?;
                arity.iter().try_for_each(|a| write!(f, "/{a}"))
            }
            StopAt::Event { kind, pattern: None } => write!(f, "{}", kind.name()),
            StopAt::Event { kind, pattern: Some(pattern) } => {
                let quote = if pattern.contains('\'') { '"' } else { '\'' };
                write!(f, "{} {quote}{pattern}{quote}", kind.name())
            }
            StopAt::Variable(name) => write!(f, "variable {name}"),
            StopAt::Forever => write!(f, "forever"),
            StopAt::Orphan => write!(f, "orphan"),
            StopAt::Exception(kind) => write!(f, "exception {}", kind.name()),
            StopAt::Change(ChangeSpec { expression, process, function, of_state }) => {
                let state = if *of_state { "state " } else { "" };
                write!(f, "watch {state}{expression} of {process}")?;
                function.iter().try_for_each(|function| write!(f, " in {function}"))
            }
        }
    }
}

/// An expression that is printed after the fact, each time a place was come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LogSpec {
    pub at: StopAt,
    pub expression: String,
}

/// A breakpoint that is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BreakSpec {
    pub at: StopAt,
    /// An Erlang expression that has to be true there.
    #[serde(default)]
    #[ts(optional = nullable)]
    pub condition: Option<String>,
    #[serde(default)]
    #[ts(optional, as = "Option<Lifetime>")]
    pub lifetime: Lifetime,
    /// Which of the times that a process comes there.
    #[serde(default)]
    #[ts(optional = nullable)]
    pub hits: Option<HitRule>,
}

/// Which of the times count that a breakpoint was come to, over the whole execution. Going back,
/// the same ones do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum HitRule {
    /// `3`: the third.
    Exactly(u64),
    /// `>= 3`: the third and all later ones.
    AtLeast(u64),
    /// `% 3`: each third.
    Every(u64),
}

impl HitRule {
    /// Whether a time counts.
    pub fn holds(self, number: u64) -> bool {
        match self {
            HitRule::Exactly(n) => number == n,
            HitRule::AtLeast(n) => number >= n,
            HitRule::Every(n) => number % n == 0,
        }
    }
}

impl fmt::Display for HitRule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            HitRule::Exactly(n) => write!(f, "{n}"),
            HitRule::AtLeast(n) => write!(f, ">= {n}"),
            HitRule::Every(n) => write!(f, "% {n}"),
        }
    }
}

impl FromStr for HitRule {
    type Err = String;

    fn from_str(text: &str) -> Result<HitRule, String> {
        let text = text.trim();
        let bad = || format!("'{text}' does not count hits: write 3, > 3, >= 3 or % 3");
        let number = |text: &str| match text.trim().parse::<u64>() {
            Ok(n) if n > 0 => Ok(n),
            _ => Err(bad()),
        };
        if let Some(rest) = text.strip_prefix(">=") {
            return number(rest).map(HitRule::AtLeast);
        }
        if let Some(rest) = text.strip_prefix('>') {
            return number(rest).map(|n| HitRule::AtLeast(n + 1));
        }
        if let Some(rest) = text.strip_prefix('%') {
            return number(rest).map(HitRule::Every);
        }
        number(text.trim_start_matches('=')).map(HitRule::Exactly)
    }
}

/// How long a breakpoint stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Lifetime {
    /// Until it is deleted.
    #[default]
    Stays,
    /// Until a run has stopped there.
    Once,
}

impl fmt::Display for BreakSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.at)?;
        self.condition.iter().try_for_each(|condition| write!(f, " if {condition}"))?;
        self.hits.iter().try_for_each(|hits| write!(f, " hit {hits}"))
    }
}

/// What is to happen instead of what did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Chosen {
    /// The receiver of this message takes it.
    Message(String),
    /// The receive that took this message times out, or that in which this process waits.
    TimeOut(String),
    /// A variable has another value.
    Value {
        name: String,
        /// What it is, as an expression of Erlang.
        expression: String,
        #[serde(default)]
        at: ProcessMoment,
    },
    /// Something happens to nodes or their connections.
    Nodes(NodeChange),
    /// A process ends.
    Kill {
        /// The reason of its exit, as an expression; `killed` unless given.
        #[serde(default)]
        #[ts(optional = nullable)]
        reason: Option<String>,
        #[serde(default)]
        at: ProcessMoment,
    },
}

/// What can happen to nodes, here. They are named with or without their host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum NodeChange {
    /// Nothing gets from some nodes to others any more.
    Split {
        these: Vec<String>,
        /// All others, if nobody is named.
        #[serde(default)]
        those: Vec<String>,
    },
    /// A connection is lost; the next message connects the nodes again.
    Lose { one: String, other: String },
    /// All that was split can be reached again.
    Heal,
    /// A node ends, with all that runs on it.
    Kill { node: String },
}

impl NodeChange {
    /// The command that does it.
    pub fn name(&self) -> &'static str {
        match self {
            NodeChange::Split { .. } => "split",
            NodeChange::Lose { .. } => "lose",
            NodeChange::Heal => "heal",
            NodeChange::Kill { .. } => "kill-node",
        }
    }

    /// The nodes, as they are typed after the name.
    pub fn nodes(&self) -> String {
        match self {
            NodeChange::Split { these, those } if those.is_empty() => these.join(" "),
            NodeChange::Split { these, those } => {
                format!("{} | {}", these.join(" "), those.join(" "))
            }
            NodeChange::Lose { one, other } => format!("{one} {other}"),
            NodeChange::Heal => String::new(),
            NodeChange::Kill { node } => node.clone(),
        }
    }
}

impl fmt::Display for NodeChange {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", format!("{} {}", self.name(), self.nodes()).trim_end())
    }
}

/// A process at a moment; what is not said is the current process, here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProcessMoment {
    #[serde(default)]
    #[ts(optional = nullable)]
    pub process: Option<ProcessRef>,
    #[serde(default)]
    #[ts(optional = nullable)]
    pub moment: Option<MomentSpec>,
}

/// How the session runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Setting {
    Schedule {
        name: ScheduleName,
        #[serde(default)]
        #[ts(optional, as = "Option<u64>")]
        seed: u64,
    },
    Delivery(DeliveryMode),
    /// In which code moves by lines and calls end.
    Code(CodeScope),
}

/// When a message arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryMode {
    Instant,
    /// When somebody lets it.
    Manual,
}
