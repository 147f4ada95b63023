//! From when on a failure could not be avoided any more: whatever comes next, every execution that goes on
//! from there fails in the same way.

use super::{Checks, story};
use crate::failure::Failure;
use reverl_analysis::explore::{Bounds, Explorer};
use reverl_analysis::feasible::Delivery;
use reverl_causal::{Cut, EventRef, System};
use std::time::Instant;

/// Executions that may follow from a moment for it to be asked.
const MOST: u64 = 300;

/// How moments are explored, and how long that may take.
#[derive(Clone, Copy)]
pub struct Horizon {
    pub delivery: Delivery,
    pub bounds: Bounds,
    pub end: Instant,
}

/// From when on an execution fails in some way whatever comes next.
#[derive(Clone, Debug)]
pub struct PointOfNoReturn {
    /// The line of the story, counted from 1, after which it is so; 0 if it always fails so.
    pub line: usize,
    /// What that line tells.
    pub event: Option<EventRef>,
}

impl Horizon {
    /// From when on an execution could not be saved any more. `None` if that was not found out.
    pub fn point_of_no_return(
        &self,
        real: &System,
        failure: &Failure,
        checks: &Checks,
    ) -> Option<PointOfNoReturn> {
        let told = story::told(real, failure);
        let is_lost = |line: usize| self.always_fails(real, told[line].0, failure, checks);
        // Invariant: it always fails from before line `lost` on, and not from before line `open` on, or
        // that is too much to ask.
        let mut lost = told.len().checked_sub(1)?;
        if !is_lost(lost) {
            return None;
        }
        if is_lost(0) {
            return Some(PointOfNoReturn { line: 0, event: None });
        }
        let mut open = 0;
        while open + 1 < lost {
            let middle = open.midpoint(lost);
            match is_lost(middle) {
                true => lost = middle,
                false => open = middle,
            }
        }
        Some(PointOfNoReturn { line: lost, event: Some(told[lost - 1].0) })
    }

    /// Whether everything that can follow from right before an event fails so, as far as that can be
    /// found out.
    fn always_fails(
        &self,
        real: &System,
        event: EventRef,
        failure: &Failure,
        checks: &Checks,
    ) -> bool {
        let past = real.branch(&Cut::before(real.execution(), event));
        let steps = self.bounds.steps.saturating_add(past.execution().steps());
        let bounds = Bounds { executions: MOST, steps, ..self.bounds };
        let end = self.end;
        let explorer = Explorer::after(past.execution(), self.delivery, bounds);
        let explorer = explorer.until(Box::new(move || Instant::now() >= end));
        let mut fails = true;
        explorer.work(real, &mut |visit| {
            let found = checks.failures(visit.system, visit.is_cut_off, self.delivery);
            let found = found.unwrap_or_default();
            fails = found.iter().any(|f| f.with_roles(visit.system) == *failure);
            fails
        });
        let summary = explorer.summary();
        fails && summary.complete && summary.executions > 0
    }
}
