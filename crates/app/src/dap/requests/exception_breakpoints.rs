//! `setExceptionBreakpoints`: at which exceptions and other failures a run stops, in both directions.

use super::super::debugging::{BreakpointKind, Debugging};
use super::super::protocol::Breakpoint;
use super::{Handled, Reaction, Request};
use reverl_session::command::{BreakSpec, Lifetime, StopAt};
use reverl_session::exceptions::ExceptionStop;
use serde::Deserialize;
use serde_json::{Value, json};

const KEY: &str = "exceptions";

/// What a client can choose: its name, label, help, and whether it is chosen at first.
const FILTERS: &[(&str, &str, &str, bool)] = &[
    ("error", "Errors", "Every exception of class error, caught or not", false),
    ("exit", "Exits", "Every exception of class exit, caught or not", false),
    ("throw", "Throws", "Every exception of class throw, caught or not", false),
    ("uncaught", "Uncaught exceptions", "Those that the program's own code does not catch", true),
    ("crash", "Crashes of processes", "What ends a process, where it was raised", true),
    ("deadlock", "Deadlocks", "Where a process begins to wait for what never comes", true),
    ("orphan", "Orphaned messages", "Where a message is sent that nobody ever receives", false),
];

/// The filters as the client is told of them.
pub fn filters() -> Vec<Value> {
    let filter = |(filter, label, description, default): &(&str, &str, &str, bool)| {
        json!({
            "filter": filter, "label": label, "description": description, "default": default,
            "supportsCondition": *filter != "deadlock" && *filter != "orphan",
            "conditionDescription": "An expression that has to be true where it is raised",
        })
    };
    FILTERS.iter().map(filter).collect()
}

/// The request `setExceptionBreakpoints`.
pub struct SetExceptionBreakpoints;

/// What it is asked with.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    #[serde(default)]
    filters: Vec<String>,
    #[serde(default)]
    filter_options: Vec<FilterOption>,
}

/// A filter with a condition.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FilterOption {
    filter_id: String,
    #[serde(default)]
    condition: Option<String>,
}

impl Request for SetExceptionBreakpoints {
    const COMMAND: &'static str = "setExceptionBreakpoints";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, asked: Arguments) -> Handled {
        debugging.clear(KEY)?;
        let plain =
            asked.filters.into_iter().map(|filter_id| FilterOption { filter_id, condition: None });
        let all = plain.chain(asked.filter_options);
        let told: Vec<Breakpoint> = all.map(|wanted| set(debugging, wanted)).collect();
        Ok(Reaction::Answer(json!({ "breakpoints": told })))
    }
}

fn set(debugging: &mut Debugging, asked: FilterOption) -> Breakpoint {
    let at = match (asked.filter_id.as_str(), ExceptionStop::named(&asked.filter_id)) {
        (_, Some(kind)) => StopAt::Exception(kind),
        ("deadlock", _) => StopAt::Forever,
        ("orphan", _) => StopAt::Orphan,
        (other, _) => {
            return Breakpoint::refused(format!("there is no exception filter '{other}'"));
        }
    };
    let condition = asked.condition.filter(|condition| !condition.trim().is_empty());
    let spec = BreakSpec { at, condition, lifetime: Lifetime::Stays, hits: None };
    debugging.set_breakpoint(KEY, BreakpointKind::Exception, spec)
}
