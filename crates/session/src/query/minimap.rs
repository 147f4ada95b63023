//! The whole execution at a glance: how many events there are in each part of it, and where
//! processes crashed.

use super::Query;
use super::axis::Scale;
use crate::command::Debugger;
use crate::error::QueryError;
use crate::outcome;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

const MOST_CRASHES: usize = 500;

/// The whole execution in a few hundred columns.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Minimap {
    pub columns: usize,
    /// Events per bucket.
    pub counts: Vec<u32>,
    /// Columns.
    pub crashes: Vec<u32>,
}

fn three_hundred() -> usize {
    300
}

/// Asks for the whole execution at a glance.
#[derive(Deserialize, TS)]
pub struct MinimapQuery {
    #[serde(default)]
    #[ts(optional, as = "Option<Scale>")]
    scale: Scale,
    #[serde(default = "three_hundred")]
    #[ts(optional, as = "Option<usize>")]
    buckets: usize,
}

impl Query for MinimapQuery {
    const NAME: &'static str = "minimap";
    const HELP: &'static str = "how much happens when";
    type Answer = Minimap;

    fn answer(&self, debugger: &Debugger) -> Result<Minimap, QueryError> {
        let session = &debugger.session;
        let execution = session.execution();
        let axis = session.cache.axes.borrow_mut().of(session.branch_name(), execution, self.scale);
        let buckets = self.buckets.clamp(1, 2_000);
        let columns = axis.len().max(1);
        let mut counts = vec![0u32; buckets];
        for order in 0..execution.event_count() as u32 {
            counts[axis.column(order) as usize * buckets / columns] += 1;
        }
        let crashes = execution.ids().filter_map(|p| {
            let proc = execution.proc(p);
            let crashed = proc.exit().is_some_and(|e| !outcome::is_normal(&e.reason));
            let last = proc.actions.last().filter(|_| crashed && !proc.is_system)?;
            Some(axis.column(last.order))
        });
        let crashes = crashes.take(MOST_CRASHES).collect();
        Ok(Minimap { columns: axis.len(), counts, crashes })
    }
}
