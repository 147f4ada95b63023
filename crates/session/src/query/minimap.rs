//! The whole execution at a glance, over time and lanes: how many events there are in each part of
//! it, and where processes crashed.

use super::Query;
use super::axis::AskedAxis;
use super::diagram::digit;
use crate::command::Debugger;
use crate::error::QueryError;
use crate::outcome;
use reverl_causal::Execution;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

const MOST_CRASHES: usize = 500;

/// The whole execution in a few hundred columns.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Minimap {
    pub columns: usize,
    /// Rows of lanes, of all lanes together if none were named; each has how many events there are
    /// in each bucket, as digits that grow with the logarithm.
    pub rows: Vec<String>,
    pub crashes: Vec<CrashMark>,
}

/// A crash on the map.
#[derive(Clone, Debug, Serialize, TS)]
pub struct CrashMark {
    pub column: u32,
    pub row: usize,
}

fn three_hundred() -> usize {
    300
}

/// Asks for the whole execution at a glance.
#[derive(Deserialize, TS)]
pub struct MinimapQuery {
    #[serde(flatten)]
    #[ts(flatten)]
    axis: AskedAxis,
    #[serde(default = "three_hundred")]
    #[ts(optional, as = "Option<usize>")]
    buckets: usize,
    /// The lanes that the diagram has, from above. One that is not named belongs to the nearest of
    /// its ancestors that is.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<u32>>")]
    lanes: Vec<u32>,
}

/// Rows of the map.
const MOST_ROWS: usize = 12;

impl MinimapQuery {
    /// By process: the row that it is in.
    fn row_of(&self, execution: &Execution) -> (usize, Vec<Option<usize>>) {
        let mut row_of = vec![None; execution.procs().len()];
        if self.lanes.is_empty() {
            row_of.fill(Some(0));
            return (1, row_of);
        }
        let rows = self.lanes.len().min(MOST_ROWS);
        for (i, lane) in self.lanes.iter().enumerate() {
            if let Some(row) = row_of.get_mut(*lane as usize) {
                *row = Some(i * rows / self.lanes.len());
            }
        }
        // Parents come before their children.
        for proc in execution.ids() {
            let parent = execution.proc(proc).parent;
            if let (None, Some((parent, _))) = (row_of[proc.0 as usize], parent) {
                row_of[proc.0 as usize] = row_of[parent.0 as usize];
            }
        }
        (rows, row_of)
    }
}

impl Query for MinimapQuery {
    const NAME: &'static str = "minimap";
    const HELP: &'static str = "how much happens when";
    type Answer = Minimap;

    fn answer(&self, debugger: &Debugger) -> Result<Minimap, QueryError> {
        let session = &debugger.session;
        let execution = session.execution();
        let axis = self.axis.of(session);
        let buckets = self.buckets.clamp(1, 2_000);
        let columns = axis.len().max(1);
        let (rows, row_of) = self.row_of(execution);
        let mut counts = vec![0u32; buckets * rows];
        for order in 0..execution.event_count() {
            let Some(proc) = execution.process_at(order) else { break };
            if let Some(row) = row_of[proc.0 as usize].filter(|_| axis.shows(order as u32)) {
                let bucket = axis.column(order as u32) as usize * buckets / columns;
                counts[row * buckets + bucket] += 1;
            }
        }
        let crashes = execution.ids().filter_map(|p| {
            let proc = execution.proc(p);
            let crashed = proc.exit().is_some_and(|e| !outcome::is_normal(&e.reason));
            let last = proc.actions.last().filter(|_| crashed && !proc.is_system)?;
            Some(CrashMark { column: axis.column(last.order), row: row_of[p.0 as usize]? })
        });
        let crashes = crashes.take(MOST_CRASHES).collect();
        let rows = counts.chunks(buckets).map(|row| row.iter().map(digit).collect()).collect();
        Ok(Minimap { columns: axis.len(), rows, crashes })
    }
}
