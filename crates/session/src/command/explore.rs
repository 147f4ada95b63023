//! What could happen from here on: exploring the executions that share the past of the cut.

use super::{Answered, Debugger, Reply};
use crate::error::CommandError;
use crate::explore::{
    Checks, FailureGroup, FailureRules, Keeper, LONG_TIMEOUT, Search, SearchError,
};
use reverl_analysis::explore::Bounds;
use reverl_analysis::feasible::Delivery;
use reverl_analysis::timeouts::Timeouts;
use reverl_causal::System;
use std::time::Instant;

/// Executions that are visited unless another number is given.
const MOST: u64 = 10_000;
/// Steps after which an execution is cut off.
const STEPS: u64 = 1_000_000;
/// Executions that become branches.
const MOST_BRANCHES: usize = 10;

/// Failing executions that are to become branches; groups name them by their number here.
#[derive(Default)]
struct Found {
    systems: Vec<System>,
}

impl Keeper for Found {
    fn keep(&mut self, real: System, groups: &mut [&mut FailureGroup]) -> Result<(), SearchError> {
        if self.systems.len() < MOST_BRANCHES {
            let number = self.systems.len().to_string();
            groups.iter_mut().for_each(|group| group.branch = Some(number.clone()));
            self.systems.push(real);
        }
        Ok(())
    }
}

impl Debugger {
    /// Visits every execution that goes on differently from here; of each failure one execution
    /// becomes a branch. Where we are does not change.
    pub(super) fn explore(&mut self, most: Option<u64>) -> Answered {
        let begun = Instant::now();
        let session = &mut self.session;
        let here = session.system.branch(&session.cut);
        let steps = here.execution().steps() + STEPS;
        let timeouts = Timeouts::Short(LONG_TIMEOUT);
        let executions = most.unwrap_or(MOST);
        let bounds = Bounds { steps, executions, timeouts, ..Bounds::default() };
        let search =
            Search::after(here.execution(), Delivery::Pair, bounds, FailureRules::default());
        let mut found = Found::default();
        let mut goes_on = |_: &_, _: &System, _| !session.has_to_stop();
        let mut findings =
            search.work(&session.system, &Checks::default(), &mut found, &mut goes_on)?;
        let summary = search.summary();
        if summary.executions == 0 {
            return Err(CommandError::OnlyRecorded);
        }
        let names: Vec<String> =
            found.systems.into_iter().map(|system| session.keep_branch(system)).collect();
        for group in findings.groups_mut() {
            let number = group.branch.take().and_then(|n| n.parse::<usize>().ok());
            group.branch = number.map(|n| names[n].clone());
        }
        let mut report = findings.report(&summary, begun.elapsed().as_secs_f64());
        report.assume(timeouts);
        Ok(Reply::Explored(Box::new(report)))
    }
}
