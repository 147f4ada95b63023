//! Why something that was asked for cannot be had: closed types inside, sentences at the edge. Each
//! sentence says what would help.

use crate::ask::AskError;
use crate::eval::{NoValue, NotAPattern};
use crate::explore::SearchError;
use crate::position::NotAPlace;
use crate::session::Refused;
use crate::text;
use thiserror::Error;

/// A name that a person typed and that leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotFound {
    #[error("there is no process '{word}'; there are {}", known.join(", "))]
    Process { word: String, known: Vec<String> },
    #[error("'{word}' can mean {}: name it by its pid", meanings.join(" or "))]
    AmbiguousProcess { word: String, meanings: Vec<String> },
    #[error(
        "'{0}' is not a message; messages are named like #84.2 (see 'events send', 'mailbox', \
         'network')"
    )]
    NotAMessage(String),
    #[error("{sender} has sent {sent} signals, so there is no {word}")]
    Message { word: String, sender: String, sent: u32 },
    #[error("there is no event '{0}'")]
    Event(String),
    #[error("{0} has not happened in this execution")]
    NotHappened(Happening),
    #[error("no function has a variable {0}")]
    Variable(String),
    #[error("{name} is not bound {side} here")]
    NotBoundThere { name: String, side: &'static str },
    #[error("there is no mark '{0}'; 'marks' lists them")]
    Mark(String),
    #[error("'{name}' is on branch {branch}: 'goto {name}' goes there")]
    MarkElsewhere { name: String, branch: String },
    #[error(
        "there is no code for '{0}': name a line inside of a function, or a function, of a module that the program has called by now"
    )]
    Code(String),
    #[error("there is no code on line {0}")]
    CodeOnLine(String),
    #[error("the process is not on line {line} {side} here")]
    NotOnLine { line: String, side: &'static str },
}

/// What can be gone to by the name of something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    Delivery,
    Receive,
    Spawn,
    Exit,
    Registration,
}

