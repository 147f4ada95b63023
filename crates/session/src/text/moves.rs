//! What a move came to, in words.

use super::compare;
use super::events::event_line;
use super::{number, place, who};
use crate::command::{AnswerAtStop, Displayed, EndOfRun, Move, Note, PlanVerb, PlanView};
use crate::exceptions::Catcher;
use crate::query::events::PassedEvent;
use crate::query::logged::LoggedValue;
use crate::query::order::Because;
use crate::query::process::Here;
use crate::session::KnownEnd;

/// Events of a plan that are told one by one.
const MOST: usize = 30;

pub fn moved(moved: &Move) -> String {
    let notes = moved.notes.iter().map(note);
    let parts = notes.chain(moved.plan.as_ref().map(plan)).chain([here(&moved.here)]);
    parts.chain(due(moved)).collect::<Vec<_>>().join("\n")
}

/// What was passed on the way to a target.
pub fn passed(moved: &Move) -> String {
    let parts = moved.plan.as_ref().map(plan).into_iter().chain(due(moved));
    parts.collect::<Vec<_>>().join("\n")
}

/// What came after the move: answers of a breakpoint's commands, then what is displayed.
fn due(moved: &Move) -> Vec<String> {
    let answers = moved.answers.iter().map(|answer| match answer {
        AnswerAtStop::Answer(reply) => super::reply(reply),
        AnswerAtStop::Refused(why) => why.clone(),
    });
    let shown = Some(displayed(&moved.displayed)).filter(|shown| !shown.is_empty());
    answers.chain(shown).collect()
}

/// Displayed expressions with their values.
pub fn displayed(displayed: &[Displayed]) -> String {
    let line = |d: &Displayed| match &d.value {
        LoggedValue::Value(value) => format!("{}: {} = {value}", d.id, d.expression),
        LoggedValue::None(why) => format!("{}: {} has no value here: {why}", d.id, d.expression),
    };
    displayed.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn here(here: &Here) -> String {
    let function = here.function.as_ref().unwrap_or(&here.entry);
    let Here { process, step, state, .. } = here;
    let mut text = format!("{}@{step} {} in {function}", who(process), state.name());
    if let Some(at) = place(&here.file, here.line) {
        let source = here.source.as_deref().unwrap_or_default();
        text.push_str(&format!(" ({at})\n{:>5}  {source}", here.line.unwrap_or_default()));
    }
    text
}

/// `1 step`, `2 steps`
pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", number(n), if n == 1 { one } else { many })
}

/// What a plan did or would do.
/// What a plan passed, or would pass.
pub fn plan(plan: &PlanView) -> String {
    let verb = match plan.what {
        PlanVerb::Undone => "undone",
        PlanVerb::Redone => "redone",
        PlanVerb::WouldUndo => "would undo",
        PlanVerb::WouldRedo => "would redo",
    };
    let mut text = format!(
        "{verb} {} in {}, {}",
        counted(plan.steps as usize, "step", "steps"),
        counted(plan.processes, "process", "processes"),
        counted(plan.event_count, "event", "events")
    );
    for event in plan.events.iter().take(MOST) {
        text.push_str(&format!("\n  {}", event_line(&event.row)));
        if matches!(plan.what, PlanVerb::WouldUndo | PlanVerb::WouldRedo) {
            text.push_str(&because(event, plan.what == PlanVerb::WouldUndo));
        }
    }
    if plan.event_count > MOST {
        let more = number(plan.event_count - MOST);
        text.push_str(&format!("\n  ... and {more} more ('rolllog' shows all)"));
    }
    text
}

/// By which rule an event goes with another one that is undone (or done), on a line of its own.
pub fn because(event: &PassedEvent, is_undone: bool) -> String {
    match &event.because {
        Some(Because { event, text, .. }) if is_undone => format!("\n      with {event}: {text}"),
        Some(Because { event, rule, .. }) => format!("\n      for {event}: it needs this ({rule})"),
        None => String::new(),
    }
}

