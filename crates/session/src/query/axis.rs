//! Where events stand along the time axis of a diagram: by the order in which they happened, by
//! causal depth, or with the local events between two messages drawn together. An axis may leave out
//! the columns of what nobody asked for.

use crate::describe;
use crate::event::EventWeight;
use crate::session::Session;
use reverl_causal::{ActionKind, Chain, Edge, EventRef, Execution, fold};
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
    #[serde(flatten)]
    #[ts(flatten)]
    axis: AskedAxis,
}

/// What the columns are, and which events have some of their own; what is not said is all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, TS)]
pub struct AskedAxis {
    #[serde(default)]
    #[ts(optional, as = "Option<Scale>")]
    scale: Scale,
    /// Those of these processes.
    #[serde(default)]
    #[ts(optional = nullable)]
    among: Option<Vec<u32>>,
    /// Without what concerns libraries alone, and without arrivals of what was received. Where these
    /// are too many to look at, it is not heeded.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    telling: bool,
}

impl AskedAxis {
    /// The axis that is asked for.
    pub fn of(&self, session: &Session) -> Rc<Axis> {
        let whole = session.axis(self.scale);
        match self.among.is_none() && !self.telling {
            true => whole,
            false => session.part_of_axis(&whole, self),
        }
    }
}

impl AskedColumns {
    /// The axis, and where on it the window begins and ends.
    pub fn seen(&self, session: &Session) -> (Rc<Axis>, usize, usize) {
        let axis = self.axis.of(session);
        let to = self.to.unwrap_or(axis.len());
        (axis, self.from, to)
    }
}

impl Session {
    /// The axis of the current execution.
    pub(super) fn axis(&self, scale: Scale) -> Rc<Axis> {
        self.cache.axes.borrow_mut().of(self.branch_name(), self.execution(), scale)
    }

    /// The axis with columns of some events only, made once for each question.
    fn part_of_axis(&self, whole: &Axis, asked: &AskedAxis) -> Rc<Axis> {
        let (branch, length) = (self.branch_name(), self.execution().event_count());
        let mut axes = self.cache.axes.borrow_mut();
        let is_known = |known: &&PartOfAxis| {
            (known.branch.as_str(), &known.asked, known.axis.length) == (branch, asked, length)
        };
        if let Some(known) = axes.parts.iter().find(is_known) {
            return known.axis.clone();
        }
        let axis = Rc::new(whole.among(&self.asked_for(asked)));
        let (branch, asked) = (branch.to_string(), asked.clone());
        axes.parts.insert(0, PartOfAxis { branch, asked, axis: axis.clone() });
        axes.parts.truncate(MOST_PARTS);
        axis
    }

    /// By place in the order of events: whether it is asked for.
    fn asked_for(&self, asked: &AskedAxis) -> Vec<bool> {
        let execution = self.execution();
        let mut is_wanted = vec![asked.among.is_none(); execution.procs().len()];
        for number in asked.among.iter().flatten() {
            if let Some(wanted) = is_wanted.get_mut(*number as usize) {
                *wanted = true;
            }
        }
        let wanted = |event: EventRef| is_wanted[event.proc.0 as usize];
        let count = execution.events().filter(|event| wanted(*event)).count();
        let is_telling = asked.telling && count <= MOST_TELLING;
        let is_asked = |event| wanted(event) && (!is_telling || self.is_telling(event));
        execution.events().map(is_asked).collect()
    }

    /// Whether an event says something to who wrote the program, and no other one says the same.
    fn is_telling(&self, event: EventRef) -> bool {
        let execution = self.execution();
        if event.chain() == Chain::Delivery {
            let delivery = execution.proc(event.proc).deliveries[event.index() as usize];
            if execution.signal(delivery.signal).receive().is_some() {
                return false;
            }
        }
        describe::weight(&self.system, event) == EventWeight::Main
    }
}

/// So many axes with columns of some events only are remembered.
const MOST_PARTS: usize = 3;
/// So many events are looked at one by one.
const MOST_TELLING: usize = 60_000;

/// The columns of all events.
pub struct Axis {
    /// By place in the order of events; empty if that is the column itself.
    columns: Vec<u32>,
    /// Places in the order, sorted by column.
    sorted: Vec<u32>,
    /// invariant: where each column begins in `sorted`, and its length at the end.
    starts: Vec<u32>,
    length: usize,
    /// By place in the order of events, if not all are asked for: those that are.
    asked: Option<Vec<bool>>,
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
        Axis { columns, sorted, starts, length, asked: None }
    }

    /// The same without the columns in which nothing is that is asked for. What is not asked for
    /// stands where the next thing is that is.
    fn among(&self, asked: &[bool]) -> Axis {
        let mut has_some = vec![false; self.len()];
        for (order, _) in asked.iter().enumerate().filter(|(_, asked)| **asked) {
            has_some[self.column(order as u32) as usize] = true;
        }
        let last = has_some.iter().filter(|some| **some).count().saturating_sub(1) as u32;
        let mut next = 0u32;
        let new: Vec<u32> = has_some
            .iter()
            .map(|some| {
                next += u32::from(*some);
                (next - u32::from(*some)).min(last)
            })
            .collect();
        let columns: Vec<u32> =
            (0..self.length).map(|order| new[self.column(order as u32) as usize]).collect();
        let (sorted, starts) = sort(&columns);
        Axis { columns, sorted, starts, length: self.length, asked: Some(asked.to_vec()) }
    }

    /// Whether the event with this place in the order of recording is asked for.
    pub fn shows(&self, order: u32) -> bool {
        self.asked.as_ref().is_none_or(|asked| asked.get(order as usize) == Some(&true))
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
    /// The latest first.
    parts: Vec<PartOfAxis>,
}

/// An axis with columns of some events only.
struct PartOfAxis {
    branch: String,
    asked: AskedAxis,
    axis: Rc<Axis>,
}

impl Axes {
    pub fn has(&self, branch: &str, execution: &Execution, scale: Scale) -> bool {
        let known = self.known.get(&(branch.to_string(), scale));
        known.is_some_and(|axis| axis.length == execution.event_count())
    }

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
