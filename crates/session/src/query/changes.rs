//! What changed the state of a server, or a part of it: every event that did.

use super::asked_place::AskedPlace;
use super::difference::{PartChange, parts_that_differ};
use super::events::{EventRow, told_row};
use super::term::{ShownTerm, part};
use super::{Detail, Query};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::origin::path::{self, Inside, Path};
use crate::otp::changes;
use crate::otp::state::state;
use crate::viewpoint::Viewpoint;
use reverl_causal::ProcId;
use reverl_term::{Term, View};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A message that changed a state.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ChangeRow {
    /// Its receive.
    pub event: EventRow,
    /// What it was; none if it was not there.
    pub before: Option<ShownTerm>,
    pub after: Option<ShownTerm>,
    /// The parts that are others now, if they are few.
    pub parts: Vec<PartChange>,
}

/// The changes, the latest first.
#[derive(Clone, Debug, Serialize, TS)]
pub struct StateChanges {
    pub changes: Vec<ChangeRow>,
    /// So many receives before these were not looked at.
    pub earlier: usize,
}

/// The events that changed this part of a server's state, which is counted in the state of the
/// moment that is looked at.
pub fn of_state(
    seen: &Viewpoint,
    proc: ProcId,
    path: &[usize],
    detail: Detail,
) -> Result<StateChanges, QueryError> {
    let session = seen.session;
    let records = session.records();
    let path = match path.is_empty() {
        true => Path::new(),
        false => {
            let state = state(seen, proc).ok_or(QueryError::NoState)?;
            named(&state.value, path).ok_or(QueryError::NoPart)?
        }
    };
    let taken = |term: &Term| path::part(term, &path);
    let (found, earlier) = changes::changes(session, proc, seen.steps_of(proc), &taken);
    let shown = |term: &Term| ShownTerm::with_records(&records, term, detail);
    let changes = found.iter().map(|change| ChangeRow {
        event: told_row(&session.system, change.event, detail),
        before: change.before.as_ref().map(shown),
        after: change.after.as_ref().map(shown),
        parts: match (&change.before, &change.after) {
            (Some(before), Some(after)) => parts_that_differ(&records, before, after),
            _ => vec![],
        },
    });
    Ok(StateChanges { changes: changes.collect(), earlier })
}

/// A part that is counted, named so that it is the same in other states: in a map by its key.
pub(super) fn named(term: &Term, path: &[usize]) -> Option<Path> {
    let Some((first, rest)) = path.split_first() else { return Some(Path::new()) };
    let step = match term.view() {
        View::Tuple(_) => Inside::Element(*first),
        View::Map(map) => Inside::Value(map.sorted().get(*first)?.0.clone()),
        View::Cons(..) => Inside::Item(*first),
        _ => return None,
    };
    let inner = named(&part(term, *first)?, rest)?;
    Some([vec![step], inner].concat())
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
        of_state(&seen, proc, &self.path, Detail::Brief)
    }
}
