//! What changed the state of a server, or a part of it: every event that did.

use super::asked_place::AskedPlace;
use super::events::{EventRow, row};
use super::term::{ShownTerm, part};
use super::{Detail, Query};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::otp::changes;
use crate::viewpoint::Viewpoint;
use reverl_causal::ProcId;
use reverl_term::Term;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A message that changed a state.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ChangeRow {
    /// Its receive.
    pub event: EventRow,
    pub before: ShownTerm,
    pub after: ShownTerm,
}

/// The changes, the latest first.
#[derive(Clone, Debug, Serialize, TS)]
pub struct StateChanges {
    pub changes: Vec<ChangeRow>,
}

/// The events that changed this part of a server's state.
pub fn of_state(seen: &Viewpoint, proc: ProcId, path: &[usize], detail: Detail) -> StateChanges {
    let session = seen.session;
    let records = session.records();
    let taken = |term: &Term| path.iter().try_fold(term.clone(), |term, i| part(&term, *i));
    let found = changes::changes(session, proc, seen.steps_of(proc), &taken);
    let shown = |term: &Term| ShownTerm::with_records(&records, term, detail);
    let changes = found.iter().map(|change| ChangeRow {
        event: row(&session.system, change.event, detail),
        before: shown(&change.before),
        after: shown(&change.after),
    });
    StateChanges { changes: changes.collect() }
}

/// Asks which events changed a part of a server's state.
#[derive(Deserialize, TS)]
pub struct ChangesQuery {
    #[serde(flatten)]
    #[ts(flatten)]
    asked: AskedPlace,
    /// Which part of the state is asked about.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<usize>>")]
    path: Vec<usize>,
}

impl Query for ChangesQuery {
    const NAME: &'static str = "changes";
    const HELP: &'static str = "what changed the state of a server, or a part of it";
    type Answer = StateChanges;

    fn answer(&self, debugger: &Debugger) -> Result<StateChanges, QueryError> {
        let (seen, proc) = self.asked.seen(&debugger.session)?;
        Ok(of_state(&seen, proc, &self.path, Detail::Brief))
    }
}
