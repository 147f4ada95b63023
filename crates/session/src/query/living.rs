//! The processes that there are at the cut, in the order in which a person looks for one: the
//! current one, then the program's own, then those of the runtime; each after who spawned it.

use super::process::ProcessRow;
use super::{Query, process};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::otp::family::Family;
use crate::session::Session;
use reverl_causal::ProcId;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Processes of one answer.
const MOST: usize = 1_000;

/// The first of the processes that there are here.
#[derive(Clone, Debug, Serialize, TS)]
pub struct LivingProcesses {
    /// How many there are.
    pub count: usize,
    pub processes: Vec<ProcessRow>,
}

/// Asks for the processes that there are here.
#[derive(Deserialize, TS)]
pub struct LivingQuery {
    #[serde(default)]
    #[ts(optional = nullable)]
    pub count: Option<usize>,
}

impl Query for LivingQuery {
    const NAME: &'static str = "living";
    const HELP: &'static str = "the processes that there are here, the current one first";
    type Answer = LivingProcesses;

    fn answer(&self, debugger: &Debugger) -> Result<LivingProcesses, QueryError> {
        let session = &debugger.session;
        let all = living(session);
        let most = self.count.unwrap_or(MOST).min(MOST);
        let seen = session.now();
        let rows = all.iter().take(most).map(|proc| process::row(&seen, *proc));
        Ok(LivingProcesses { count: all.len(), processes: rows.collect() })
    }
}

/// All of them. The current one is among them also after its end: somebody looks at it.
fn living(session: &Session) -> Vec<ProcId> {
    let execution = session.execution();
    let family = Family::of(session);
    let is_there = |proc: &ProcId| {
        let is_alive = session.cut.is_spawned(execution, *proc)
            && !session.cut.has_exited(execution, *proc)
            && !execution.proc(*proc).is_system;
        is_alive || *proc == session.current
    };
    let mut all: Vec<ProcId> = execution.ids().filter(is_there).collect();
    // The path of a process has those of whoever spawned it as its beginning.
    all.sort_by_cached_key(|proc| {
        let path = execution.proc(*proc).path.to_string();
        let numbers: Vec<u64> = path.split('.').filter_map(|part| part.parse().ok()).collect();
        (*proc != session.current, family.is_runtime(*proc), numbers, proc.0)
    });
    all
}
