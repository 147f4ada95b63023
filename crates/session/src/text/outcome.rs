//! How a run ended and what went wrong, in words.

use super::{lines_or, short, who};
use crate::failure::FailureKind;
use crate::outcome::{OutcomeKind, ProcessStatus};
use crate::query::outcome::{Crash, Outcome, ProcessEnd, Undefined};
use crate::query::problems::{Problem, Problems};
use reverl_lang::project::otp_lib;

/// Idle processes that are named, and what else is listed after a run.
const MOST_IDLE: usize = 10;
const MOST_PROCESSES: usize = 20;
const MOST_MESSAGES: usize = 20;

/// How a process is named: as the debugger does, or with what helps without a debugger.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    Short,
    Full,
}

/// What went wrong, as the debugger lists it.
pub fn problems(problems: &Problems) -> String {
    let (idle, others): (Vec<&Problem>, Vec<&Problem>) =
        problems.problems.iter().partition(|p| p.kind == FailureKind::Idle);
    let mut lines: Vec<String> = others.into_iter().map(|p| problem(p, Naming::Short)).collect();
    lines.extend(idle_line(&idle));
    lines_or(lines, "no problems")
}

fn problem(problem: &Problem, naming: Naming) -> String {
    let Problem { process, path, entry, kind, .. } = problem;
    let whom = match naming {
        Naming::Short => who(process),
        Naming::Full => format!("{} ({path}, {entry})", process.pid),
    };
    let (at, text) = (problem.place(), short(&problem.text));
    match kind {
        FailureKind::Blocked => format!("blocked: {whom} in the receive at {at}"),
        FailureKind::Killed => {
            let by = problem.by.as_ref().map_or("a signal".into(), |by| by.pid.clone());
            format!("ended by {by}: {whom} at {at}: {text}")
        }
        FailureKind::Lost | FailureKind::Orphan => {
            let to = problem.to.as_ref().map_or("nobody".into(), who);
            let id = problem.message.as_deref().unwrap_or_default();
            format!("{}: {id} {text} from {} to {to}  (sent at {at})", kind.name(), who(process))
        }
        kind => format!("{}: {whom} at {at}: {text}", kind.name()),
    }
}

/// Servers without work, on one line.
fn idle_line(idle: &[&Problem]) -> Option<String> {
    let name = |p: &&Problem| match &p.process.name {
        Some(name) => name.clone(),
        None => format!("{} ({})", p.process.pid, p.entry),
    };
    let shown: Vec<String> = idle.iter().take(MOST_IDLE).map(name).collect();
    let more = if idle.len() > MOST_IDLE { ", ..." } else { "" };
    let wait = if idle.len() == 1 { "waits" } else { "wait" };
    (!idle.is_empty()).then(|| format!("idle: {}{more} {wait} for requests", shown.join(", ")))
}

/// How a run ended.
pub fn outcome(outcome: &Outcome) -> String {
    let mut lines = vec![ending(outcome)];
    let (idle, others): (Vec<&Problem>, Vec<&Problem>) =
        outcome.problems.iter().partition(|p| p.kind == FailureKind::Idle);
    // Why the main process crashed was told already.
    let told = |p: &&Problem| p.is_main && p.kind != FailureKind::Blocked;
    let others: Vec<&Problem> = others.into_iter().filter(|p| !told(p)).collect();
    lines.extend(others.iter().take(MOST_PROCESSES).map(|p| problem(p, Naming::Full)));
    lines.extend(more(others.len(), MOST_PROCESSES, "processes"));
    if outcome.limited {
        lines.extend(outcome.processes.iter().filter_map(|p| {
            let ProcessEnd { process, path, entry, at, .. } = p;
            match p.status {
                ProcessStatus::Running => {
                    Some(format!("still running: {} ({path}, {entry}) at {at}", process.pid))
                }
                ProcessStatus::Waiting => {
                    let receive = format!("in the receive at {at}");
                    Some(format!("waits: {} ({path}, {entry}) {receive}", process.pid))
                }
                ProcessStatus::Blocked | ProcessStatus::Exited => None,
            }
        }));
        if outcome.outcome != OutcomeKind::Limit && !outcome.is_replay {
            lines.push("the others would go on; --max-steps N lets them run longer".into());
        }
    }
    lines.extend(idle_line(&idle));
    for list in [&outcome.lost, &outcome.orphans] {
        lines.extend(list.iter().take(MOST_MESSAGES).map(|p| problem(p, Naming::Short)));
        lines.extend(more(list.len(), MOST_MESSAGES, "messages"));
    }
    lines.join("\n")
}

/// How many were not listed.
fn more(all: usize, listed: usize, what: &str) -> Option<String> {
    let left = all.saturating_sub(listed);
    (left > 0).then(|| format!("... and {left} more {what}: --json lists all"))
}

fn ending(outcome: &Outcome) -> String {
    let main = &outcome.main;
    match outcome.outcome {
        OutcomeKind::Deadlock => "deadlock: the main process waits for ever".into(),
        OutcomeKind::Limit if outcome.departed.is_some() => {
            format!("the replay departs after {} steps: what came next is not known", outcome.steps)
        }
        OutcomeKind::Limit if outcome.is_replay => {
            format!("the recording ends after {} steps: what came next is not known", outcome.steps)
        }
        OutcomeKind::Limit => format!("stopped after {} steps", outcome.steps),
        OutcomeKind::Finished | OutcomeKind::Failed | OutcomeKind::Crashed => {
            match (&main.result, &main.exit_reason, &outcome.crash) {
                (Some(value), ..) => format!("=> {value}"),
                (_, _, Some(crash)) => {
                    format!("the main process crashed at {}\n{}", main_place(main), reason(crash))
                }
                (_, Some(reason), _) => format!("the main process exited: {reason}"),
                _ => match outcome.halted {
                    Some(code) if code != 0 => format!("the program halted with {code}"),
                    _ => "the program halted".into(),
                },
            }
        }
    }
}

fn main_place(main: &ProcessEnd) -> String {
    match main.own_at.as_ref().filter(|own| **own != main.at) {
        Some(own) => format!("{}, called from {own}", main.at),
        None => main.at.clone(),
    }
}

/// The reason with its stack trace, a frame a line.
fn reason(crash: &Crash) -> String {
    let Some(class) = &crash.class else { return format!("  exit signal: {}", crash.reason) };
    let mut text = format!("  {class}: {}", crash.reason);
    for frame in &crash.frames {
        let at = frame.at.as_ref().map_or(String::new(), |at| format!(" ({at})"));
        text.push_str(&format!("\n    in {}{at}", frame.call));
    }
    if let Some(missing) = &crash.undefined {
        text.push_str(&format!("\n  {}", undefined(missing)));
    }
    text
}

/// Where Reverl looked for what is not there.
fn undefined(missing: &Undefined) -> String {
    let module = &missing.module;
    if missing.is_loaded {
        return format!("module {module} is there, but does not export that function");
    }
    if let Some(why) = &missing.why {
        return format!("module {module} is not there: {why}");
    }
    let otp = match otp_lib() {
        Some(lib) => format!("in OTP ({})", lib.display()),
        None => "in an OTP, which is not installed".into(),
    };
    format!(
        "module {module} is not in the files given, beside them, in their project, or {otp}: \
         give its file, or the directory of its .beam with --pa"
    )
}
