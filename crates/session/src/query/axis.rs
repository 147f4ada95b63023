//! Where events stand along the time axis of a diagram: by the order in which they happened, by
//! causal depth, or with the local events between two messages drawn together.

use crate::session::Session;
use reverl_causal::{ActionKind, Edge, EventRef, Execution, fold};
use serde::Deserialize;
use std::collections::HashMap;
use std::rc::Rc;
use ts_rs::TS;

/// What the horizontal axis of the diagram counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// One column per event.
    #[default]
    Order,
    /// Events that say nothing to other processes share the column of their run.
    Messages,
    /// As many columns as the longest chain of causes.
    Depth,
}

/// The columns that a question is about; what is not said is all of them.
#[derive(Deserialize, TS)]
pub struct AskedColumns {
    #[serde(default)]
    #[ts(optional, as = "Option<usize>")]
    from: usize,
    #[serde(default)]
    #[ts(optional)]
    to: Option<usize>,
    #[serde(default)]
    #[ts(optional, as = "Option<Scale>")]
    scale: Scale,
}

impl AskedColumns {
    /// The axis, and where on it the window begins and ends.
    pub fn seen(&self, session: &Session) -> (Rc<Axis>, usize, usize) {
        let axis = session.axis(self.scale);
        let to = self.to.unwrap_or(axis.len());
        (axis, self.from, to)
    }
}

impl Session {
    /// The axis of the current execution.
    pub(super) fn axis(&self, scale: Scale) -> Rc<Axis> {
        self.cache.axes.borrow_mut().of(self.branch_name(), self.execution(), scale)
    }
}

/// The columns of all events.
pub struct Axis {
    /// By place in the order of events; empty if that is the column itself.
    columns: Vec<u32>,
    /// Places in the order, sorted by column.
    sorted: Vec<u32>,
    /// invariant: where each column begins in `sorted`, and its length at the end.
    starts: Vec<u32>,
    length: usize,
}

impl Axis {
    /// The columns of all events on this scale.
    pub fn of(execution: &Execution, scale: Scale) -> Axis {
        let length = execution.event_count();
        let columns = match scale {
            Scale::Order => vec![],
            Scale::Messages => runs(execution),
            Scale::Depth => fold::depths(execution),
        };
        let (sorted, starts) = sort(&columns);
        Axis { columns, sorted, starts, length }
    }

    pub fn len(&self) -> usize {
        if self.starts.is_empty() { self.length } else { self.starts.len() - 1 }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The column of the event with this place in the order of recording.
    pub fn column(&self, order: u32) -> u32 {
        self.columns.get(order as usize).copied().unwrap_or(order)
    }

    /// The places in the order of the events in columns `from..to`.
    pub fn places(&self, from: usize, to: usize) -> impl Iterator<Item = u32> + '_ {
        let (from, to) = (from.min(self.len()), to.min(self.len()));
        let (from, to) = match self.starts.is_empty() {
            true => (from, to),
            false => (self.starts[from] as usize, self.starts[to] as usize),
        };
        (from..to.max(from)).map(|i| self.sorted.get(i).copied().unwrap_or(i as u32))
    }
}

/// Counting sort: places by column.
fn sort(columns: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let Some(last) = columns.iter().max() else { return (vec![], vec![]) };
    let mut starts = vec![0u32; *last as usize + 2];
    columns.iter().for_each(|c| starts[*c as usize + 1] += 1);
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    let mut next = starts.clone();
    let mut sorted = vec![0u32; columns.len()];
    for (place, column) in columns.iter().enumerate() {
        let slot = &mut next[*column as usize];
        sorted[*slot as usize] = place as u32;
        *slot += 1;
    }
    (sorted, starts)
}

/// Whether an event concerns its process alone.
pub fn is_local(execution: &Execution, event: EventRef) -> bool {
    match execution.action(event).map(|a| a.what()) {
        Some(ActionKind::Request(answered)) => {
            answered.effect.spawned.is_none() && answered.effect.signals.is_empty()
        }
        Some(ActionKind::Timeout) => true,
        _ => false,
    }
}

fn runs(execution: &Execution) -> Vec<u32> {
    let mut columns = Vec::with_capacity(execution.event_count());
    // The column of the run that each process is in.
    let mut run: Vec<Option<u32>> = vec![None; execution.procs().len()];
    let mut next = 0;
    for event in execution.events() {
        let own = &mut run[event.proc.0 as usize];
        let local = is_local(execution, event);
        // What depends on another process stands after that.
        let mut depends = false;
        execution.causes(event, &mut |edge, _| depends |= edge != Edge::Program);
        let column = match own.filter(|_| local && !depends) {
            Some(column) => column,
            None => {
                next += 1;
                next - 1
            }
        };
        *own = local.then_some(column);
        columns.push(column);
    }
    columns
}

/// The axes of the executions that were looked at last.
#[derive(Default)]
pub struct Axes {
    known: HashMap<(String, Scale), Rc<Axis>>,
}

impl Axes {
    pub fn of(&mut self, branch: &str, execution: &Execution, scale: Scale) -> Rc<Axis> {
        let key = (branch.to_string(), scale);
        let length = execution.event_count();
        let known = self.known.get(&key).filter(|axis| axis.length == length).cloned();
        known.unwrap_or_else(|| {
            let axis = Rc::new(Axis::of(execution, scale));
            self.known.insert(key, axis.clone());
            axis
        })
    }
}
