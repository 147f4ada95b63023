//! The debugger's language: one row per command, so that help, completion and the commands
//! themselves cannot disagree. Every face that takes typed commands sits on `Debugger::command`.

mod breaks;
mod explore;
mod line;
mod moves;
pub(crate) mod places;
mod race;
mod targets;
mod views;

use crate::describe;
use crate::dialogue::Dialogue;
use crate::session::{Moved, Refused, Session};
use line::Line;
use reverl_causal::{Plan, ProcId};
use serde_json::{Value, json};

pub use breaks::Breakpoint;

pub struct Debugger {
    pub session: Session,
    breakpoints: Vec<Breakpoint>,
    breakpoints_made: usize,
    host: Box<dyn Host>,
    /// Messages are delivered by hand, also after a restart.
    manual_delivery: bool,
    /// How many of the events' outputs were already shown.
    shown_events: usize,
    pub finished: bool,
    /// The questions that are being answered.
    pub dialogue: Option<Dialogue>,
}

/// What the face knows and the debugger does not: how the program was given, and files.
pub trait Host {
    /// The same program again, from its beginning.
    fn fresh(&self) -> Result<Session, String>;
    fn save(&self, session: &Session, path: &str) -> Result<(), String>;
    fn open(&self, path: &str) -> Result<Session, String>;
}

/// The answer to a command, for people and for programs.
pub struct Reply {
    pub text: String,
    pub data: Value,
}

impl Reply {
    pub fn new(text: impl Into<String>, data: Value) -> Reply {
        Reply { text: text.into(), data }
    }
}

type Run = fn(&mut Debugger, &Line) -> Result<Reply, String>;

pub struct Command {
    pub name: &'static str,
    pub short: &'static [&'static str],
    pub usage: &'static str,
    pub help: &'static str,
    run: Run,
}

const fn row(
    name: &'static str,
    short: &'static [&'static str],
    usage: &'static str,
    help: &'static str,
    run: Run,
) -> Command {
    Command { name, short, usage, help, run }
}

