//! What could happen from here on: exploring the executions that share the past of the cut.

use super::line::Line;
use super::{Debugger, Reply};
use crate::failure::{Failure, failures, result};
use reverl_analysis::explore::{Bounds, Explorer};
use reverl_analysis::feasible::Delivery;
use reverl_analysis::realise::realise;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Executions that are visited unless another number is given.
const MOST: u64 = 10_000;

/// Steps after which an execution is cut off.
const STEPS: u64 = 1_000_000;

/// Executions that become branches.
const MOST_BRANCHES: usize = 10;

/// Executions that fail in one way.
struct Group {
    failure: Failure,
    count: u64,
    /// One of them, to be walked through.
    branch: Option<String>,
}

/// Visits every execution that goes on differently from here; of each failure one execution
/// becomes a branch. Where we are does not change.
pub fn explore(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let executions = match line.args().as_slice() {
        [] => MOST,
        [n] => n.parse().map_err(|_| format!("'{n}' is no number of executions"))?,
        _ => return Err("say at most how many executions: explore 500".into()),
    };
    let session = &mut d.session;
    let here = session.system.branch(&session.cut);
    let bounds = Bounds { steps: here.execution.steps() + STEPS, executions, ..Bounds::default() };
    let explorer = Explorer::after(&here.execution, Delivery::Pair, bounds);
    let mut results: BTreeMap<String, u64> = BTreeMap::new();
    let mut groups: Vec<Group> = vec![];
    let mut found = vec![];
    let mut interrupt = session.interrupt.take();
    explorer.work(&session.system, &mut |visit| {
        *results.entry(result(visit.system, visit.is_cut_off)).or_default() += 1;
        let known = groups.len();
        for failure in failures(visit.system, visit.is_cut_off) {
            match groups.iter_mut().find(|g| g.failure == failure) {
                Some(group) => group.count += 1,
                None => groups.push(Group { failure, count: 1, branch: None }),
            }
        }
        if groups.len() > known && found.len() < MOST_BRANCHES && !visit.is_cut_off {
            if let Some(real) = realise(visit.system, Delivery::Pair) {
                found.push((known..groups.len(), real));
            }
        }
        !interrupt.as_mut().is_some_and(|stop| stop(visit.system))
    });
    session.interrupt = interrupt;
    let summary = explorer.summary();
    if summary.executions == 0 {
        return Err("what happened up to here cannot be lived through freely: it needs what was \
                    recorded"
            .into());
    }
    for (new, real) in found {
        let branch = session.keep_branch(real);
        groups[new].iter_mut().for_each(|group| group.branch = Some(branch.clone()));
    }
    let text = told(summary.executions, summary.complete, &results, &groups);
    let data = json!({
        "executions": summary.executions,
        "complete": summary.complete,
        "unexplored": summary.unexplored,
        "results": results,
        "failures": groups.iter().map(Group::json).collect::<Vec<Value>>(),
    });
    Ok(Reply::new(text, data))
}

impl Group {
    fn json(&self) -> Value {
        let (kind, at, reason) = &self.failure;
        json!({ "kind": kind, "at": at, "reason": reason, "count": self.count,
                "branch": self.branch })
    }
}

fn told(
    executions: u64,
    complete: bool,
    results: &BTreeMap<String, u64>,
    groups: &[Group],
) -> String {
    let all = if complete { "all" } else { "not all" };
    let mut lines = vec![format!("{executions} executions from here, {all} that there are")];
    lines.extend(results.iter().map(|(value, count)| format!("  {count} x {value}")));
    for (i, group) in groups.iter().enumerate() {
        let (kind, at, reason) = &group.failure;
        let count = group.count;
        let branch = group.branch.as_ref().map_or(String::new(), |b| format!(" (branch {b})"));
        lines.push(format!("{}. {kind} in {count} executions at {at}: {reason}{branch}", i + 1));
    }
    lines.join("\n")
}
