//! The commands of the debugger as data, and what kind of thing each does.

use super::spec::*;
use crate::query::info::InfoAbout;
use crate::query::search::SearchBy;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

fn once() -> u64 {
    1
}

/// A command. The table in `table.rs` has the words in which each is typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(optional_fields = nullable)]
pub enum Command {
    Step {
        #[serde(default = "once")]
        #[ts(as = "Option<u64>")]
        count: u64,
        #[serde(default)]
        #[ts(as = "Option<Unit>")]
        unit: Unit,
        #[serde(default)]
        process: Option<ProcessRef>,
    },
    Next {
        #[serde(default = "once")]
        #[ts(as = "Option<u64>")]
        count: u64,
        #[serde(default)]
        process: Option<ProcessRef>,
    },
    Finish {
        #[serde(default)]
        process: Option<ProcessRef>,
    },
    Continue {
        #[serde(default)]
        process: Option<ProcessRef>,
    },
    ReverseStep {
        #[serde(default = "once")]
        #[ts(as = "Option<u64>")]
        count: u64,
        #[serde(default)]
        #[ts(as = "Option<Unit>")]
        unit: Unit,
        #[serde(default)]
        process: Option<ProcessRef>,
    },
    ReverseNext {
        #[serde(default = "once")]
        #[ts(as = "Option<u64>")]
        count: u64,
        #[serde(default)]
        process: Option<ProcessRef>,
    },
    ReverseFinish {
        /// Calls further out.
        #[serde(default = "once")]
        #[ts(as = "Option<u64>")]
        count: u64,
        #[serde(default)]
        process: Option<ProcessRef>,
    },
    ReverseContinue {
        #[serde(default)]
        #[ts(as = "Option<bool>")]
        all: bool,
        #[serde(default)]
        process: Option<ProcessRef>,
    },
    Run {
        /// None: to the end, or to a breakpoint.
        #[serde(default)]
        choices: Option<u64>,
    },
    Back {
        #[serde(default = "once")]
        #[ts(as = "Option<u64>")]
        count: u64,
    },
    Deliver {
        #[serde(default)]
        what: Option<DeliverWhat>,
    },
    Choose(Chosen),
    /// As `choose`, and then on to the end.
    Take(Chosen),
    /// Another recorded execution of the program becomes a branch.
    Adopt {
        file: String,
    },
    /// This branch beside another.
    Compare {
        name: String,
    },
    /// What changed the state of a server.
    Changes {
        #[serde(default)]
        process: Option<ProcessRef>,
    },
    /// What there is beside variables and messages.
    Info {
        about: InfoAbout,
        #[serde(default)]
        process: Option<ProcessRef>,
    },
    /// What an expression was each time a place was come to.
    Logged(LogSpec),
    /// Why one event comes before another.
    WhyBefore {
        first: String,
        second: String,
    },
    /// Logs and traces in the papers' notation.
    Notation {
        #[serde(default)]
        process: Option<ProcessRef>,
    },
    /// Why a message is not received.
    WhyNot {
        message: String,
    },
    Explore {
        #[serde(default)]
        most: Option<u64>,
    },
    Undo {
        target: TargetSpec,
        #[serde(default)]
        #[ts(as = "Option<bool>")]
        dry_run: bool,
    },
    Redo {
        target: TargetSpec,
        #[serde(default)]
        #[ts(as = "Option<bool>")]
        dry_run: bool,
    },
    /// A move, if no other process has to move with it.
    Alone {
        #[ts(type = "Command")]
        command: Box<Command>,
    },
    UndoOne {
        #[serde(default)]
        process: Option<ProcessRef>,
    },
    RedoOne {
        #[serde(default)]
        process: Option<ProcessRef>,
    },
    Goto {
        process: ProcessRef,
        step: u64,
    },
    GotoMark {
        name: String,
    },
    /// To where something went wrong, the worst first.
    GotoFailure {
        #[serde(default)]
        which: Option<usize>,
    },
    /// To where a value was made.
    GotoOrigin {
        expression: String,
    },
    /// Something about an event, or about the last thing that the current process did.
    Note {
        #[serde(default)]
        #[ts(optional = nullable)]
        event: Option<String>,
        text: String,
    },
    Notes,
    Unnote {
        number: usize,
    },
    /// What went wrong and what was noted, to be sent to somebody.
    Report,
    Mark {
        name: String,
    },
    Unmark {
        name: String,
    },
    Marks,
    /// All values that an expression has had.
    Values {
        expression: String,
    },
    /// When an expression became what it is.
    Last {
        expression: String,
    },
    /// Where a value occurs.
    Find {
        value: String,
    },
    Break(BreakSpec),
    Breaks,
    /// Stop where an expression has another value than before.
    Watch {
        expression: String,
    },
    /// A breakpoint lets so many stops pass.
    Ignore {
        id: usize,
        count: u64,
    },
    /// What is done each time a run stops at a breakpoint.
    Commands {
        id: usize,
        #[ts(type = "Command[]")]
        commands: Vec<Command>,
    },
    /// Print an expression after each move; none: print all that are.
    Display {
        #[serde(default)]
        expression: Option<String>,
    },
    Undisplay {
        #[serde(default)]
        id: Option<usize>,
    },
    /// Go forward to a place in this process; none: to a later line of this call, or out of it.
    Until {
        #[serde(default)]
        place: Option<StopAt>,
    },
    Delete {
        #[serde(default)]
        id: Option<usize>,
    },
    Ps {
        /// All of them, one on each line.
        #[serde(default)]
        #[ts(as = "Option<bool>")]
        all: bool,
    },
    Process {
        process: ProcessRef,
    },
    Bindings {
        #[serde(default)]
        #[ts(as = "Option<bool>")]
        all: bool,
        /// Only those that what is left of the function needs.
        #[serde(default)]
        #[ts(as = "Option<bool>")]
        needed: bool,
        #[serde(default)]
        process: Option<ProcessRef>,
    },
    Where {
        #[serde(default)]
        process: Option<ProcessRef>,
    },
    /// To a call further out.
    Up {
        #[serde(default = "once")]
        #[ts(as = "Option<u64>")]
        count: u64,
    },
    /// To a call further in.
    Down {
        #[serde(default = "once")]
        #[ts(as = "Option<u64>")]
        count: u64,
    },
    /// To the call of a number, or what the current one is.
    Frame {
        #[serde(default)]
        level: Option<usize>,
    },
    Source {
        #[serde(default)]
        process: Option<ProcessRef>,
    },
    Mailbox {
        #[serde(default)]
        process: Option<ProcessRef>,
    },
    Network,
    History {
        #[serde(default)]
        process: Option<ProcessRef>,
        /// The last of them.
        #[serde(default)]
        most: Option<usize>,
    },
    /// The full history: every reduction of a process.
    Steps {
        #[serde(default)]
        process: Option<ProcessRef>,
        /// The last of them.
        #[serde(default)]
        most: Option<usize>,
    },
    Log {
        #[serde(default)]
        process: Option<ProcessRef>,
    },
    Trace {
        #[serde(default)]
        most: Option<usize>,
    },
    Events {
        #[serde(default)]
        #[ts(as = "Option<SearchBy>")]
        by: SearchBy,
        #[serde(default)]
        #[ts(as = "Option<String>")]
        text: String,
        #[serde(default)]
        most: Option<usize>,
    },
    Rolllog,
    Enabled,
    Problems,
    /// What went wrong; one of several in full, the first unless given.
    Failure {
        #[serde(default)]
        which: Option<usize>,
    },
    /// A command that looks, as of the moment right before an event.
    At {
        event: String,
        #[ts(type = "Command")]
        look: Box<Command>,
    },
    Races,
    /// The same, by who sent the other message.
    RaceSenders,
    Output,
    Print {
        expression: String,
    },
    Why {
        variable: String,
    },
    Branches,
    Branch {
        name: String,
    },
    Set(Setting),
    Save {
        file: String,
    },
    Load {
        file: String,
    },
    Restart,
    Help {
        #[serde(default)]
        command: Option<String>,
    },
    Quit,
}

