//! Everything that can happen now.

use super::{ProcRef, Query};
use crate::command::Debugger;
use crate::describe;
use crate::error::QueryError;
use crate::session::Session;
use reverl_causal::Step;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One thing that could happen next.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum EnabledStep {
    /// The process can run on.
    Run(ProcRef),
    /// A signal can arrive: its name, and what it is in words.
    Deliver { message: String, what: String, from: ProcRef, to: ProcRef },
    /// Before the end of what is known: the process can do what it did.
    Replay(ProcRef),
}

/// All that could happen next.
#[derive(Clone, Debug, Serialize, TS)]
pub struct EnabledSteps {
    pub enabled: Vec<EnabledStep>,
}

pub fn enabled(session: &Session) -> EnabledSteps {
    let system = &session.system;
    let name = |proc| ProcRef::of(system, proc);
    if session.is_at_end() {
        let step = |step: Step| match step {
            Step::Run { proc, .. } => Some(EnabledStep::Run(name(proc))),
            Step::Deliver { signal, to } => {
                let (message, what) =
                    (describe::signal_name(system, signal), describe::signal_text(system, signal));
                Some(EnabledStep::Deliver { message, what, from: name(signal.from), to: name(to) })
            }
            _ => None,
        };
        return EnabledSteps { enabled: system.enabled().into_iter().filter_map(step).collect() };
    }
    let execution = system.execution();
    let goes_on = execution.ids().filter(|proc| {
        session.cut.is_spawned(execution, *proc)
            && session.steps_of(*proc) < execution.proc(*proc).steps
    });
    EnabledSteps { enabled: goes_on.map(|proc| EnabledStep::Replay(name(proc))).collect() }
}

/// Asks what could happen next.
#[derive(Deserialize, TS)]
pub struct EnabledQuery {}

impl Query for EnabledQuery {
    const NAME: &'static str = "enabled";
    const HELP: &'static str = "everything that can happen now";
    type Answer = EnabledSteps;

    fn answer(&self, debugger: &Debugger) -> Result<EnabledSteps, QueryError> {
        Ok(enabled(&debugger.session))
    }
}
