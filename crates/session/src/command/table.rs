//! The words of the debugger: one row per command, so that help, completion and reading a typed
//! line cannot disagree.

use super::line::Line;
use super::parse;
use super::spec::Command;
use crate::error::BadCommand;

/// One command: its names, what it takes, what it does, and how its words are read.
pub struct CommandRow {
    pub name: &'static str,
    pub short: &'static [&'static str],
    pub usage: &'static str,
    pub help: &'static str,
    pub(super) parse: fn(&Line) -> Result<Command, BadCommand>,
}

const fn row(
    name: &'static str,
    short: &'static [&'static str],
    usage: &'static str,
    help: &'static str,
    parse: fn(&Line) -> Result<Command, BadCommand>,
) -> CommandRow {
    CommandRow { name, short, usage, help, parse }
}

/// All commands, in the order in which help lists them.
pub const COMMANDS: &[CommandRow] = &[
    row(
        "step",
        &["s"],
        "[N] [line|call|event] [PID]",
        "go forward: N steps of the source, or lines (into calls), calls or events; with all causes",
        parse::step,
    ),
    row("next", &["n"], "[N] [PID]", "go forward N lines, over calls", parse::next),
    row(
        "finish",
        &["fin", "f"],
        "[PID]",
        "go forward until the current function returns",
        parse::finish,
    ),
    row(
        "continue",
        &["c"],
        "[PID]",
        "go on until a breakpoint, or until nothing can happen",
        parse::continue_,
    ),
    row(
        "reverse-step",
        &["rs", "step-back"],
        "[N] [line|call|event] [PID]",
        "go back: N steps, lines, calls or events; with all consequences",
        parse::reverse_step,
    ),
    row(
        "reverse-next",
        &["rn", "next-back"],
        "[N] [PID]",
        "go back N lines, over calls",
        parse::reverse_next,
    ),
    row(
        "reverse-finish",
        &["rf", "finish-back"],
        "[PID]",
        "go back to the call of the current function",
        parse::reverse_finish,
    ),
    row(
        "reverse-continue",
        &["rc", "continue-back"],
        "[PID|all]",
        "go back to the last breakpoint of the process (or of any)",
        parse::reverse_continue,
    ),
    row(
        "run",
        &["r"],
        "[N]",
        "automatic mode: let the schedule choose, N times or to the end",
        parse::run,
    ),
    row("back", &["b"], "[N]", "undo the last N events of the whole system", parse::back),
    row(
        "deliver",
        &["d"],
        "[#MESSAGE | FROM TO]",
        "let a message that is on its way arrive",
        parse::deliver,
    ),
    row(
        "choose",
        &[],
        "#MESSAGE | timeout #MESSAGE|PID | X = EXPR | kill PID [REASON]",
        "what if: the other message, a time-out, another value, an end; opens a branch",
        parse::choose,
    ),
    row(
        "take",
        &[],
        "#MESSAGE | timeout #MESSAGE|PID | X = EXPR | kill PID [REASON]",
        "as choose, then run to the end and say what became different",
        parse::take,
    ),
    row(
        "explore",
        &[],
        "[N]",
        "visit every execution that can follow from here (at most N); failing ones become branches",
        parse::explore,
    ),
    row(
        "undo",
        &["u"],
        "TARGET [--dry-run]",
        "undo a target with exactly its consequences; TARGET: N | send #M | deliver #M | receive #M | spawn PID | start PID | exit PID | variable X | line [FILE:]N | register NAME | event E | all",
        parse::undo,
    ),
    row(
        "redo",
        &["replay"],
        "TARGET [--dry-run]",
        "redo a target with exactly its causes; targets as for undo",
        parse::redo,
    ),
    row(
        "undo-one",
        &[],
        "[PID]",
        "manual mode: undo the last event of a process alone, or say what stands in the way",
        parse::undo_one,
    ),
    row(
        "redo-one",
        &[],
        "[PID]",
        "manual mode: redo the next event of a process alone, or say what stands in the way",
        parse::redo_one,
    ),
    row(
        "goto",
        &["g"],
        "PID@STEP",
        "bring a process to a step, in whichever direction",
        parse::goto,
    ),
    row(
        "break",
        &[],
        "[FILE:]LINE | [M:]F[/A] | send|receive|deliver|spawn|exit ['PATTERN'] | variable X  [if EXPR]",
        "stop where a line begins (the next of its clause that has code), a function is entered, something happens or a variable is bound, in both directions; a condition is Erlang",
        parse::break_,
    ),
    row("breaks", &[], "", "list the breakpoints", |_| Ok(Command::Breaks)),
    row("delete", &[], "[N]", "delete a breakpoint, or all", parse::delete),
    row(
        "ps",
        &[],
        "[all]",
        "the processes as they belong to each other, alike ones together; all: one on each line, with path, function, line, mailbox",
        parse::ps,
    ),
    row(
        "process",
        &["p", "select"],
        "PID",
        "choose the process that commands are about",
        parse::select,
    ),
    row(
        "bindings",
        &["vars"],
        "[all] [PID]",
        "variables of the current call, or of all calls",
        parse::bindings,
    ),
    row("where", &["bt"], "[PID]", "the calls in progress, with their variables", parse::where_),
    row("source", &["l", "list"], "[PID]", "the source around the current line", parse::source),
    row("mailbox", &["m"], "[PID]", "messages that have arrived and wait", parse::mailbox),
    row("network", &["net"], "", "signals that are on their way", |_| Ok(Command::Network)),
    row("history", &["h"], "[PID]", "what the process has done up to here", parse::history),
    row(
        "info",
        &["i"],
        "links|monitors|dictionary [PID] | names | tables",
        "what there is here beside variables and messages",
        parse::info,
    ),
    row(
        "log",
        &[],
        "[PID] | [FILE:]LINE EXPR | [M:]F[/A] EXPR",
        "what the process is going to do, as far as it is known; with a place: what the expression \
         was each time any process came there, over the whole execution",
        parse::log,
    ),
    row(
        "trace",
        &["t"],
        "[N]",
        "the last N events of all processes up to here, in one order",
        parse::trace,
    ),
    row(
        "events",
        &["e"],
        "[KIND|PID|'TEXT'] [N]",
        "search all events of the execution",
        parse::events,
    ),
    row("rolllog", &["rl"], "", "what the last undo undid, in the order of undoing", |_| {
        Ok(Command::Rolllog)
    }),
    row("enabled", &[], "", "everything that can happen now", |_| Ok(Command::Enabled)),
    row("problems", &[], "", "blocked and crashed processes, lost and orphan messages", |_| {
        Ok(Command::Problems)
    }),
    row(
        "failure",
        &[],
        "[N]",
        "what went wrong, the worst first: the Nth with its line, variables and what led there",
        parse::failure,
    ),
    row(
        "at",
        &[],
        "EVENT COMMAND",
        "a command that looks (where, bindings, source, mailbox, print, why), as it was right before an event",
        parse::at,
    ),
    row(
        "races",
        &[],
        "",
        "messages that could have been received instead, and other races",
        |_| Ok(Command::Races),
    ),
    row("output", &["o"], "", "what the program has printed; undone output is marked", |_| {
        Ok(Command::Output)
    }),
    row(
        "print",
        &["eval"],
        "EXPR",
        "the value of an Erlang expression in the current scope",
        parse::print,
    ),
    row(
        "why",
        &["w"],
        "VARIABLE|EXPRESSION|#MESSAGE|exit",
        "where a value came from: each binding, call, message and spawn back to where it was made",
        parse::why,
    ),
    row(
        "why-not",
        &[],
        "#MESSAGE",
        "why a message is not received: what each clause of the receive says to it",
        parse::why_not,
    ),
    row(
        "changes",
        &[],
        "[PID]",
        "what changed the state of a server: each message, before and after",
        parse::changes,
    ),
    row("compare", &[], "BRANCH", "this branch beside another: where they differ", parse::compare),
    row("branches", &[], "", "all branches of this session", |_| Ok(Command::Branches)),
    row("branch", &[], "NAME", "go to another branch", parse::branch),
    row(
        "set",
        &[],
        "schedule NAME [SEED] | delivery instant|manual",
        "change how the session runs",
        parse::set,
    ),
    row("save", &[], "FILE", "write the session with its branches to a recording", parse::save),
    row("load", &[], "FILE", "go on with a recording", parse::load),
    row("restart", &[], "", "begin again with a fresh execution", |_| Ok(Command::Restart)),
    row("help", &["?"], "[COMMAND]", "what there is, or one command", parse::help),
    row("quit", &["q", "exit"], "", "leave", |_| Ok(Command::Quit)),
];

/// The row of a command by any of its names.
pub fn find(name: &str) -> Option<&'static CommandRow> {
    let exact = COMMANDS.iter().find(|c| c.name == name || c.short.contains(&name));
    exact.or_else(|| {
        let mut starting = COMMANDS.iter().filter(|c| c.name.starts_with(name));
        let first = starting.next();
        first.filter(|_| starting.next().is_none())
    })
}