/// What there is to say about a move.
pub fn note(note: &Note) -> String {
    match note {
        Note::BranchOpened { branch } => {
            format!("branch {branch} opened: the old future stays on the other branch")
        }
        Note::OnBranch { branch } => format!("on branch {branch}"),
        Note::Breakpoint(row) => format!("breakpoint {}: {}", row.id, row.text),
        Note::Exception { breakpoint, class, reason, catcher } => {
            let who = match catcher {
                Catcher::Program => "the program catches it",
                Catcher::Library => "only a library catches it",
                Catcher::Nobody => "nobody catches it",
            };
            format!("breakpoint {}: about to raise {class}: {reason}; {who}", breakpoint.id)
        }
        Note::ConditionFails { breakpoint, why } => format!(
            "breakpoint {}: {}: {why}; it will not stop for that again",
            breakpoint.id, breakpoint.text
        ),
        Note::NoBreakpointBefore => "no breakpoint is met before this moment: nothing moved".into(),
        Note::AtBeginning => "no breakpoint is met: at the beginning".into(),
        Note::EverythingReplayed => "everything known was replayed".into(),
        Note::AtFirstFunction => "the process's first function: at its beginning".into(),
        Note::Ended(end) => end_of_run(*end),
        Note::Event(row) => event_line(row),
        Note::UndoneLast { event_count, steps, events } => {
            let (events_undone, steps) = (
                counted(*event_count, "event", "events"),
                counted(*steps as usize, "step", "steps"),
            );
            let mut text = format!("undone {events_undone}, {steps}");
            events.iter().for_each(|e| text.push_str(&format!("\n  {}", event_line(e))));
            text
        }
        Note::UndoneAll { event_count } => format!("undone all {} events", number(*event_count)),
        Note::ReplayedAll => "replayed all".into(),
        Note::ArrivedFirst { branch, message, delivered } => format!(
            "branch {branch}: {message} arrived first ({delivered} delivered); \
             'run' goes on from here"
        ),
        Note::TimedOut { branch, process } => {
            format!("branch {branch}: the receive of {process} timed out; 'run' goes on from here")
        }
        Note::Assigned { branch, name, value, process } => {
            format!("branch {branch}: {process} has {name} = {value}; 'run' goes on from here")
        }
        Note::Killed { branch, process } => {
            format!("branch {branch}: {process} has ended; 'run' goes on from here")
        }
        Note::Disturbed { branch, change } => {
            format!("branch {branch}: {change}; 'run' goes on from here")
        }
        Note::Became(compared) => compare::branches(compared),
        Note::OnTheirWay { left } => format!(
            "all is done but to deliver {} ('network' lists them, 'deliver' lets them arrive)",
            counted(*left, "signal", "signals")
        ),
        Note::NotFurther { why } => why.clone(),
        Note::Loaded { file } => format!("loaded {file}"),
        Note::FreshExecution => "a fresh execution".into(),
    }
}

fn end_of_run(end: EndOfRun) -> String {
    let told = match end {
        EndOfRun::OthersGoOn(1) => "the main process has ended; 1 process goes on",
        EndOfRun::OthersGoOn(n) => {
            return format!("the main process has ended; {n} processes go on");
        }
        EndOfRun::Stopped => "stopped; there is more to run",
        EndOfRun::Deadlock => {
            "nothing can happen any more, and the main process waits for ever: deadlock \
             ('problems' tells more)"
        }
        EndOfRun::Crashed => "the program has crashed ('problems' tells more)",
        EndOfRun::Finished => "the program has finished",
        EndOfRun::FinishedBut(1) => {
            "the program has finished, but something went wrong ('failure' tells what)"
        }
        EndOfRun::FinishedBut(n) => {
            return format!(
                "the program has finished, but {n} things went wrong ('failure' tells the worst)"
            );
        }
        EndOfRun::NotKnown(end) => known_end(end),
    };
    told.into()
}

/// Why nothing comes next of a recorded node.
pub fn known_end(end: KnownEnd) -> &'static str {
    match end {
        KnownEnd::Departed => {
            "the replay departs from the recording here: what would come next never happened \
             ('failure' tells more; 'undo' goes back, and another order from there is a branch)"
        }
        KnownEnd::Part => {
            "only this part of the recording is open: 'load FILE' replays the whole \
             ('failure' tells more)"
        }
        KnownEnd::NotRecorded => {
            "the recording ends here, before the node did: what came next is not known"
        }
    }
}