/// All commands, in the order in which help lists them.
pub const COMMANDS: &[Command] = &[
    row(
        "step",
        &["s"],
        "[N] [line|call|event] [PID]",
        "go forward: N steps of the source, or lines (into calls), calls or events; with all causes",
        moves::step,
    ),
    row("next", &["n"], "[N] [PID]", "go forward N lines, over calls", moves::next),
    row(
        "finish",
        &["fin"],
        "[PID]",
        "go forward until the current function returns",
        moves::finish,
    ),
    row(
        "continue",
        &["c"],
        "[PID]",
        "go on until a breakpoint, or until nothing can happen",
        moves::continue_,
    ),
    row(
        "reverse-step",
        &["rs", "step-back"],
        "[N] [line|call|event] [PID]",
        "go back: N steps, lines, calls or events; with all consequences",
        moves::reverse_step,
    ),
    row(
        "reverse-next",
        &["rn", "next-back"],
        "[N] [PID]",
        "go back N lines, over calls",
        moves::reverse_next,
    ),
    row(
        "reverse-finish",
        &["rf", "finish-back"],
        "[PID]",
        "go back to the call of the current function",
        moves::reverse_finish,
    ),
    row(
        "reverse-continue",
        &["rc", "continue-back"],
        "[PID|all]",
        "go back to the last breakpoint of the process (or of any)",
        moves::reverse_continue,
    ),
    row(
        "run",
        &["r"],
        "[N]",
        "automatic mode: let the schedule choose, N times or to the end",
        moves::run,
    ),
    row("back", &["b"], "[N]", "undo the last N events of the whole system", moves::back),
    row(
        "deliver",
        &["d"],
        "[#MESSAGE | FROM TO]",
        "let a message that is on its way arrive",
        moves::deliver,
    ),
    row(
        "choose",
        &[],
        "#MESSAGE",
        "let its receiver take this message instead: opens a branch",
        race::choose,
    ),
    row(
        "explore",
        &[],
        "[N]",
        "visit every execution that can follow from here (at most N); failing ones become branches",
        explore::explore,
    ),
    row(
        "undo",
        &["u"],
        "TARGET [--dry-run]",
        "undo a target with exactly its consequences; TARGET: N | send #M | deliver #M | receive #M | spawn PID | start PID | exit PID | variable X | line [FILE:]N | register NAME | event E | all",
        targets::undo,
    ),
    row(
        "redo",
        &["replay"],
        "TARGET [--dry-run]",
        "redo a target with exactly its causes; targets as for undo",
        targets::redo,
    ),
    row(
        "undo-one",
        &[],
        "[PID]",
        "manual mode: undo the last event of a process alone, or say what stands in the way",
        targets::undo_one,
    ),
    row(
        "redo-one",
        &[],
        "[PID]",
        "manual mode: redo the next event of a process alone, or say what stands in the way",
        targets::redo_one,
    ),
    row(
        "goto",
        &["g"],
        "PID@STEP",
        "bring a process to a step, in whichever direction",
        targets::goto,
    ),
    row(
        "break",
        &[],
        "[FILE:]LINE | [M:]F[/A] | send|receive|deliver|spawn|exit ['PATTERN'] | variable X  [if EXPR]",
        "stop there, in both directions",
        breaks::add,
    ),
    row("breaks", &[], "", "list the breakpoints", breaks::list),
    row("delete", &[], "[N]", "delete a breakpoint, or all", breaks::delete),
    row("ps", &[], "", "all processes: pid, path, name, function, line, state, mailbox", views::ps),
    row(
        "process",
        &["p", "select"],
        "PID",
        "choose the process that commands are about",
        views::select,
    ),
    row(
        "bindings",
        &["vars"],
        "[all] [PID]",
        "variables of the current call, or of all calls",
        views::bindings,
    ),
    row("where", &["bt"], "[PID]", "the calls in progress, with their variables", views::where_),
    row("source", &["l", "list"], "[PID]", "the source around the current line", views::source),
    row("mailbox", &["m"], "[PID]", "messages that have arrived and wait", views::mailbox),
    row("network", &["net"], "", "signals that are on their way", views::network),
    row("history", &["h"], "[PID]", "what the process has done up to here", views::history),
    row("log", &[], "[PID]", "what the process is going to do, as far as it is known", views::log),
    row(
        "trace",
        &["t"],
        "[N]",
        "the last N events of all processes up to here, in one order",
        views::trace,
    ),
    row(
        "events",
        &["e"],
        "[KIND|PID|'TEXT'] [N]",
        "search all events of the execution",
        views::events,
    ),
    row(
        "rolllog",
        &["rl"],
        "",
        "what the last undo undid, in the order of undoing",
        views::roll_log,
    ),
    row("enabled", &[], "", "everything that can happen now", views::enabled),
    row(
        "problems",
        &[],
        "",
        "blocked and crashed processes, lost and orphan messages",
        views::problems,
    ),
    row(
        "output",
        &["o"],
        "",
        "what the program has printed; undone output is marked",
        views::output,
    ),
    row(
        "print",
        &["eval"],
        "EXPR",
        "the value of an Erlang expression in the current scope",
        views::print,
    ),
    row(
        "why",
        &["w"],
        "VARIABLE",
        "where a value came from: its binding, and the message if it came with one",
        views::why,
    ),
    row("branches", &[], "", "all branches of this session", views::branches),
    row("branch", &[], "NAME", "go to another branch", views::switch),
    row(
        "set",
        &[],
        "schedule NAME [SEED] | delivery instant|manual",
        "change how the session runs",
        views::set,
    ),
    row("save", &[], "FILE", "write the session with its branches to a recording", views::save),
    row("load", &[], "FILE", "go on with a recording", views::load),
    row("restart", &[], "", "begin again with a fresh execution", views::restart),
    row("help", &["?"], "[COMMAND]", "what there is, or one command", help),
    row("quit", &["q", "exit"], "", "leave", quit),
];

pub fn find(name: &str) -> Option<&'static Command> {
    let exact = COMMANDS.iter().find(|c| c.name == name || c.short.contains(&name));
    exact.or_else(|| {
        let mut starting = COMMANDS.iter().filter(|c| c.name.starts_with(name));
        let first = starting.next();
        first.filter(|_| starting.next().is_none())
    })
}

impl Debugger {
    pub fn new(session: Session, host: Box<dyn Host>) -> Debugger {
        Debugger {
            session,
            breakpoints: vec![],
            breakpoints_made: 0,
            host,
            manual_delivery: false,
            shown_events: 0,
            finished: false,
            dialogue: None,
        }
    }

    pub fn breakpoints(&self) -> &[Breakpoint] {
        &self.breakpoints
    }

    /// Carries out one typed line.
    pub fn command(&mut self, text: &str) -> Result<Reply, String> {
        let line = Line::parse(text);
        let Some(name) = line.command() else { return Ok(Reply::new("", Value::Null)) };
        let Some(command) = find(name) else {
            let near = nearest(name);
            return Err(format!("there is no command '{name}'{near}; 'help' lists them all"));
        };
        (command.run)(self, &line)
    }