/// What a command does to the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum CommandKind {
    /// Nothing.
    Looks,
    /// It changes where the session is, or adds to what is known.
    Moves,
    /// It moves, and goes on where it stopped when it is given again.
    RunsOn,
    /// It changes how the session runs, not where it is.
    Sets,
    /// Another execution takes the place of this one.
    Replaces,
    /// It ends the session.
    Leaves,
}

impl Command {
    /// Undo this with its consequences.
    pub fn undo(target: TargetSpec) -> Command {
        Command::Undo { target, dry_run: false }
    }

    /// Redo this with its causes.
    pub fn redo(target: TargetSpec) -> Command {
        Command::Redo { target, dry_run: false }
    }

    /// Whether it looks at how a process is at one moment.
    pub fn is_of_a_moment(&self) -> bool {
        matches!(
            self,
            Command::Bindings { .. }
                | Command::Where { .. }
                | Command::Source { .. }
                | Command::Mailbox { .. }
                | Command::Print { .. }
                | Command::Why { .. }
                | Command::WhyNot { .. }
                | Command::Changes { .. }
                | Command::Info { .. }
        )
    }

    /// Whether the command looks, moves, runs on or replaces the execution.
    pub fn kind(&self) -> CommandKind {
        match self {
            Command::Breaks
            | Command::Marks
            | Command::Notes
            | Command::Report
            | Command::Values { .. }
            | Command::Last { .. }
            | Command::Find { .. }
            | Command::Display { expression: None }
            | Command::Ps { .. }
            | Command::Compare { .. }
            | Command::Changes { .. }
            | Command::Logged(_)
            | Command::Info { .. }
            | Command::WhyNot { .. }
            | Command::Bindings { .. }
            | Command::Where { .. }
            | Command::Source { .. }
            | Command::Mailbox { .. }
            | Command::Network
            | Command::History { .. }
            | Command::Steps { .. }
            | Command::Log { .. }
            | Command::Trace { .. }
            | Command::Events { .. }
            | Command::Rolllog
            | Command::Enabled
            | Command::Problems
            | Command::Failure { .. }
            | Command::At { .. }
            | Command::Races
            | Command::RaceSenders
            | Command::WhyBefore { .. }
            | Command::Notation { .. }
            | Command::Output
            | Command::Print { .. }
            | Command::Why { .. }
            | Command::Branches
            | Command::Help { .. }
            | Command::Undo { dry_run: true, .. }
            | Command::Redo { dry_run: true, .. } => CommandKind::Looks,
            Command::Continue { .. } | Command::Run { choices: None } => CommandKind::RunsOn,
            Command::Step { .. }
            | Command::Next { .. }
            | Command::Finish { .. }
            | Command::Until { .. }
            | Command::ReverseStep { .. }
            | Command::ReverseNext { .. }
            | Command::ReverseFinish { .. }
            | Command::ReverseContinue { .. }
            | Command::Run { .. }
            | Command::Back { .. }
            | Command::Deliver { .. }
            | Command::Choose(_)
            | Command::Take(_)
            | Command::Explore { .. }
            | Command::Adopt { .. }
            | Command::Undo { .. }
            | Command::Redo { .. }
            | Command::Alone { .. }
            | Command::UndoOne { .. }
            | Command::RedoOne { .. }
            | Command::Goto { .. }
            | Command::GotoMark { .. }
            | Command::GotoFailure { .. }
            | Command::GotoOrigin { .. }
            | Command::Process { .. }
            | Command::Branch { .. } => CommandKind::Moves,
            Command::Break(_)
            | Command::Mark { .. }
            | Command::Unmark { .. }
            | Command::Note { .. }
            | Command::Unnote { .. }
            | Command::Watch { .. }
            | Command::Ignore { .. }
            | Command::Commands { .. }
            | Command::Display { .. }
            | Command::Undisplay { .. }
            | Command::Delete { .. }
            | Command::Set(_)
            | Command::Save { .. }
            | Command::Up { .. }
            | Command::Down { .. }
            | Command::Frame { .. } => CommandKind::Sets,
            Command::Load { .. } | Command::Restart => CommandKind::Replaces,
            Command::Quit => CommandKind::Leaves,
        }
    }
}
