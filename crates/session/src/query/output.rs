//! What the program printed, in order; what was undone is marked.

use super::{ProcRef, Query};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::event::event_name;
use crate::outcome;
use crate::session::Session;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

const PAGE: usize = 500;
const MOST: usize = 5_000;

/// What one event printed.
#[derive(Clone, Debug, Serialize, TS)]
pub struct OutputPart {
    pub event: String,
    #[serde(flatten)]
    pub process: ProcRef,
    pub text: String,
    /// It was printed by an event that is not in the cut.
    pub undone: bool,
}

/// What the program printed up to the cut.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ProgramOutput {
    pub output: Vec<OutputPart>,
}

/// The last `most` things that the program printed.
pub fn output(session: &Session, most: usize) -> ProgramOutput {
    let (system, execution) = (&session.system, session.execution());
    let printed = execution.events().rev().filter_map(|event| {
        let text = outcome::output_of(system, event)?;
        Some(OutputPart {
            event: event_name(event),
            process: ProcRef::of(system, event.proc),
            text: text.to_string(),
            undone: !session.cut.contains(execution, event),
        })
    });
    let mut output: Vec<OutputPart> = printed.take(most).collect();
    output.reverse();
    ProgramOutput { output }
}

fn page() -> usize {
    PAGE
}

/// Asks for what the program printed.
#[derive(Deserialize, TS)]
pub struct OutputQuery {
    #[serde(default = "page")]
    #[ts(optional, as = "Option<usize>")]
    count: usize,
}

impl Query for OutputQuery {
    const NAME: &'static str = "output";
    const HELP: &'static str = "what the program printed";
    type Answer = ProgramOutput;

    fn answer(&self, debugger: &Debugger) -> Result<ProgramOutput, QueryError> {
        Ok(output(&debugger.session, self.count.min(MOST)))
    }
}
