//! `exceptionInfo`: the exception at which the session has stopped, with the sentence and the facts of
//! the failure card, if it is one that ends a process.

use super::super::debugging::Debugging;
use super::{Handled, Reaction, Request, process_of};
use reverl_session::command::{Debugger, Move, Note, Reply};
use reverl_session::exceptions::Catcher;
use reverl_session::query::Detail;
use reverl_session::query::failure::{FailureCard, report};
use reverl_session::query::process::calls;
use serde::Deserialize;
use serde_json::json;

/// Failures among which the one of a process is looked for.
const MOST: usize = 100;
/// Calls of the stack that are told.
const MOST_CALLS: usize = 50;

/// The request `exceptionInfo`.
pub struct ExceptionInfo;

/// What it is asked with.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    thread_id: i64,
}

impl Request for ExceptionInfo {
    const COMMAND: &'static str = "exceptionInfo";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, asked: Arguments) -> Handled {
        let proc = process_of(asked.thread_id)?;
        let (card, stack) = debugging.look(move |d| (card_of(d, proc), stack_of(d, proc)))?;
        let raised = debugging.last_stop.as_deref().and_then(|reply| match reply {
            Reply::Move(moved) | Reply::Passed(moved) => raised(moved, proc),
            _ => None,
        });
        let (class, reason, catcher) = match (raised, &card) {
            (Some(raised), _) => raised,
            (None, Some(card)) => {
                (card.row.kind.name().to_string(), card.reason.clone(), Catcher::Nobody)
            }
            (None, None) => return Err("this process has not stopped at an exception".into()),
        };
        let sentence = card.as_ref().map(|card| card.row.headline.clone());
        let mut details = json!({
            "message": reason, "typeName": class, "fullTypeName": class, "stackTrace": stack,
        });
        if let Some(at) = card.as_ref().map(|card| card.row.at.clone()) {
            details["evaluateName"] = at.into();
        }
        Ok(Reaction::Answer(json!({
            "exceptionId": format!("{class}: {reason}"),
            "description": sentence.unwrap_or_else(|| sentence_of(catcher)),
            "breakMode": match catcher {
                Catcher::Program => "always",
                Catcher::Library => "userUnhandled",
                Catcher::Nobody => "unhandled",
            },
            "details": details,
        })))
    }
}

fn sentence_of(catcher: Catcher) -> String {
    match catcher {
        Catcher::Program => "the program catches this exception",
        Catcher::Library => "only a library catches this exception",
        Catcher::Nobody => "nobody catches this exception: it ends the process",
    }
    .to_string()
}

fn raised(moved: &Move, proc: u32) -> Option<(String, String, Catcher)> {
    moved.notes.iter().filter(|_| moved.here.process.proc == proc).find_map(|note| match note {
        Note::Exception { class, reason, catcher, .. } => {
            Some((class.clone(), reason.clone(), *catcher))
        }
        _ => None,
    })
}

/// The card of the failure of a process, if it has failed.
fn card_of(debugger: &Debugger, proc: u32) -> Option<FailureCard> {
    let session = &debugger.session;
    let all = report(session, usize::MAX, Detail::Brief);
    let which = all.failures.iter().take(MOST).position(|row| row.process.proc == proc)?;
    report(session, which, Detail::Brief).card
}

fn stack_of(debugger: &Debugger, proc: u32) -> String {
    let session = &debugger.session;
    let Some(proc) = session.execution().ids().find(|p| p.0 == proc) else { return String::new() };
    let calls = calls(&session.now(), proc, MOST_CALLS, Detail::Brief).calls;
    let line = |call: &reverl_session::query::process::CallRow| {
        let at = call.file.as_ref().zip(call.line).map(|(file, line)| format!(" ({file}:{line})"));
        format!("{}{}", call.function, at.unwrap_or_default())
    };
    calls.iter().map(line).collect::<Vec<_>>().join("\n")
}