impl std::fmt::Display for Happening {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            Happening::Delivery => "its delivery",
            Happening::Receive => "its receive",
            Happening::Spawn => "its spawn",
            Happening::Exit => "its exit",
            Happening::Registration => "its registration",
        })
    }
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum QueryError {
    #[error("stopped")]
    Stopped,
    #[error("there is no view '{0}'")]
    NoView(String),
    #[error("the question '{view}' cannot be read: {why}")]
    Unreadable { view: &'static str, why: String },
    #[error("there is no process number {0}")]
    NoProcessNumber(u32),
    #[error("there is no event '{0}'")]
    NoEvent(String),
    #[error("there is no other branch '{0}'; 'branches' lists them")]
    NoOtherBranch(String),
    #[error("this part is not there any more")]
    NoPart,
    #[error("it has no message")]
    NoMessage,
    #[error("{0} is not bound here; 'bindings' shows what is")]
    NotBound(String),
    #[error("{0} is not bound here any more")]
    NotBoundAnyMore(String),
    #[error("{}", no_source(.0))]
    NoSource(Option<String>),
    #[error("'{0}' is not a command that only looks")]
    NotALook(&'static str),
    #[error("{0} has had no value up to here")]
    NeverHadAValue(String),
    #[error("this process has no behaviour that keeps a state")]
    NoState,
    #[error(
        "'{0}' does not look at one moment: where, bindings, source, mailbox, print and why do"
    )]
    NotOfAMoment(&'static str),
    #[error("there is nothing to {0}: it is already so here")]
    AlreadySo(&'static str),
    #[error(transparent)]
    NotFound(#[from] NotFound),
    #[error(transparent)]
    NoValue(#[from] NoValue),
    #[error(transparent)]
    NotAPattern(#[from] NotAPattern),
    #[error(transparent)]
    BadCommand(#[from] BadCommand),
    #[error(transparent)]
    Ask(#[from] AskError),
}

fn no_source(file: &Option<String>) -> String {
    let of = file.as_ref().map_or("this code".into(), |file| format!("'{file}'"));
    format!("the source of {of} is not at hand (it was loaded from a .beam)")
}

/// A line that cannot be read as a command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadCommand {
    #[error("say what to note: note this reply came too late")]
    NothingToNote,
    #[error("say which two events: why-before 2a5 3a7, or why-before #84.1 #85.2")]
    NoTwoEvents,
    #[error("say what to print there: log {0} X")]
    NothingToLog(String),
    #[error(
        "info about what? links, monitors or dictionary of a process; names, tables, timers, \
         applications, supervisors or nodes"
    )]
    NoInfo,
    #[error("there is no command '{name}'{}; 'help' lists them all", did_you_mean(near))]
    Unknown { name: String, near: Vec<&'static str> },
    #[error("this is not a command in JSON: {0}")]
    NotJson(String),
    #[error("'{0}' is not a number of executions")]
    NotACount(String),
    #[error("'{0}' is not a step")]
    NotAStep(String),
    #[error("'{0}' is not an arity")]
    NotAnArity(String),
    #[error("'{0}' is not a line; write N or FILE:N")]
    NotALine(String),
    #[error("'{0}' is not a target; 'help undo' lists them")]
    NotATarget(String),
    #[error("'{0}' is not a place to stop at; 'help break' shows how")]
    NotAStop(String),
    #[error(
        "there is no schedule '{0}'; choose round-robin, random, random-delivery, \
         processes-first or deliveries-first"
    )]
    NoSchedule(String),
    #[error("say at most how many executions: explore 500")]
    TooManyCounts,
    #[error("write PID@STEP, like <0.84.0>@17, or the name of a mark")]
    NoStep,
    #[error(
        "say which message is taken, or which receive times out: take #84.2, take timeout #84.2"
    )]
    NoAlternative,
    #[error("say which nodes: split a b | c, lose a b, kill-node b; 'info nodes' lists them")]
    NoNodes,
    #[error("say which message: why-not #84.2")]
    NoMessage,
    #[error("say with which branch: compare main; 'branches' lists them")]
    NoBranch,
    #[error("say of which variable: why X")]
    NoVariable,
    #[error("say at which event and what: at 2a5 where")]
    NoMoment,
    #[error(
        "say what: a number of steps, send #M, deliver #M, receive #M, spawn PID, start PID, \
         exit PID, variable X, line N, register NAME, event E, to MARK or all; or several of them"
    )]
    NoTarget,
    #[error("say how it is called: mark before_crash")]
    NoName,
    #[error("say which expression: {{Stock, length(Queue)}}")]
    NoExpression,
    #[error("say which breakpoint, and how often it is passed: ignore 1 10")]
    NoIgnore,
    #[error("say of which breakpoint, and what: commands 1 print Stock; continue")]
    NoCommands,
    #[error("'{0}' does not move: say which move, like alone reverse-next")]
    NotAMove(&'static str),
    #[error("'{0}' goes on, so nothing can come after it: put it last")]
    MovesBefore(&'static str),
    #[error("say where: a line, a function, an event or a variable; 'help break' shows how")]
    NoStop,
    #[error("set schedule NAME [SEED], or set delivery instant|manual")]
    NoSetting,
    #[error("say where: save FILE.reverl")]
    NoFileToSave,
    #[error("say which: adopt FILE.reverl")]
    NoFileToAdopt,
    #[error("say which: load FILE.reverl")]
    NoFileToLoad,
}

fn did_you_mean(near: &[&str]) -> String {
    match near {
        [] => String::new(),
        many => format!(" (did you mean {}?)", many.join(" or ")),
    }
}

/// Why a command was not carried out. The session is as it was.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CommandError {
    #[error(transparent)]
    Bad(#[from] BadCommand),
    #[error(transparent)]
    NotFound(#[from] NotFound),
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error(transparent)]
    Host(#[from] HostError),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error(transparent)]
    Place(#[from] NotAPlace),
    #[error(transparent)]
    NotAPattern(#[from] NotAPattern),
    /// The process, as people call it, and why.
    #[error("{}", refused(.who, .why))]
    Refused { who: String, why: Refused },
    #[error("'{0}' is an execution of another program: 'load' opens it instead of this one")]
    OtherProgram(String),
    #[error("not alone: {0} stands in the way")]
    InTheWay(String),
    #[error("nothing has happened yet: there is nothing to undo")]
    NothingToUndo,
    #[error("this process was on no other line before")]
    NoLineBefore,
    #[error("the call of this function is not there")]
    NoCallBefore,
    #[error("this process has done nothing yet")]
    NothingDone,
    #[error("this process does nothing more in this execution; 'step' lets it run on")]
    NothingMore,
    #[error("nothing is on its way ('set delivery manual' keeps messages on their way)")]
    NothingOnItsWay,
    #[error("nothing is on its way between these two")]
    NothingBetween,
    #[error("it was sent to nobody: it can never arrive")]
    NeverArrives,
    #[error("its timer has not fired here: 'undo send' goes to before its start")]
    TimerNotFired,
    #[error("it was not sent on this branch; 'branches' lists the others")]
    NotSentHere,
    #[error("it was sent to nobody: nobody can receive it")]
    SentToNobody,
    #[error(
        "{0} raced with nothing: no receive could have taken it instead (messages of one sender keep their order)"
    )]
    NoRace(String),
    #[error("{0} was not received here: no receive can time out instead of taking it")]
    NotReceived(String),
    #[error("this receive has no 'after', or one of infinity: it cannot time out")]
    NoTimeout,
    #[error("{0} does not wait in a receive here")]
    DoesNotWait(String),
    #[error("{0} is not a variable of the call in progress; 'bindings' shows what is")]
    NotAVariable(String),
    #[error("{0} has come to its end, or waits for an answer; 'back' goes to before that")]
    NotByHand(String),
    #[error("there is no node '{0}' here; there are: {1}")]
    NoNode(String, String),
    #[error(
        "'{0}' cannot happen here: nodes are not connected so, or have not begun; \
         'info nodes' lists them, 'run' goes on"
    )]
    NodeNotReady(String),
    #[error("the program's main process runs on '{0}': it does not end alone, other nodes do")]
    FirstNode(String),
    #[error("this value cannot be given: {0}")]
    NotAValue(NoValue),
    #[error("it cannot time out there: a message that it received before came only after {0}")]
    CameAfter(String),
    #[error("this is the first call of the process")]
    OutermostCall,
    #[error("this is the innermost call")]
    InnermostCall,
    #[error("there is no call {level}; 'where' lists them, from 0 to {last}")]
    NoSuchCall { level: usize, last: usize },
    #[error("there is no mark '{0}'; 'marks' lists them")]
    NoMark(String),
    #[error("there is no failure {0} that has a place; 'failure' tells what went wrong")]
    NoFailure(usize),
    #[error("there is no note {0}; 'notes' lists them")]
    NoNote(usize),
    #[error("nothing of that number is displayed; 'display' lists what is")]
    NoDisplay,
    #[error("there is no such breakpoint; 'breaks' lists them")]
    NoBreakpoint,
    #[error("'{condition}' cannot be a condition here: {why}")]
    BadCondition { condition: String, why: String },
    #[error("what happened up to here cannot be replayed freely: it needs what was recorded")]
    OnlyRecorded,
}

fn refused(who: &str, why: &Refused) -> String {
    match why {
        Refused::NotSpawned => {
            format!("{who} is not spawned here; 'redo spawn {who}' goes to where it is")
        }
        Refused::HasExited => format!("{who} has exited; 'undo exit {who}' goes back before that"),
        Refused::Blocked => format!(
            "{who} waits in a receive and nothing that it wants has arrived; \
             'run' lets the others go on, 'mailbox' and 'network' show what there is"
        ),
        Refused::AtStart => format!("{who} is at its very beginning"),
        Refused::NoSuchBranch => "there is no such branch; 'branches' lists them".into(),
        Refused::Stopped => "stopped; everything is as it was".into(),
        Refused::InTheWay(_) => "another event stands in the way".into(),
        Refused::NotKnown(end) => text::known_end(*end).into(),
    }
}

/// What the face that owns files could not do, in its words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HostError {
    #[error("{0}")]
    CannotBegin(String),
    #[error("{0}")]
    CannotSave(String),
    #[error("{0}")]
    CannotOpen(String),
}