    /// The process that a line is about: the one it names, or the current one.
    fn subject(&self, line: &Line) -> Result<ProcId, String> {
        match line.process() {
            Some(word) => places::process(&self.session, word),
            None => Ok(self.session.current),
        }
    }

    /// The same for commands that take no number: a number is a process too.
    fn viewed(&self, line: &Line) -> Result<ProcId, String> {
        match line.args().iter().find(|w| **w != "all") {
            Some(word) => places::process(&self.session, word),
            None => Ok(self.session.current),
        }
    }

    fn refused(&self, why: &Refused, proc: ProcId) -> String {
        let system = &self.session.system;
        let who = describe::who(system, proc);
        match why {
            Refused::NotSpawned => {
                format!("{who} is not spawned here; 'redo spawn {who}' goes to where it is")
            }
            Refused::HasExited => {
                format!("{who} has exited; 'undo exit {who}' goes back before that")
            }
            Refused::Blocked => format!(
                "{who} waits in a receive and nothing that it wants has arrived; \
                 'run' lets the others go on, 'mailbox' and 'network' show what there is"
            ),
            Refused::AtStart => format!("{who} is at its very beginning"),
            Refused::NoSuchBranch => "there is no such branch; 'branches' lists them".into(),
            Refused::Stopped => "stopped; everything is as it was".into(),
            Refused::InTheWay(event) => {
                format!("not alone: {} stands in the way", describe::event_line(system, *event))
            }
        }
    }

    /// Where we are now, after a move.
    fn arrived(&mut self, proc: ProcId, note: Option<String>) -> Reply {
        self.session.current = proc;
        let mut text = note.map(|n| n + "\n").unwrap_or_default();
        let data = self.here(proc);
        text.push_str(&views::here_text(&data));
        Reply::new(text, data)
    }

    fn here(&mut self, proc: ProcId) -> Value {
        views::here(&mut self.session, proc)
    }

    fn moved_note(&self, moved: &Moved) -> Option<String> {
        match moved {
            Moved::Branched(name) => {
                Some(format!("branch {name} opened: the old future stays on the other branch"))
            }
            _ => None,
        }
    }

    /// What a plan did or would do.
    fn plan_reply(&self, plan: &Plan, verb: &str) -> Reply {
        let system = &self.session.system;
        let processes = plan.moved.len();
        let mut text = format!(
            "{verb} {} steps in {processes} process{}, {} events",
            plan.steps(),
            if processes == 1 { "" } else { "es" },
            plan.events.len()
        );
        const MOST: usize = 30;
        for event in plan.events.iter().take(MOST) {
            text.push_str(&format!("\n  {}", describe::event_line(system, *event)));
        }
        if plan.events.len() > MOST {
            text.push_str(&format!(
                "\n  ... and {} more ('rolllog' shows all)",
                plan.events.len() - MOST
            ));
        }
        // A plan can pass a million events: programs that want them all ask for the roll log.
        const MOST_DATA: usize = 1_000;
        let first = plan.events.iter().take(MOST_DATA);
        let events: Vec<Value> = first.map(|e| describe::event_json(system, *e)).collect();
        let data = json!({
            "steps": plan.steps(),
            "processes": processes,
            "event_count": plan.events.len(),
            "events": events,
        });
        Reply::new(text, data)
    }
}

/// A command that the person may have meant.
fn nearest(name: &str) -> String {
    let starts = COMMANDS.iter().filter(|c| c.name.starts_with(name)).map(|c| c.name);
    let all: Vec<&str> = starts.collect();
    match all.as_slice() {
        [] => String::new(),
        many => format!(" (did you mean {}?)", many.join(" or ")),
    }
}

fn help(_: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let describe = |c: &Command| {
        let short =
            if c.short.is_empty() { String::new() } else { format!(" ({})", c.short.join(", ")) };
        format!("{}{short} {}\n    {}", c.name, c.usage, c.help)
    };
    let wanted = line.rest();
    let commands: Vec<&Command> = if wanted.is_empty() {
        COMMANDS.iter().collect()
    } else {
        vec![find(wanted).ok_or(format!("there is no command '{wanted}'; 'help' lists them all"))?]
    };
    let text: Vec<String> = commands.iter().map(|c| describe(c)).collect();
    let data: Vec<Value> = commands
        .iter()
        .map(|c| json!({ "name": c.name, "short": c.short, "usage": c.usage, "help": c.help }))
        .collect();
    Ok(Reply::new(text.join("\n"), json!({ "commands": data })))
}

fn quit(debugger: &mut Debugger, _: &Line) -> Result<Reply, String> {
    debugger.finished = true;
    Ok(Reply::new("", Value::Null))
}
